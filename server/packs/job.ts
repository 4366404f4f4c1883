/** A folder for one writer's unfinished work, and the sweeping of what killed ones left. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refusing } from './failure.ts';
import { type Held, hold, tryHold } from './lock.ts';
import type { Places } from './places.ts';
import { makeFolder } from './write-file.ts';

const PART = '.part';
/** What came of a file is kept this long for a run that goes on with it. */
const PART_LIFETIME_MS = 86_400_000;

export interface Job {
  /** Empty folder of this job's own, on the file system of the packs. */
  readonly folder: string;
  /** Aborts with the caller's signal, and when the job's locks were taken over. */
  readonly signal: AbortSignal;
}

/** Where the file with this SHA-256 grows; every process finds what another left. */
export const partPath = (places: Places, sha256: string): string => join(places.tmp, `${sha256}${PART}`);

/** True when nobody will want it any more, provided that nobody holds it. */
function isLitter(path: string, now: number): boolean {
  if (!path.endsWith(PART)) return true;
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs < now - PART_LIFETIME_MS;
}

/** Removes from `tmp/` whatever has no living holder, locks of killed processes too. */
export async function sweep(places: Places, now = Date.now()): Promise<void> {
  const names = new Set(readdirSync(places.tmp).map((name) => name.replace(/\.lock$/, '')));
  for (const name of names) {
    const path = join(places.tmp, name);
    const held = await tryHold(path);
    if (held === null) continue;
    try {
      if (isLitter(path, now)) rmSync(path, { recursive: true, force: true });
    } finally {
      await held.release();
    }
  }
}

/**
 * Runs `work` with a folder of its own, and alone with each file of `sha256s` that is on its way. Afterwards the folder is
 * gone, however `work` ended. E_CANCELLED while waiting for another process; whatever
 * `work` or the system throws comes out as a PackError.
 */
export async function withJob<Result>(
  places: Places,
  sha256s: readonly string[],
  signal: AbortSignal,
  work: (job: Job) => Promise<Result>,
): Promise<Result> {
  return refusing(places.tmp, signal, async () => {
    makeFolder(places.tmp);
    await sweep(places);
    const folder = join(places.tmp, `job-${randomUUID()}`);
    const held: Held[] = [];
    try {
      // Always in the same order: two jobs that want the same files never wait for each other.
      for (const path of [...[...new Set(sha256s)].sort().map((sha256) => partPath(places, sha256)), folder])
        held.push(await hold(path, signal));
      mkdirSync(folder, { mode: 0o700 });
      return await work({ folder, signal: AbortSignal.any([signal, ...held.map(({ lost }) => lost)]) });
    } finally {
      rmSync(folder, { recursive: true, force: true });
      for (const each of held) await each.release();
    }
  });
}
