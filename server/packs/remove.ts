/** Takes versions out of wardrobes and off the disk, and tells who needs them. */
import { existsSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readInstalled, rememberInstalled } from './installed.ts';
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

/**
 * See Library.remove. First out of the active wardrobe, then, if no other wardrobe has it, off the disk in one rename: a kill
 * between the two leaves a version that no wardrobe has, and removing it again finishes.
 */
export async function removePack(places: Places, id: string, version: string, signal: AbortSignal): Promise<void> {
  const folder = packFolder(places, id, version);
  await withJob(places, [], signal, (job) =>
    withLibrary(places, job.signal, () => {
      const wardrobes = listWardrobes(places);
      const active = wardrobes[0]!;
      const others = othersWith(wardrobes, id, version);
      if (!wears(active, id, version) && (others.length > 0 || !existsSync(folder)))
        throw new PackError('E_NOT_FOUND', `${id} ${version} is not in the wardrobe ${active.name}.`);
      if (wears(active, id, version)) takeOff(active, id);
      if (others.length > 0) return;
      moveAside(folder, join(job.folder, 'removed'));
      syncFolder(dirname(folder));
      dropEmpty(dirname(folder));
      rememberInstalled(places);
    }),
  );
}

/** The pack's own folder goes with its last version. */
function dropEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Other versions are in it.
  }
}
