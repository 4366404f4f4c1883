/** Reads and replaces a file that belongs to another program: whole or not at all, never one it could not read, never over a change. */
import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CompanionError } from '../companion-error.ts';

/** No settings are larger; reading them would only take the machine down. */
const MAX_BYTES = 33_554_432;
const NEW_MODE = 0o600;

export interface SettingsFile {
  /** As it was asked for. */
  readonly path: string;
  /** What is read and replaced: where a link leads, so that a link into a folder of dotfiles stays one. */
  readonly target: string;
  /** null: there is no such file yet. */
  readonly text: string | null;
}

/** The error for a file that is left as it is. `reason` continues the sentence “The file …”. */
export const refuseFile = (path: string, reason: string): CompanionError =>
  new CompanionError('REFUSED', { message: `${path}: ${reason}. Nothing was changed.`, details: { path, reason } });

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

/** Where `path` leads. A link to nothing leads to what it would be. Error: REFUSED. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw refuseFile(path, `it cannot be reached (${codeOf(error)})`);
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
  }
}

/** The file at `path` as it is now. Error: REFUSED, for one that nobody should change, with the reason. */
export function readSettings(path: string): SettingsFile {
  const target = targetOf(path);
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat === undefined) return { path, target, text: null };
  if (!stat.isFile()) throw refuseFile(path, 'it is not a regular file');
  if (stat.size > MAX_BYTES) throw refuseFile(path, `it has more than ${MAX_BYTES / 1_048_576} MiB`);
  let bytes: Buffer;
  try {
    bytes = readFileSync(target);
  } catch (error) {
    throw refuseFile(path, `it cannot be read (${codeOf(error)})`);
  }
  if (!isUtf8(bytes)) throw refuseFile(path, 'it is not UTF-8');
  return { path, target, text: bytes.toString('utf8') };
}

const bytesOf = (target: string): Buffer | null =>
  statSync(target, { throwIfNoEntry: false }) === undefined ? null : readFileSync(target);

/** Error REFUSED when the file is no longer what was read. */
function assertUnchanged({ path, target, text }: SettingsFile): void {
  const now = bytesOf(target);
  const same = text === null ? now === null : (now?.equals(Buffer.from(text)) ?? false);
  if (!same) throw refuseFile(path, 'another program has changed it just now; try again');
}

/** Writes `text` beside the target with the mode and the owner of what it replaces, synced; returns its path. */
function writeDraft(target: string, text: string): string {
  const draft = `${target}.${process.pid}.companion`;
  const old = statSync(target, { throwIfNoEntry: false });
  const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, NEW_MODE);
  try {
    writeFileSync(file, text);
    if (old !== undefined) {
      if (old.uid !== process.getuid?.() || old.gid !== process.getgid?.()) fchownSync(file, old.uid, old.gid);
      fchmodSync(file, old.mode & 0o7777);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

/**
 * Puts `text` in the file's place. Error: REFUSED when it is read-only, has been changed since it was read, or cannot be
 * written; then nothing was changed.
 */
export function replaceSettings(file: SettingsFile, text: string): void {
  const { path, target } = file;
  const stat = statSync(target, { throwIfNoEntry: false });
  if (stat !== undefined && (stat.mode & 0o200) === 0) throw refuseFile(path, 'it is read-only');
  let draft = '';
  try {
    draft = writeDraft(target, text);
    assertUnchanged(file);
    renameSync(draft, target);
  } catch (error) {
    if (draft !== '') rmSync(draft, { force: true });
    if (error instanceof CompanionError) throw error;
    throw refuseFile(path, `it cannot be written (${codeOf(error)})`);
  }
  const folder = openSync(dirname(target), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    // A rename is on the disk only when its folder is.
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Removes the file. Error: REFUSED when it has been changed since it was read. */
export function removeSettings(file: SettingsFile): void {
  assertUnchanged(file);
  rmSync(file.target);
}
