/** Lays an offered pack ready from an archive that lies on this machine: it is read where it is, and no copy of it is made first. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Wanted } from './download.ts';
import { assertGoing } from './failure.ts';
import { unpackZip } from './read-zip.ts';
import { openBytes } from './source.ts';
import { PackError, type Steering } from './types.ts';

type Steps = Pick<Steering, 'signal' | 'unpaused'> & { readonly onBytes: (bytes: number) => void };

const LIMITS = { idleMs: 30_000, totalMs: 3_600_000 };

/** Differs when the file becomes another one, or is written. */
function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return `${stat?.dev} ${stat?.ino} ${stat?.size} ${stat?.mtimeNs} ${stat?.ctimeNs}`;
}

/** Errors: E_INVALID_INPUT when it is not the file that is wanted, E_NOT_FOUND, E_PERMISSION, E_CANCELLED. */
async function vouchFor(path: string, { size, sha256 }: Omit<Wanted, 'location'>, steps: Steps): Promise<void> {
  const refuse = (fault: string): never => {
    throw new PackError('E_INVALID_INPUT', `${path}: ${fault}`);
  };
  const hash = createHash('sha256');
  let at = 0;
  const { chunks } = await openBytes({ kind: 'path', path }, 0, LIMITS, steps.signal);
  for await (const chunk of chunks) {
    at += chunk.length;
    if (at > size) refuse(`has more than the ${size} bytes the index says`);
    hash.update(chunk);
    steps.onBytes(at);
    await steps.unpaused();
    assertGoing(steps.signal);
  }
  if (at !== size) refuse(`has ${at} bytes, the index says ${size}`);
  if (hash.digest('hex') !== sha256) refuse('does not have the SHA-256 that the index says');
}

/**
 * Unpacks the archive at `path` into the existing, empty `folder`. Its checksum is worked out meanwhile, so what lies there is worth
 * something only once this has resolved. Errors: as download's and unpackZip's, and E_INVALID_INPUT when the archive changed meanwhile.
 */
export async function unpackWanted(
  path: string,
  wanted: Omit<Wanted, 'location'>,
  folder: string,
  steps: Steps,
): Promise<void> {
  const before = stateOf(path);
  const stop = new AbortController();
  const vouched = vouchFor(path, wanted, steps).catch((error: unknown) => {
    stop.abort();
    throw error;
  });
  const unpacked = unpackZip(path, folder, AbortSignal.any([steps.signal, stop.signal]));
  const [right, whole] = await Promise.allSettled([vouched, unpacked]);
  // That it is another file than the index says explains whatever is wrong in it.
  for (const result of [right, whole]) if (result.status === 'rejected') throw result.reason;
  if (stateOf(path) !== before) throw new PackError('E_INVALID_INPUT', `${path}: was changed while it was read`);
}
