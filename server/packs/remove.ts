/** Takes versions out of wardrobes and off the disk, and tells who needs them. */
import { existsSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asPackError } from './failure.ts';
import { readInstalled, rememberInstalled } from './installed.ts';
import { forget } from './installed-cache.ts';
import { withJob } from './job.ts';
import { withLibrary } from './lock.ts';
import { type Places, packFolder } from './places.ts';
import { moveAside } from './publish.ts';
import { type InstalledPack, PackError, type Wardrobe } from './types.ts';
import { splitVersion } from './versions.ts';
import { activeWardrobe, listWardrobes, writeWardrobe } from './wardrobes.ts';
import { syncFolder } from './write-file.ts';

/** See Library.requiredBy. */
export function requiredBy(places: Places, id: string): readonly InstalledPack[] {
  return Object.entries(activeWardrobe(places).packs)
    .map(([each, version]) => readInstalled(places, each, version))
    .filter(({ manifest }) => manifest?.requires?.some((required) => splitVersion(required).name === id) ?? false);
}

const wears = ({ packs }: Wardrobe, id: string, version: string): boolean =>
  Object.hasOwn(packs, id) && packs[id] === version;

/** Takes it out of `wardrobe`; if it was the character on the screen, none is chosen any more. */
function takeOff(wardrobe: Wardrobe, id: string): void {
  const packs = Object.fromEntries(Object.entries(wardrobe.packs).filter(([each]) => each !== id));
  writeWardrobe(wardrobe, { packs, ...(wardrobe.current === id && { current: null }) });
}

/** Wardrobes other than the active one that have this version; one that cannot be read may have it, so nothing is thrown away. */
function othersWith(wardrobes: readonly Wardrobe[], id: string, version: string): readonly Wardrobe[] {
  return wardrobes.filter((each) => !each.isActive && (each.reason !== null || wears(each, id, version)));
}

const isDiskFull = (error: unknown): boolean => asPackError(error, '').code === 'E_DISK_FULL';

/** Does `step`; when the disk is full it does the next of `rooms`, which make room, and tries again. Throws what the last try did. */
function withRoom(step: () => void, rooms: readonly (() => void)[]): void {
  try {
    step();
  } catch (error) {
    const [makeRoom, ...others] = rooms;
    if (makeRoom === undefined || !isDiskFull(error)) throw error;
    makeRoom();
    withRoom(step, others);
  }
}

/** The caller holds the library's lock; `aside` is on the file system of the packs and is removed by the caller. */
function removeVersion(places: Places, id: string, version: string, aside: string): void {
  const folder = packFolder(places, id, version);
  const wardrobes = listWardrobes(places);
  const active = wardrobes[0]!;
  const others = othersWith(wardrobes, id, version);
  if (!wears(active, id, version) && (others.length > 0 || !existsSync(folder)))
    throw new PackError('E_NOT_FOUND', `${id} ${version} is not in the wardrobe ${active.name}.`);
  const dropFiles = (): void => {
    moveAside(folder, aside);
    rmSync(aside, { recursive: true, force: true });
  };
  if (wears(active, id, version))
    withRoom(() => takeOff(active, id), [() => forget(places), ...(others.length > 0 ? [] : [dropFiles])]);
  if (others.length > 0) return;
  dropFiles();
  dropEmpty(dirname(folder));
  syncFolder(existsSync(dirname(folder)) ? dirname(folder) : places.packs);
  rememberInstalled(places);
}

/**
 * See Library.remove. First out of the active wardrobe, then, if no other wardrobe has it, off the disk in one rename: a kill
 * between the two leaves a version that no wardrobe has, and removing it again finishes. On a full disk the files may have to go
 * first, to make room for the wardrobe's own; then a kill leaves a version that is missing, and removing it again finishes as well.
 */
export async function removePack(places: Places, id: string, version: string, signal: AbortSignal): Promise<void> {
  const remove = (): Promise<void> =>
    withJob(places, [], signal, (job) =>
      withLibrary(places, job.signal, () => removeVersion(places, id, version, join(job.folder, 'removed'))),
    );
  try {
    await remove();
  } catch (error) {
    // Not even the locks may have found room; what is remembered is only a help.
    if (!isDiskFull(error) || !forget(places)) throw error;
    await remove();
  }
}

/** The pack's own folder goes with its last version. */
function dropEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Other versions are in it.
  }
}
