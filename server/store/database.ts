/** The database file: made whole or not at all, opened with the same durability every time, set aside when it is not to be trusted. */
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { StoreError } from '../protocol/store.ts';
import { syncFolder, writeSynced } from './files.ts';

export const DATABASE_NAME = 'companion.db';
/** "cmp1": tells our databases from anybody's. */
const APPLICATION_ID = 0x636d7031;
const MAGIC = 'SQLite format 3\u0000';
const HEADER_BYTES = 100;
const APPLICATION_ID_OFFSET = 68;
const MAX_VERSION = 9999;
const GROUP = ['', '-wal', '-shm', '-journal'];

/** The file is not what this program wrote; it is to be set aside. */
export class DamageError extends Error {
  override readonly name = 'DamageError';
}

/** What lies under the database's name, told without SQLite touching it. Throws when it is not a regular file. */
export function examine(folder: string): 'missing' | 'ours' | 'foreign' {
  const path = join(folder, DATABASE_NAME);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A log without its database is somebody's data: SQLite would delete it.
  if (stats === undefined) return existsSync(`${path}-wal`) ? 'foreign' : 'missing';
  if (!stats.isFile()) throw new Error(`${path} is not a regular file; move it away.`);
  const header = readHeader(path);
  const isOurs =
    header.byteLength === HEADER_BYTES &&
    header.toString('latin1', 0, MAGIC.length) === MAGIC &&
    header.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID;
  return isOurs ? 'ours' : 'foreign';
}

function readHeader(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** Renames the database and its companions to a name that nothing uses; returns that name. */
export function setAside(folder: string, wallMs: number): string {
  const stamp = new Date(wallMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const base = `${DATABASE_NAME}.set-aside-${stamp}`;
  let name = base;
  for (let again = 2; GROUP.some((suffix) => existsSync(join(folder, name + suffix))); again += 1)
    name = `${base}-${again}`;
  for (const suffix of GROUP) {
    const path = join(folder, DATABASE_NAME + suffix);
    if (existsSync(path)) renameSync(path, join(folder, name + suffix));
  }
  syncFolder(folder);
  return name;
}

/** Makes an empty database of the newest version. It gets its name when it is complete, so an empty file of that name is never ours. */
export function createDatabase(folder: string, migrations: string): void {
  const draft = join(folder, `${DATABASE_NAME}.new`);
  for (const suffix of GROUP) rmSync(draft + suffix, { force: true });
  writeSynced(draft, new Uint8Array());
  const db = new Database(draft);
  try {
    db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma(`application_id = ${APPLICATION_ID}`);
    migrate(db, migrations);
  } finally {
    db.close();
  }
  renameSync(draft, join(folder, DATABASE_NAME));
  syncFolder(folder);
}

/** A connection that is not configured yet: nothing has been read. What a copy or a backup left open to others is closed to them. */
export function connect(folder: string): Database.Database {
  const path = join(folder, DATABASE_NAME);
  for (const suffix of GROUP) {
    const mode = lstatSync(path + suffix, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) !== 0) chmodSync(path + suffix, 0o600);
  }
  return new Database(path, { fileMustExist: true, timeout: 2_000 });
}

/**
 * Sets, on every open, what better-sqlite3 would otherwise leave at its own defaults (it reopens a WAL database at NORMAL), checks the
 * file's structure and brings it up to date. Throws DamageError or SQLite's own error.
 */
export function configure(db: Database.Database, migrations: string): void {
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  // Erased content is overwritten, not only unlinked.
  db.pragma('secure_delete = ON');
  // SQLite ignores errors of its automatic checkpoints; the store runs them itself and does not.
  db.pragma('wal_autocheckpoint = 0');
  db.pragma('journal_size_limit = 6291456');
  if (db.pragma('journal_mode', { simple: true }) !== 'wal' || db.pragma('synchronous', { simple: true }) !== 2)
    throw new Error('SQLite did not accept WAL with synchronous FULL.');
  const check = db.pragma('quick_check(1)', { simple: true });
  if (check !== 'ok') throw new DamageError('quick_check failed');
  migrate(db, migrations);
}

/** Applies what is missing of `NNNN-name.sql`, each file in one transaction. Throws when the database is newer than this program. */
function migrate(db: Database.Database, folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort();
  const newest = Number(files.at(-1)?.slice(0, 4));
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version < 0 || version > MAX_VERSION) throw new DamageError('impossible user_version');
  if (version > newest)
    throw new Error(
      `The database is of version ${version}, newer than this program knows (${newest}). Update the program.`,
    );
  for (const name of files.filter((file) => Number(file.slice(0, 4)) > version)) {
    const sql = readFileSync(join(folder, name), 'utf8');
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${Number(name.slice(0, 4))}`);
    }).immediate();
  }
}

/** Reports whether an error, or what a StoreError was caused by, says that the file is not sound rather than that it cannot be reached now. */
export const isDamage = (error: unknown): boolean =>
  error instanceof DamageError ||
  (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) ||
  (error instanceof StoreError && isDamage(error.cause));
