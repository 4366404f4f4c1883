/** One durable transaction, and what its failure means: nothing stored, or nobody knows (R16). */
import Database from 'better-sqlite3';
import { StoreError } from '../protocol/store.ts';

/** Frames of the log after which it is copied into the database and used again from its start; about 4 MB. */
const CHECKPOINT_FRAMES = 1_000;
const MAX_FREE_PAGES = 256;

export interface Transactor {
  /** Runs `work` in a transaction that is synced when this returns. Throws StoreError, or what `work` threw with nothing stored. */
  write<Result>(work: () => Result): Result;
  /** Runs a read; throws StoreError('broken') when the database cannot be read. */
  read<Result>(work: () => Result): Result;
  /** Gives free pages back and copies the log into the database. With `emptyLog` nothing of what was erased stays behind in the log. */
  tidy(emptyLog: boolean): void;
  /** From the first failure with an unknown outcome on, everything is refused. */
  isBroken(): boolean;
}

export function createTransactor(db: Database.Database): Transactor {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const logState = db.prepare<[], { log: number }>('PRAGMA wal_checkpoint(NOOP)');
  let breakage: unknown;

  const classify = (error: unknown): unknown => {
    if (!(error instanceof Database.SqliteError)) return error;
    if (error.code === 'SQLITE_FULL') return new StoreError('full', error);
    // Refused by SQLite's own rules, so certainly not stored: a bug of ours.
    if (/^SQLITE_(CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/.test(error.code)) return error;
    breakage = error;
    return new StoreError('broken', error);
  };
  const assertSound = (): void => {
    if (breakage !== undefined) throw new StoreError('broken', breakage);
  };
  const undo = (): void => {
    try {
      if (db.inTransaction) rollback.run();
    } catch (error) {
      breakage ??= error;
    }
  };
  /** The commits themselves are safe in the log, so nobody is told; but when the log cannot be copied, the next commit is refused. */
  const maintain = (...pragmas: readonly string[]): void => {
    try {
      for (const pragma of pragmas) db.pragma(pragma);
    } catch (error) {
      classify(error);
    }
  };

  return {
    write(work) {
      assertSound();
      let result: ReturnType<typeof work>;
      try {
        begin.run();
        result = work();
        commit.run();
      } catch (error) {
        undo();
        throw classify(error);
      }
      if ((logState.get()?.log ?? 0) >= CHECKPOINT_FRAMES) maintain('wal_checkpoint(PASSIVE)');
      return result;
    },
    read(work) {
      assertSound();
      try {
        return work();
      } catch (error) {
        throw classify(error);
      }
    },
    tidy(emptyLog) {
      if (breakage !== undefined) return;
      const isLoose = Number(db.pragma('freelist_count', { simple: true })) > MAX_FREE_PAGES;
      maintain(...(isLoose ? ['incremental_vacuum'] : []), `wal_checkpoint(${emptyLog ? 'TRUNCATE' : 'PASSIVE'})`);
    },
    isBroken: () => breakage !== undefined,
  };
}
