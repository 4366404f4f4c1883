/** The versions that lie in the library, broken ones with their reason. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asPackError } from './failure.ts';
import { recall, remember, stampOf } from './installed-cache.ts';
import { packId, version as packVersion } from './manifest-shape.ts';
import { type Places, packFolder } from './places.ts';
import { recheckPack } from './read-folder.ts';
import type { Check } from './shape.ts';
import { codeOf } from './system-error.ts';
import type { InstalledPack, Wardrobe } from './types.ts';
import { compareVersions } from './versions.ts';

/** Names of the folders in `folder` that fit; a link is none, as it could lead anywhere. */
function foldersIn(folder: string, name: Check): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && name(entry.name, '').length === 0)
      .map((entry) => entry.name);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw asPackError(error, folder);
  }
}

/** One version as it lies there; never throws. */
export function readInstalled(places: Places, id: string, version: string): InstalledPack {
  const folder = packFolder(places, id, version);
  const broken = (reason: string): InstalledPack => ({ id, version, folder, manifest: null, reason });
  try {
    const manifest = recheckPack(folder);
    if (manifest.id === id && manifest.version === version) return { id, version, folder, manifest, reason: null };
    return broken(`character.json: is of ${manifest.id} ${manifest.version}, but lies in ${id}/${version}`);
  } catch (error) {
    return broken(asPackError(error, folder).message);
  }
}

/** Versions of one pack, oldest first. */
export const installedVersions = (places: Places, id: string): readonly string[] =>
  [...foldersIn(join(places.packs, id), packVersion)].sort(compareVersions);

/**
 * See Library.installed. A pack whose folder and manifest are as they were when it was last read is taken from memory: that a
 * picture in it was written over since is not seen here, only when the pack is read for showing.
 */
export function listInstalled(places: Places): readonly InstalledPack[] {
  const memory = recall(places);
  const read = (id: string, version: string): InstalledPack => {
    const known = memory.get(`${id}/${version}`);
    const folder = packFolder(places, id, version);
    if (known?.stamp === undefined || known.stamp !== stampOf(folder)) return readInstalled(places, id, version);
    return { id, version, folder, manifest: known.manifest, reason: null };
  };
  return [...foldersIn(places.packs, packId)]
    .sort()
    .flatMap((id) => installedVersions(places, id).map((version) => read(id, version)));
}

/** The same, with those of `wardrobe` that do not lie there any more: they can be taken out of it all the same. */
export function listWithMissing(places: Places, { packs }: Pick<Wardrobe, 'packs'>): readonly InstalledPack[] {
  const there = listInstalled(places);
  const known = new Set(there.map(({ id, version }) => `${id}/${version}`));
  const missing = Object.entries(packs).filter(([id, version]) => !known.has(`${id}/${version}`));
  if (missing.length === 0) return there;
  const gone = missing.map(([id, version]) => readInstalled(places, id, version));
  return [...there, ...gone].sort((a, b) =>
    a.id === b.id ? compareVersions(a.version, b.version) : a.id < b.id ? -1 : 1,
  );
}

/** Brings the memory up to date after a change. The caller holds the library's lock. */
export const rememberInstalled = (places: Places): void => remember(places, listInstalled(places));
