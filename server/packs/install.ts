/** Installs a plan: all of it is brought here, checked and laid ready first; then each pack becomes part of the library in one rename. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { download } from './download.ts';
import { createDownloads, type Downloads } from './downloads.ts';
import { asPackError, assertGoing } from './failure.ts';
import { readInstalled, rememberInstalled } from './installed.ts';
import { type Job, partPath, withJob } from './job.ts';
import { readLibraryFile } from './library-file.ts';
import { withLibrary } from './lock.ts';
import { assertFreeId } from './own-ids.ts';
import type { Places } from './places.ts';
import { publish, type Staged, wear } from './publish.ts';
import { readPack } from './read-folder.ts';
import { unpackZip } from './read-zip.ts';
import { locate } from './source.ts';

import { type InstallPlan, type OfferedPack, PackError, type Steering, toCoordinate } from './types.ts';
import { unpackWanted } from './unpack-offer.ts';
import { fitsVersion, splitVersion } from './versions.ts';
import { activeWardrobe, assertReadable } from './wardrobes.ts';

const coordinateOf = ({ id, version }: Pick<OfferedPack, 'id' | 'version'>): string => toCoordinate(id, version);

const isThere = (places: Places, { id, version }: OfferedPack): boolean =>
  readInstalled(places, id, version).manifest !== null;

function urlOf(places: Places, offer: OfferedPack): string {
  const index = readLibraryFile(places).indexes.find(({ name }) => name === offer.index);
  if (index === undefined)
    throw new PackError('E_NOT_FOUND', `${coordinateOf(offer)}: its index ${offer.index} is gone.`);
  return index.url;
}

/** The pack must be the one that was offered: what was planned, and shown to the user, came from the index. */
function assertSame(offer: OfferedPack, folder: string): void {
  const { id, version, requires = [] } = readPack(folder);
  const refuse = (what: string): never => {
    throw new PackError('E_INVALID_INPUT', `${offer.file}: ${what}`);
  };
  if (id !== offer.id || version !== offer.version)
    refuse(`holds ${id} ${version}, the index says ${offer.id} ${offer.version}`);
  if ([...requires].sort().join() !== [...offer.requires].sort().join())
    refuse('requires other packs than the index says');
}

/** Brings one pack here and lays it ready in the job's folder. */
async function stage(
  places: Places,
  offer: OfferedPack,
  job: Job,
  unpaused: () => Promise<void>,
  downloads: Downloads,
): Promise<Staged> {
  const { id, version, size, sha256 } = offer;
  assertFreeId(id);
  const name = coordinateOf(offer);
  if (isThere(places, offer)) {
    downloads.finish(name, true);
    return { id, version, folder: null };
  }
  const part = partPath(places, sha256);
  const folder = join(job.folder, `${id}@${version}`);
  mkdirSync(folder, { mode: 0o700 });
  const steps = { signal: job.signal, unpaused, onBytes: (bytes: number): void => downloads.move(name, bytes) };
  let isHere = false;
  try {
    const location = locate(urlOf(places, offer), offer.file);
    isHere = location.kind === 'path';
    if (location.kind === 'path') await unpackWanted(location.path, { size, sha256 }, folder, steps);
    else await download({ location, size, sha256 }, part, steps);
    downloads.finish(name, true);
  } catch (error) {
    downloads.finish(name, false);
    throw error;
  }
  if (!isHere) await unpackZip(part, folder, job.signal);
  assertSame(offer, folder);
  assertGoing(job.signal);
  return { id, version, folder };
}

/** Why this pack cannot go in: something it requires is among those that failed. */
function lacking(offer: OfferedPack, failed: readonly OfferedPack[]): PackError | null {
  const missing = offer.requires.map(splitVersion).find(({ name, wanted }) => {
    return failed.some(({ id, version }) => id === name && fitsVersion(version, wanted));
  });
  if (missing === undefined) return null;
  return new PackError(
    'E_NOT_FOUND',
    `${coordinateOf(offer)}: requires ${missing.name}, which could not be installed.`,
  );
}

interface Ready {
  readonly offer: OfferedPack;
  readonly staged: Staged;
}

/** The short step in which packs become part of the library; returns those that did. The caller holds the library's lock. */
function takeIn(
  places: Places,
  ready: readonly Ready[],
  use: boolean,
  jobFolder: string,
  fail: (offer: OfferedPack, error: PackError) => void,
): readonly Ready[] {
  const taken = ready.filter(({ offer, staged }) => {
    try {
      publish(places, staged, join(jobFolder, `${staged.id}@${staged.version}.old`));
      return true;
    } catch (error) {
      fail(offer, asPackError(error, places.packs));
      return false;
    }
  });
  wear(
    places,
    taken.map(({ staged }) => staged),
    use,
  );
  rememberInstalled(places);
  return taken;
}

/** Parts are kept for another try only where that may help. */
const isWorthKeeping = (error: PackError): boolean => error.code === 'E_NETWORK';

/** See Library.install. */
export async function installPlan(
  places: Places,
  plan: InstallPlan,
  { use }: { readonly use: boolean },
  steering: Steering,
): Promise<readonly { readonly id: string; readonly version: string }[]> {
  assertReadable(activeWardrobe(places));
  const needed = plan.packs.filter((offer) => !isThere(places, offer)).map(({ sha256 }) => sha256);
  const dropPart = ({ sha256 }: OfferedPack): void => {
    if (needed.includes(sha256)) rmSync(partPath(places, sha256), { force: true });
  };
  return withJob(places, needed, steering.signal, async (job) => {
    const downloads = createDownloads(plan.packs, steering.onDownloads);
    const failed: OfferedPack[] = [];
    const ready: Ready[] = [];
    const fail = (offer: OfferedPack, error: PackError): void => {
      failed.push(offer);
      steering.onPack(coordinateOf(offer), error);
    };
    try {
      for (const offer of plan.packs) {
        try {
          await steering.unpaused();
          assertGoing(job.signal);
          const lack = lacking(offer, failed);
          if (lack !== null) throw lack;
          ready.push({ offer, staged: await stage(places, offer, job, steering.unpaused, downloads) });
        } catch (error) {
          assertGoing(job.signal);
          const refusal = asPackError(error, offer.file);
          if (!isWorthKeeping(refusal)) dropPart(offer);
          fail(offer, refusal);
        }
      }
      const installed = await withLibrary(places, job.signal, () => {
        // Before and not after: who is killed in between downloads once more, instead of leaving what nobody will ask for.
        for (const { offer } of ready) dropPart(offer);
        return takeIn(places, ready, use, job.folder, fail);
      });
      for (const { offer } of installed) steering.onPack(coordinateOf(offer), null);
      return installed.map(({ offer: { id, version } }) => ({ id, version }));
    } catch (error) {
      // Cancelled, or the library cannot be written: nothing was begun that would be gone on with.
      for (const offer of plan.packs) dropPart(offer);
      throw asPackError(error, places.dataFolder);
    }
  });
}
