/** Files we put into folders that other programs read: known again by a mark in them, removed without a trace, never put over a stranger's. */
import { lstatSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { CompanionError } from '../companion-error.ts';
import { writeWhole } from '../files.ts';

/** Programs that read such a file ignore keys that begin with `X-`. */
const MARK = 'X-Companion';
const FOLDERS = 'X-Companion-Folders';

/** The lines by which a file is known as made for `purpose`, and how many folders were made for it. */
export const markLines = (purpose: string, folders: number): string => `${MARK}=${purpose}\n${FOLDERS}=${folders}`;

/** The text of our file at `path`; null: nothing is there; 'foreign': something that was not made for `purpose` here. */
export function readOwn(path: string, purpose: string): { readonly text: string } | 'foreign' | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (!stat.isFile()) return 'foreign';
  try {
    const text = readFileSync(path, 'utf8');
    return valueAt(text, MARK) === purpose ? { text } : 'foreign';
  } catch {
    return 'foreign';
  }
}

/** The first value of `key` in a unit or a desktop entry; null when there is none. */
export function valueAt(text: string, key: string): string | null {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${key}=`));
  return line?.slice(key.length + 1) ?? null;
}

const foldersOf = (text: string): number => Number(valueAt(text, FOLDERS)) || 0;

/** Makes the folder of `path`; returns how many levels of it were not there. */
export function makeFolderOf(path: string): number {
  let missing = 0;
  for (let at = dirname(path); lstatSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing += 1;
  mkdirSync(dirname(path), { recursive: true });
  return missing;
}

/** Removes up to `levels` folders above `path`, the innermost first, as long as they are empty. */
export function removeFolders(path: string, levels: number): void {
  let at = dirname(path);
  try {
    for (let level = 0; level < levels; level += 1, at = dirname(at)) rmdirSync(at);
  } catch {
    // Somebody else has put something there, or removed it already.
  }
}

/** Error REFUSED when something at `path` is not ours. */
export function assertOwn(path: string, purpose: string): void {
  if (readOwn(path, purpose) !== 'foreign') return;
  throw new CompanionError('REFUSED', {
    message: 'There is a file that companion did not make; move it away first. Nothing was changed.',
    details: { path },
  });
}

/** Writes what `compose` makes of the number of folders made for it, now or when it was first written. Error: REFUSED. */
export function writeOwn(path: string, purpose: string, compose: (folders: number) => string): void {
  assertOwn(path, purpose);
  const before = readOwn(path, purpose);
  const made = makeFolderOf(path);
  const folders = before !== null && before !== 'foreign' ? foldersOf(before.text) : made;
  writeWhole(path, compose(folders), 0o644);
}

/** Removes our file and the folders made for it that are empty. False when it is not there or not ours. */
export function removeOwn(path: string, purpose: string): boolean {
  const own = readOwn(path, purpose);
  if (own === null || own === 'foreign') return false;
  rmSync(path);
  removeFolders(path, foldersOf(own.text));
  return true;
}
