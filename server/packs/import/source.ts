/** A foreign pack as a set of files by relative path, and how one that a pack names is found among them. */
import { PackError } from '../types.ts';

/** What is read of a folder; an archive has the limits of every pack's. */
export const SOURCE_LIMITS = {
  files: 4_096,
  fileBytes: 64 * 1_024 * 1_024,
  totalBytes: 256 * 1_024 * 1_024,
  depth: 12,
} as const;

export interface SourceTree {
  /** Name of the folder, or of the file without its ending. */
  readonly name: string;
  /** Regular files, `/` between folders, sorted. */
  readonly files: readonly string[];
  /** What is there and is never opened: links, devices. */
  readonly closed: readonly string[];
  /** The one file the user pointed at, if it was no archive. */
  readonly chosen: string | null;
  /** `path` is one of `files`. Error: E_INVALID_INPUT. */
  read(path: string): Promise<Uint8Array>;
  close(): void;
}

/** Files nobody drew: what systems leave behind. */
export const isLitter = (path: string): boolean =>
  /(^|\/)(__MACOSX(\/|$)|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\.git(\/|$)|\._)/i.test(path);

export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const stemOf = (path: string): string => baseOf(path).replace(/\.[A-Za-z0-9]{1,8}$/, '');
export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** What stands in a message for a name from the pack: on one line, and not endless. */
export const shown = (name: string): string => {
  const plain = name.replace(/[\p{Cc}\p{Cf}]/gu, '?');
  return plain.length > 120 ? `${plain.slice(0, 117)}...` : plain;
};

/** `name` resolved against `folder`, or null when it would leave the source, or names a place of a machine. */
export function insidePath(folder: string, name: string): string | null {
  const slashed = name.replaceAll('\\', '/');
  if (slashed.startsWith('/') || /^[A-Za-z]:/.test(slashed) || slashed.includes('\0')) return null;
  const parts: string[] = folder === '' ? [] : folder.split('/');
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

export interface FoundFile {
  readonly path: string;
  /** How it had to be looked for; null: it is called exactly so. */
  readonly note: string | null;
}

/** The file called `path`: exactly, else whatever the case of its letters, else after Unicode normalisation. Null: none. */
export function findFile({ files, closed }: SourceTree, path: string): FoundFile | null {
  if (files.includes(path)) return { path, note: null };
  if (closed.includes(path))
    throw new PackError('E_INVALID_INPUT', `${shown(path)} is a link or no regular file; it was not opened`);
  const lower = path.toLowerCase();
  const byCase = files.find((file) => file.toLowerCase() === lower);
  if (byCase !== undefined)
    return { path: byCase, note: `is called ${shown(baseOf(byCase))}, in other letters than the pack says` };
  const normal = lower.normalize('NFC');
  const byForm = files.find((file) => file.toLowerCase().normalize('NFC') === normal);
  return byForm === undefined ? null : { path: byForm, note: 'is called so in another Unicode form' };
}
