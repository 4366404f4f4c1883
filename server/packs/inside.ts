/** Reads files of a pack's folder: regular ones only, never through a link, and never more than their limit. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Bytes } from './image-header.ts';
import { refuse, toPackError } from './system-error.ts';

/** As much as one call of `peek` may ask for. */
export const WINDOW_BYTES = 65_536;
// A FIFO put in the file's place would otherwise block the opening, and a link lead out of the pack.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function kindOf(stat: Stats): string {
  if (stat.isSymbolicLink()) return 'a link';
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a FIFO';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

function assertRegular(stat: Stats, file: string): void {
  if (!stat.isFile()) throw refuse(`${file} is ${kindOf(stat)}, not a regular file`);
}

/** Whether another spelling of the name is there, which other systems would have taken for it. */
function findSpelling(folder: string, file: string): string | undefined {
  const fold = (name: string): string => name.normalize('NFKC').toLowerCase();
  try {
    return readdirSync(folder).find((name) => fold(name) === fold(file));
  } catch {
    return undefined;
  }
}

function missing(folder: string, file: string): Error {
  const other = findSpelling(folder, file);
  return refuse(other === undefined ? `${file} is missing` : `${file} is missing; ${other} is spelt another way`);
}

function readUpTo(fd: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  while (length < bytes) {
    const read = readSync(fd, buffer, length, bytes - length, length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

/** Opens a regular file directly in `folder` for `use`, once it is sure to be one, and no longer than `maxBytes`. */
function withFile<Result>(
  folder: string,
  file: string,
  maxBytes: number,
  use: (fd: number, size: number) => Result,
): Result {
  const path = join(folder, file);
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) throw missing(folder, file);
    assertRegular(stat, file);
    const fd = openSync(path, FLAGS);
    try {
      const opened = fstatSync(fd);
      assertRegular(opened, file);
      if (opened.size > maxBytes) throw refuse(`${file} has ${opened.size} bytes, at most ${maxBytes} are allowed`);
      return use(fd, opened.size);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw toPackError(error, `${file} cannot be read`);
  }
}

/**
 * The bytes of a regular file directly in `folder`, or its first `firstBytes`.
 * Errors: E_INVALID_INPUT when it is missing, longer than `maxBytes`, or a link, FIFO, socket or the like, none of which is opened;
 * E_PERMISSION and others as the system says.
 */
export const readInside = (folder: string, file: string, maxBytes: number, firstBytes = maxBytes): Buffer =>
  withFile(folder, file, maxBytes, (fd, size) => readUpTo(fd, Math.min(size, firstBytes)));

/**
 * Lets `look` see such a file through a window of 64 KiB: filling fresh memory with a large file takes far longer than
 * reading it. Errors: as readInside, and those of `look`.
 */
export const lookInside = <Result>(
  folder: string,
  file: string,
  maxBytes: number,
  look: (bytes: Bytes) => Result,
): Result =>
  withFile(folder, file, maxBytes, (fd, length) => {
    const window = Buffer.allocUnsafe(Math.min(WINDOW_BYTES, length));
    let from = 0;
    let filled = 0;
    const peek = (at: number, count: number): Buffer => {
      const end = Math.min(at + count, length);
      if (at < from || end > from + filled) {
        from = at;
        filled = at < length ? readSync(fd, window, 0, window.length, at) : 0;
      }
      return window.subarray(at - from, Math.max(at, Math.min(end, from + filled)) - from);
    };
    return look({ length, peek });
  });
