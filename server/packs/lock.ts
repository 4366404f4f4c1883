/** Locks between processes that use the same library; one that a killed process left is taken over after a few seconds. */

import { setTimeout as wait } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { assertGoing, refusing } from './failure.ts';
import type { Places } from './places.ts';
import { codeOf } from './system-error.ts';
import { PackError } from './types.ts';
import { makeFolder } from './write-file.ts';

/** A lock not renewed for this long belongs to nobody; its holder renews it three times as often. */
const STALE_MS = 5_000;
const UPDATE_MS = 1_600;
const RETRY_MS = 25;

export interface Held {
  /** Aborts when another process has taken the lock over, as after a long sleep of the machine. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Takes `<path>.lock` if nobody has it; null: somebody has. `path` itself need not exist. Throws the system's errors. */
export async function tryHold(path: string): Promise<Held | null> {
  const lost = new AbortController();
  try {
    const release = await lock(path, {
      realpath: false,
      lockfilePath: `${path}.lock`,
      stale: STALE_MS,
      update: UPDATE_MS,
      onCompromised: () => lost.abort(new PackError('E_INTERNAL', `${path}.lock: another process has taken it`)),
    });
    // Releasing what was lost is refused, and nobody's business any more.
    return { lost: lost.signal, release: () => release().catch(() => {}) };
  } catch (error) {
    if (codeOf(error) === 'ELOCKED') return null;
    throw error;
  }
}

/** Waits for `<path>.lock` until it is free. E_CANCELLED when `signal` aborts meanwhile. */
export async function hold(path: string, signal: AbortSignal): Promise<Held> {
  for (;;) {
    assertGoing(signal);
    const held = await tryHold(path);
    if (held !== null) return held;
    await wait(RETRY_MS);
  }
}

/**
 * Runs `work` while no other process writes the library's files. `work` is synchronous, so it is short and nothing of this
 * process comes between. Errors: those of `work` and of the system, as PackError.
 */
export async function withLibrary<Result>(places: Places, signal: AbortSignal, work: () => Result): Promise<Result> {
  return refusing(places.dataFolder, signal, async () => {
    makeFolder(places.dataFolder);
    const held = await hold(places.lock, signal);
    try {
      return work();
    } finally {
      await held.release();
    }
  });
}
