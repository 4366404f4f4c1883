import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { configure, connect } from './database.ts';
import { createWorld, insert, record, storeAnswered, tempFolder, WALL, type World } from './fixture.ts';
import { openStore } from './open.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');
const path = ({ folder }: World, suffix = '') => join(folder, `companion.db${suffix}`);

test('a new database is for its owner only and leaves no draft behind', () => {
  const world = createWorld();
  const opened = world.open();
  expect(opened).toMatchObject({ setAside: null, interrupted: 0 });
  expect(opened.store.storageSince).toBe(WALL);
  const names = readdirSync(world.folder);
  expect(names.sort()).toEqual(['companion.db', 'companion.db-wal', 'companion.reserve', 'secret']);
  for (const name of names) expect(statSync(join(world.folder, name)).mode & 0o777).toBe(0o600);
});

test('durability is the same on the first, the second and every later open', () => {
  const world = createWorld();
  world.store().close();
  for (let again = 0; again < 3; again += 1) {
    const db = connect(world.folder);
    configure(db, MIGRATIONS);
    const pragma = (name: string) => db.pragma(name, { simple: true });
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('locking_mode')).toBe('exclusive');
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('secure_delete')).toBe(1);
    expect(pragma('wal_autocheckpoint')).toBe(0);
    expect(pragma('auto_vacuum')).toBe(2);
    db.close();
  }
});

test('the database keeps its age over a restart', () => {
  const world = createWorld();
  world.store().close();
  world.pass(1000);
  expect(world.store().storageSince).toBe(WALL);
});

test('migrations are applied once, in order, each with its version', () => {
  const world = createWorld();
  const folder = join(world.folder, 'migrations');
  mkdirSync(folder);
  for (const name of readdirSync(MIGRATIONS)) copyFileSync(join(MIGRATIONS, name), join(folder, name));
  openStore({ ...world.options, migrations: folder }).store.close();
  writeFileSync(join(folder, '0002-more.sql'), 'CREATE TABLE more (id INTEGER) STRICT; INSERT INTO more VALUES (1);');
  for (let again = 0; again < 2; again += 1) openStore({ ...world.options, migrations: folder }).store.close();
  const db = new Database(path(world));
  expect(db.pragma('user_version', { simple: true })).toBe(2);
  expect(db.prepare('SELECT count(*) FROM more').pluck().get()).toBe(1);
  db.close();
});

test('a migration that fails leaves the database as it was, in its place', () => {
  const world = createWorld();
  const folder = join(world.folder, 'migrations');
  mkdirSync(folder);
  for (const name of readdirSync(MIGRATIONS)) copyFileSync(join(MIGRATIONS, name), join(folder, name));
  const store = world.store();
  const made = storeAnswered(store);
  store.close();
  writeFileSync(join(folder, '0002-bad.sql'), 'DROP TABLE requests; SELECT * FROM nowhere;');
  expect(() => openStore({ ...world.options, migrations: folder })).toThrow(/nowhere/);
  expect(world.store().find(made.requestId)).toMatchObject({ kind: 'found' });
});

test('a newer database is refused and left alone', () => {
  const world = createWorld();
  world.store().close();
  world.tamper('PRAGMA user_version = 7');
  expect(() => world.open()).toThrow(/version 7, newer than this program knows/);
  expect(readdirSync(world.folder).filter((name) => name.includes('set-aside'))).toEqual([]);
});

test('a second process, or a second opening, is told that the database is in use', () => {
  const world = createWorld();
  world.store();
  expect(() => openStore(world.options)).toThrow('Another process has the database open.');
});

const foreign = (world: World): void => {
  rmSync(path(world));
  const db = new Database(path(world));
  db.exec('CREATE TABLE mine (a TEXT)');
  db.close();
};

test.each<[string, (world: World) => void]>([
  ['garbage', (world) => writeFileSync(path(world), 'garbage '.repeat(2000))],
  ['an empty file', (world) => truncateSync(path(world), 0)],
  ['a truncated file', (world) => truncateSync(path(world), 8192)],
  ['a file cut in its header', (world) => truncateSync(path(world), 50)],
  ['zeroed pages', (world) => zero(path(world), 4096, 16_384)],
  ["another program's database", foreign],
  ['a log without its database', (world) => renameSync(path(world), path(world, '-wal'))],
  ['an impossible version', (world) => world.tamper('PRAGMA user_version = 70000')],
  ['a schema that was changed', (world) => world.tamper('ALTER TABLE requests RENAME COLUMN revision TO revisjon')],
])('%s is set aside, never deleted or used', (_, damage) => {
  const world = createWorld();
  const store = world.store();
  const made = storeAnswered(store);
  store.close();
  damage(world);
  const group = ['', '-wal'].flatMap((suffix) => {
    const file = statSync(path(world, suffix), { throwIfNoEntry: false });
    return file === undefined ? [] : [[suffix, readFileSync(path(world, suffix))] as const];
  });
  world.pass(60_000);

  const opened = world.open();
  expect(opened.setAside).toBe('companion.db.set-aside-20300101T000100Z');
  for (const [suffix, bytes] of group)
    expect(readFileSync(join(world.folder, opened.setAside + suffix)).equals(bytes)).toBe(true);
  expect(world.lines.join()).toContain('it is kept as companion.db.set-aside-20300101T000100Z');
  expect(opened.store.storageSince).toBe(WALL + 60_000);
  expect(opened.store.find(made.requestId)).toEqual({ kind: 'none' });
  opened.store.commit([insert(record())], false);
});

test('a damaged database that still had a log is set aside with it, both byte for byte', () => {
  const world = createWorld();
  const store = world.store();
  storeAnswered(store);
  world.crash(store);
  zero(path(world), 4096, statSync(path(world)).size);
  const group = ['', '-wal'].map((suffix) => readFileSync(path(world, suffix)));
  expect(group[1]?.byteLength).toBeGreaterThan(0);
  const { setAside } = world.open();
  const kept = ['', '-wal'].map((suffix) => readFileSync(join(world.folder, `${setAside}${suffix}`)));
  expect(kept).toEqual(group);
});

const zero = (file: string, from: number, to: number): void => {
  const bytes = readFileSync(file);
  bytes.fill(0, from, to);
  writeFileSync(file, bytes);
};

test('two databases set aside in one second get two names', () => {
  const world = createWorld();
  world.store().close();
  const names = [1, 2].map(() => {
    writeFileSync(path(world), 'garbage');
    const { store, setAside } = world.open();
    store.close();
    return setAside;
  });
  expect(names).toEqual(['companion.db.set-aside-20300101T000000Z', 'companion.db.set-aside-20300101T000000Z-2']);
});

test('a link in the place of the database is refused and not followed', () => {
  const world = createWorld();
  const target = join(tempFolder(), 'target');
  writeFileSync(target, 'kept');
  symlinkSync(target, path(world));
  expect(() => world.open()).toThrow(/not a regular file/);
  expect(readFileSync(target, 'utf8')).toBe('kept');
});

test('a draft left by a start that was killed is no obstacle', () => {
  const world = createWorld();
  writeFileSync(path(world, '.new'), 'half a database');
  expect(world.open().setAside).toBeNull();
});

test('a database that was left open to others is closed to them', () => {
  const world = createWorld();
  world.store().close();
  chmodSync(path(world), 0o666);
  world.open().store.close();
  expect(statSync(path(world)).mode & 0o777).toBe(0o600);
});
