/** The state folder belongs to one process at a time; the kernel gives it back when that process ends, however it ends. */
import { closeSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const LOCK_NAME = 'companion.lock';

/** Another process has the state folder: it is the companion, and this one is the second. */
export class StateHeld extends Error {
  override readonly name = 'StateHeld';
}

/**
 * Takes the state folder, before anything in it is read or made: of several starters one goes on, so no two can make the
 * secret, make the database or set one aside at the same time. Returns how to give it back. Throws StateHeld.
 */
export function holdState(folder: string): () => void {
  const path = join(folder, LOCK_NAME);
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) throw new Error(`${path} is not a regular file; move it away.`);
  // Made here, so that its mode does not hang on the umask.
  closeSync(openSync(path, 'a', 0o600));
  const lock = new Database(path, { timeout: 0 });
  try {
    // No journal file, no page: an empty transaction that holds SQLite's own lock, which a killed process leaves at once.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY'))
      throw new StateHeld('Another process has the state folder.');
    throw error;
  }
  return () => lock.close();
}
