/** Opens a folder, or one file with the files beside it, as a source; follows no link below the place the user named. */
import { constants, type Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { refuse, toPackError } from '../system-error.ts';
import { PackError } from '../types.ts';
import { isLitter, joinPath, SOURCE_LIMITS, type SourceTree, shown, stemOf } from './source.ts';

/** What lies at `at`; a folder within that cannot be listed is named, the root is its opener's to name. */
async function list(root: string, at: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(join(root, at), { withFileTypes: true });
  } catch (error) {
    throw at === '' ? error : toPackError(error, `${shown(at)} cannot be read`);
  }
}

async function walk(root: string, depth: number, files: string[], closed: string[], at = ''): Promise<void> {
  for (const entry of await list(root, at)) {
    const path = joinPath(at, entry.name);
    if (isLitter(path)) continue;
    if (files.length + closed.length >= SOURCE_LIMITS.files)
      throw new PackError('E_INVALID_INPUT', `there are more than ${SOURCE_LIMITS.files} files in this folder`);
    if (entry.isFile()) files.push(path);
    else if (!entry.isDirectory()) closed.push(path);
    else if (depth > 0) await walk(root, depth - 1, files, closed, path);
  }
}

/** The bytes of a regular file that is no link, at most as many as allowed. */
async function readRegular(root: string, path: string): Promise<Uint8Array> {
  // What was a file when it was listed may be something else by now; a pipe must not be waited for.
  const handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      // A fault of this one file, whatever the system's reason: it keeps no other character of the source from being taken.
      throw refuse(toPackError(error, `${shown(path)} cannot be read`).message);
    },
  );
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new PackError('E_INVALID_INPUT', `${shown(path)} is not a regular file`);
    if (stat.size > SOURCE_LIMITS.fileBytes)
      throw new PackError(
        'E_INVALID_INPUT',
        `${shown(path)} has ${stat.size} bytes, at most ${SOURCE_LIMITS.fileBytes} are allowed`,
      );
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

function makeTree(root: string, name: string, chosen: string | null, files: string[], closed: string[]): SourceTree {
  let totalBytes = 0;
  return {
    name,
    files: files.sort(),
    closed,
    chosen,
    read: async (path) => {
      const bytes = await readRegular(root, path);
      totalBytes += bytes.length;
      if (totalBytes > SOURCE_LIMITS.totalBytes)
        throw new PackError('E_INVALID_INPUT', `more than ${SOURCE_LIMITS.totalBytes} bytes would have to be read`);
      return bytes;
    },
    close: () => {},
  };
}

/** Errors: E_INVALID_INPUT; those of the file system for the folder itself. */
export async function openFolder(root: string): Promise<SourceTree> {
  const [files, closed]: [string[], string[]] = [[], []];
  await walk(root, SOURCE_LIMITS.depth, files, closed);
  return makeTree(root, basename(root), null, files, closed);
}

/** A single file; those beside it can be read too, because a description names its pictures. */
export async function openFile(path: string): Promise<SourceTree> {
  const root = dirname(path);
  const [files, closed]: [string[], string[]] = [[], []];
  await walk(root, 0, files, closed);
  return makeTree(root, stemOf(path), basename(path), files, closed);
}
