import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestRecord } from '../protocol/snapshot.ts';
import { StoreError } from '../protocol/store.ts';
import { configure, connect } from './database.ts';
import { answered, createWorld, insert, record, storeAnswered, tempFolder, update, type World } from './fixture.ts';
import { createReserve, type Reserve } from './reserve.ts';
import { startStore } from './sqlite-store.ts';

const full = expect.objectContaining({ name: 'StoreError', kind: 'full' });
const broken = expect.objectContaining({ name: 'StoreError', kind: 'broken' });
const large = () => record({ params: { text: 'x'.repeat(30_000) } });

/** A store over a connection that the test can spoil. */
function startOn(world: World, db: Database.Database, reserve: Reserve = createReserve(world.folder)) {
  onTestFinished(() => void (db.open && db.close()));
  return startStore({ ...world.options, boot: world.options.boot!, db, reserve }).store;
}

function configured(world: World): Database.Database {
  world.store().close();
  const db = connect(world.folder);
  configure(db, join(import.meta.dirname, 'migrations'));
  return db;
}

test('a commit that finds the disk full stores nothing, and the store goes on when there is room', () => {
  const world = createWorld();
  const db = configured(world);
  const store = startOn(world, db);
  const before = storeAnswered(store);
  const pages = db.pragma('page_count', { simple: true });
  db.pragma(`max_page_count = ${pages}`);
  const refused = [large(), large()];
  expect(() =>
    store.commit(
      refused.map((each) => insert(each)),
      false,
    ),
  ).toThrow(full);
  for (const each of refused) expect(store.find(each.requestId)).toEqual({ kind: 'none' });
  expect(store.find(before.requestId)).toEqual({ kind: 'found', record: before });
  expect(store.countKept()).toBe(1);
  db.pragma('max_page_count = 100000');
  store.commit(
    refused.map((each) => insert(each)),
    false,
  );
  expect(store.find(refused[0]!.requestId).kind).toBe('found');
});

/** A reserve whose room is pages that the database may grow by. */
function pageReserve(db: Database.Database): Reserve & { canRegain: boolean } {
  let isHeld = true;
  return {
    canRegain: false,
    hold() {
      isHeld ||= this.canRegain;
      return isHeld;
    },
    release() {
      if (!isHeld) return false;
      isHeld = false;
      db.pragma('max_page_count = 100000');
      return true;
    },
  };
}

test('an urgent commit takes the reserve; others wait until it is regained', () => {
  const world = createWorld();
  const db = configured(world);
  const reserve = pageReserve(db);
  const store = startOn(world, db, reserve);
  const asked = record();
  store.commit([insert(asked)], false);
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);

  expect(() => store.commit([insert(large())], false)).toThrow(full);
  const done = { ...answered(asked), result: { text: 'y'.repeat(20_000) } };
  store.commit([update(done)], true);
  expect(store.find(asked.requestId)).toEqual({ kind: 'found', record: done });
  expect(store.countKept()).toBe(1);

  const next = record();
  expect(() => store.commit([insert(next)], false)).toThrow(full);
  expect(store.find(next.requestId)).toEqual({ kind: 'none' });
  reserve.canRegain = true;
  store.commit([insert(next)], false);
  expect(store.find(next.requestId).kind).toBe('found');
});

test('with the reserve spent, an urgent commit that does not fit is refused as well', () => {
  const world = createWorld();
  const db = configured(world);
  const store = startOn(world, db, { hold: () => true, release: () => false });
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
  expect(() => store.commit([insert(large())], true)).toThrow(full);
});

test('the reserve is a megabyte that really lies on the disk, given once and regained', () => {
  const folder = tempFolder();
  const file = join(folder, 'companion.reserve');
  const reserve = createReserve(folder);
  expect(reserve.release()).toBe(false);
  expect(reserve.hold()).toBe(true);
  expect(statSync(file).blocks * 512).toBeGreaterThanOrEqual(1_048_576);
  expect(createReserve(folder).release()).toBe(true);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, 'cut short');
  const again = createReserve(folder);
  expect(again.release()).toBe(false);
  expect(again.hold()).toBe(true);
  expect(statSync(file).size).toBe(1_048_576);
});

test('a reserve that cannot be had is not held', () => {
  const folder = tempFolder();
  const reserve = createReserve(folder);
  rmSync(folder, { recursive: true });
  expect(reserve.hold()).toBe(false);
});

/** The connection, with `COMMIT` failing as `fail` says while it is armed. */
function spoiled(db: Database.Database, fail: (commit: () => void) => void) {
  const control = { isArmed: false };
  const prepare = db.prepare.bind(db);
  db.prepare = ((sql: string) => {
    const statement = prepare(sql);
    if (sql !== 'COMMIT') return statement;
    const commit = () => void statement.run();
    return { run: () => (control.isArmed ? fail(commit) : commit()) };
  }) as typeof db.prepare;
  return control;
}

const ioError = () => new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');

test.each([
  [
    'was stored all the same',
    (commit: () => void) => commit(),
    { reason: 'user_answered', result: { selectedId: 'yes' } },
  ],
  ['was not stored', () => {}, { reason: 'runtime_restarted', result: null }],
])('after a failed sync nothing is written any more, and recovery finds the truth when it %s', (_, outcome, truth) => {
  const world = createWorld();
  const db = configured(world);
  const control = spoiled(db, (commit) => {
    outcome(commit);
    throw ioError();
  });
  const store = startOn(world, db);
  const asked = record();
  store.commit([insert(asked)], false);
  control.isArmed = true;
  const done = answered(asked);
  expect(() => store.commit([update(done)], true)).toThrow(broken);

  control.isArmed = false;
  expect(() => store.commit([insert(record())], false)).toThrow(broken);
  expect(() => store.commit([update(done)], true)).toThrow(broken);
  expect(() => store.find(asked.requestId)).toThrow(broken);
  expect(() => store.sweep(0, 0)).toThrow(broken);
  store.close();
  expect(world.store().find(asked.requestId)).toMatchObject({ kind: 'found', record: truth });
});

test('a mistake of ours undoes the commit without breaking the store', () => {
  const store = createWorld().store();
  const asked = record();
  store.commit([insert(asked)], false);
  let thrown: unknown;
  try {
    store.commit([insert(record()), insert(asked)], false);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code: 'SQLITE_CONSTRAINT_PRIMARYKEY' });
  expect(thrown).not.toBeInstanceOf(StoreError);
  store.commit([insert(record())], false);
});

/** A file system of `megabytes`, gone when the test is over; null where this user may not mount. */
function smallDisk(megabytes: number): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const folder = tempFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  if (mounted.status !== 0) return null;
  onTestFinished(() => void spawnSync('umount', [folder]));
  return folder;
}

test('on a disk that really fills, answers still fit, nothing is lost, and room given back is used', (context) => {
  const folder = smallDisk(4);
  if (folder === null) return context.skip('needs the right to mount a small file system');
  const world = createWorld(folder);
  const store = world.store();
  const asked = record();
  store.commit([insert(asked)], false);
  mkdirSync(join(folder, 'others'));
  const kept: RequestRecord[] = [];
  const fillWith = (make: () => RequestRecord): void => {
    for (;;) {
      const next = make();
      store.commit([insert(next)], false);
      kept.push(next);
    }
  };
  expect(() => fillWith(large)).toThrow(full);
  writeUntilFull(join(folder, 'others', 'file'));
  expect(() => fillWith(record)).toThrow(full);

  expect(readdirSync(folder)).toContain('companion.reserve');
  const done = { ...answered(asked), result: { text: 'y'.repeat(30_000) } };
  store.commit([update(done)], true);
  expect(readdirSync(folder)).not.toContain('companion.reserve');
  expect(() => store.commit([insert(record())], false)).toThrow(full);
  expect(store.find(asked.requestId)).toEqual({ kind: 'found', record: done });
  for (const each of kept) expect(store.find(each.requestId)).toEqual({ kind: 'found', record: each });

  store.commit([{ kind: 'erase', clientId: null }], true);
  rmSync(join(folder, 'others'), { recursive: true });
  expect(spawnSync('mount', ['-o', 'remount,size=16m', folder]).status).toBe(0);
  const next = record();
  store.commit([insert(next)], false);
  expect(readdirSync(folder)).toContain('companion.reserve');
  store.close();
  const { store: again, interrupted } = world.open();
  expect(interrupted).toBe(kept.length + 1);
  expect(again.find(next.requestId).kind).toBe('found');
  again.close();
}, 30_000);

function writeUntilFull(file: string): void {
  for (const bytes of [65_536, 4096, 1])
    try {
      for (;;) writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
}

test('a folder in place of the reserve is left as it is, and the store goes on without a reserve', () => {
  const folder = tempFolder();
  const path = join(folder, 'companion.reserve');
  mkdirSync(path);
  writeFileSync(join(path, 'kept'), '');
  const reserve = createReserve(folder);
  expect([reserve.hold(), reserve.release()]).toEqual([false, false]);
  expect(readdirSync(path)).toEqual(['kept']);
});
