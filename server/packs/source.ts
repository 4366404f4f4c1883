/** Opens a file of an index, wherever the index lies: in a folder, or behind HTTP. */

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asPackError, assertGoing } from './failure.ts';
import { type Bytes, getHttp } from './http.ts';
import type { PatienceLimits } from './patience.ts';
import { codeOf } from './system-error.ts';
import { PackError } from './types.ts';

const CHUNK_BYTES = 1_048_576;

/** The file's own name for the user: a path, or a URL. */
export type Location =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'http'; readonly url: string };

export const nameOf = (location: Location): string => (location.kind === 'path' ? location.path : location.url);

/** Where the plain name `file` of the index at `url` is. E_INVALID_INPUT: the index is a `file:` URL that names no path here. */
export function locate(url: string, file: string): Location {
  if (/^https?:/.test(url)) {
    const folder = url.endsWith('/') ? url : `${url}/`;
    return { kind: 'http', url: new URL(encodeURIComponent(file), folder).href };
  }
  if (!url.startsWith('file:')) return { kind: 'path', path: join(url, file) };
  try {
    return { kind: 'path', path: join(fileURLToPath(url), file) };
  } catch {
    throw new PackError('E_INVALID_INPUT', `${url}: names no folder of this machine`);
  }
}

async function openPath(path: string, fromByte: number): Promise<Bytes> {
  // Without O_NONBLOCK, opening a named pipe waits for whoever writes into it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR')
      throw new PackError('E_NOT_FOUND', `${path}: is not there`);
    throw asPackError(error, path);
  });
  if (!(await file.stat()).isFile()) {
    await file.close();
    throw new PackError('E_INVALID_INPUT', `${path}: is not a regular file`);
  }
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let at = fromByte; ; ) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
        at += bytesRead;
      }
    } catch (error) {
      throw asPackError(error, path);
    } finally {
      await file.close();
    }
  }
  return { startsAt: fromByte, chunks: read() };
}

/** The bytes of a file, from `fromByte` on where that is possible. Errors: as getHttp, and E_PERMISSION. */
export async function openBytes(
  location: Location,
  fromByte: number,
  limits: PatienceLimits,
  signal: AbortSignal,
): Promise<Bytes> {
  assertGoing(signal);
  return location.kind === 'http' ? getHttp(location.url, fromByte, limits, signal) : openPath(location.path, fromByte);
}
