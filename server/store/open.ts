/** Opens the store in the state folder: makes it, sets a damaged or foreign one aside, brings it up to date, recovers (spec §4, R16). */
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Now } from '../protocol/clock.ts';
import type { Limits } from '../protocol/limits.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import { type Store, StoreError } from '../protocol/store.ts';
import { configure, connect, createDatabase, examine, isDamage, setAside } from './database.ts';
import { createReserve } from './reserve.ts';
import { type Boot, currentBoot } from './retention.ts';
import { startStore } from './sqlite-store.ts';

const START_ERRORS = [
  ['SQLITE_BUSY', 'Another process has the database open.'],
  ['SQLITE_IOERR', 'The database cannot be read or written: check the disk and the file system of the state folder.'],
  ['SQLITE_FULL', 'The disk is full; the database needs a little room to start.'],
  ['SQLITE_READONLY', 'The database cannot be written: check the state folder and its file system.'],
  ['SQLITE_CANTOPEN', 'The database cannot be opened: check the state folder and its file system.'],
] as const;

export interface StoreOptions {
  /** The state folder; it exists and is the user's own, mode 0700. */
  readonly folder: string;
  /** The install secret, from `openSecret(folder)`. */
  readonly secret: Uint8Array;
  readonly limits: Limits;
  readonly now: () => Now;
  /** One line for the log; numbers and our own file names only. */
  readonly log: (line: string) => void;
  /** Says which records the user's Answers page lists: interactions and suppressed notices. Asked at each write. */
  readonly isListed: (record: RequestRecord) => boolean;
  readonly boot?: () => Boot;
  /** Folder of `NNNN-name.sql`; by default the one beside this module, in the sources and in the build. */
  readonly migrations?: string;
}

export interface OpenedStore {
  readonly store: Store;
  /** File name, in the state folder, under which an unusable database is kept now; null when there was none. */
  readonly setAside: string | null;
  /** Unfinished requests of an earlier instance, now failed as `runtime_restarted`. */
  readonly interrupted: number;
}

/**
 * Opens `companion.db` (0600) and fails what an earlier instance left unfinished. A corrupt or foreign database is renamed with its log, never
 * deleted or used. Throws when the folder cannot be used, another process has the database, it is newer than this program, or the disk is full.
 */
export function openStore(options: StoreOptions): OpenedStore {
  const { folder } = options;
  const migrations = options.migrations ?? join(import.meta.dirname, 'migrations');
  const found = examine(folder);
  const moved = found === 'foreign' ? moveAside(options, 'is not one of this program') : null;
  if (found !== 'ours') createDatabase(folder, migrations);

  const db = connect(folder);
  try {
    return { ...start(db, options, migrations), setAside: moved };
  } catch (error) {
    if (!isDamage(error)) {
      db.close();
      throw explained(error);
    }
    // Renamed before it is closed: SQLite then leaves database and log byte for byte as they are.
    const name = moveAside(options, 'was damaged');
    db.close();
    createDatabase(folder, migrations);
    return { ...startAfresh(options, migrations), setAside: name };
  }
}

function startAfresh(options: StoreOptions, migrations: string): Omit<OpenedStore, 'setAside'> {
  const db = connect(options.folder);
  try {
    return start(db, options, migrations);
  } catch (error) {
    db.close();
    throw error;
  }
}

function start(db: Database, options: StoreOptions, migrations: string): Omit<OpenedStore, 'setAside'> {
  configure(db, migrations);
  return startStore({
    ...options,
    db,
    reserve: createReserve(options.folder),
    boot: options.boot ?? currentBoot,
  });
}

function moveAside({ folder, now, log }: StoreOptions, why: string): string {
  const name = setAside(folder, now().wallMs);
  log(`store: the database ${why}; it is kept as ${name} and an empty one takes its place`);
  return name;
}

function explained(error: unknown): unknown {
  const cause = error instanceof StoreError ? error.cause : error;
  const code = String((cause as { code?: unknown }).code);
  const why = START_ERRORS.find(([prefix]) => code.startsWith(prefix))?.[1];
  return why === undefined ? error : new Error(why, { cause: error });
}
