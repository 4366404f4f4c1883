/** Writes small files whole or not at all, and makes folders and names last over a power cut. */

import {
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './system-error.ts';

/** Makes the names in `folder` last: a rename is on the disk only when its folder is. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Makes the folder `path`, 0700, and those above it that are missing; one that is there is fine. Throws the system's errors: Node's
 * own recursion says ENOENT where the file system is read-only.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) {
      makeFolder(dirname(path));
      // Once more only: what is still missing was taken away meanwhile, and the system says so.
      mkdirSync(path, { recursive: true, mode: 0o700 });
    } else if (codeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/**
 * Puts `data` at `path` in one rename, synced before it gets its name. The draft's name is always the same, so that what a
 * killed process left is overwritten by the next one: callers hold a lock. Throws the system's errors.
 */
export function replaceFile(path: string, data: string, mode: number): void {
  const draft = `${path}.new`;
  try {
    const file = openSync(draft, 'w', mode);
    try {
      writeFileSync(file, data);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** The same for a value, as JSON that its owner can read. */
export const replaceJson = (path: string, value: unknown): void =>
  replaceFile(path, `${JSON.stringify(value, null, 2)}\n`, 0o600);
