/** Brings one file of an index here, going on where an earlier run stopped, and vouches for its size and checksum. */
import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertGoing, refusing } from './failure.ts';
import { type Location, nameOf, openBytes } from './source.ts';
import { PackError, type Steering } from './types.ts';

const LIMITS = { idleMs: 30_000, totalMs: 3_600_000 };
const CHUNK_BYTES = 1_048_576;
/** Waits before a download that broke off is gone on with; after the last one it is given up. */
const RETRY_MS = [250, 1_000, 4_000];

/** Resolves after so many milliseconds; rejects when the signal aborts. */
type Wait = (ms: number, signal: AbortSignal) => Promise<void>;
const realWait: Wait = (ms, signal) => sleep(ms, undefined, { signal });

export interface Wanted {
  readonly location: Location;
  /** Bytes, and SHA-256 in lower-case hexadecimal. */
  readonly size: number;
  readonly sha256: string;
}

type Steps = Pick<Steering, 'signal' | 'unpaused'> & {
  /** Bytes that are here by now. */
  readonly onBytes: (bytes: number) => void;
};

/** Hashes what an earlier run left; returns how many bytes that is. More than wanted is none. */
async function resumeFrom(file: FileHandle, size: number, hash: Hash, { signal, unpaused }: Steps): Promise<number> {
  const there = (await file.stat()).size;
  if (there > size) return 0;
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(there, 1)));
  let at = 0;
  while (at < there) {
    await unpaused();
    assertGoing(signal);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return at;
}

async function writeAll(file: FileHandle, chunk: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < chunk.length; )
    done += (await file.write(chunk, done, chunk.length - done, at + done)).bytesWritten;
}

/** Fills `file`; returns why it is not the wanted one, or null, and whether bytes of an earlier run are in it. */
async function fill(
  file: FileHandle,
  { location, size, sha256 }: Wanted,
  steps: Steps,
): Promise<{ fault: string | null; wasResumed: boolean }> {
  let hash = createHash('sha256');
  let at = await resumeFrom(file, size, hash, steps);
  let wasResumed = at > 0;
  if (at < size) {
    const bytes = await openBytes(location, at, LIMITS, steps.signal);
    if (bytes.startsAt !== at) {
      at = 0;
      wasResumed = false;
      hash = createHash('sha256');
    }
    if ((await file.stat()).size > at) await file.truncate(at);
    steps.onBytes(at);
    for await (const chunk of bytes.chunks) {
      if (at + chunk.length > size) return { fault: `has more than the ${size} bytes the index says`, wasResumed };
      const written = writeAll(file, chunk, at);
      // Meanwhile: the two take about as long as each other.
      hash.update(chunk);
      await written;
      at += chunk.length;
      steps.onBytes(at);
      await steps.unpaused();
      assertGoing(steps.signal);
    }
  }
  if (at !== size) return { fault: `has ${at} bytes, the index says ${size}`, wasResumed };
  const isRight = hash.digest('hex') === sha256;
  return { fault: isRight ? null : 'does not have the SHA-256 that the index says', wasResumed };
}

/** The same, and what broke off once it had begun is gone on with, a few times and not for ever. */
async function fillPatiently(file: FileHandle, wanted: Wanted, steps: Steps, wait: Wait): ReturnType<typeof fill> {
  let hasBegun = false;
  const onBytes = (bytes: number): void => {
    hasBegun ||= bytes > 0;
    steps.onBytes(bytes);
  };
  for (let retries = 0; ; retries += 1) {
    try {
      return await fill(file, wanted, { ...steps, onBytes });
    } catch (error) {
      const mayPass = error instanceof PackError && error.code === 'E_NETWORK' && hasBegun;
      if (!mayPass || retries === RETRY_MS.length) throw error;
      await wait(RETRY_MS[retries]!, steps.signal);
      await steps.unpaused();
      assertGoing(steps.signal);
    }
  }
}

/**
 * Makes `path` the wanted file. What is there already is taken as its beginning; should that have been wrong, all is read
 * once more. E_INVALID_INPUT: it is not what the index says, and `path` is gone. E_NETWORK: what came is kept at `path`, to go on from.
 * The caller holds the lock of `path`.
 */
export async function download(wanted: Wanted, path: string, steps: Steps, wait = realWait): Promise<void> {
  await refusing(path, steps.signal, async () => {
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    let fault: string | null = null;
    try {
      const first = await fillPatiently(file, wanted, steps, wait);
      fault = first.fault;
      if (fault !== null && first.wasResumed) {
        await file.truncate(0);
        fault = (await fillPatiently(file, wanted, steps, wait)).fault;
      }
    } finally {
      await file.close();
    }
    if (fault === null) return;
    await rm(path, { force: true });
    throw new PackError('E_INVALID_INPUT', `${nameOf(wanted.location)}: ${fault}`);
  });
}
