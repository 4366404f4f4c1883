/** Moves checked packs into the library and into the active wardrobe. */

import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { asPackError } from './failure.ts';
import { readInstalled } from './installed.ts';
import { type Places, packFolder } from './places.ts';
import { codeOf } from './system-error.ts';
import { activeWardrobe, writeWardrobe } from './wardrobes.ts';
import { makeFolder, syncFolder } from './write-file.ts';

/** A checked pack on its way in; `folder` null: it lies in the library already. */
export interface Staged {
  readonly id: string;
  readonly version: string;
  readonly folder: string | null;
}

/**
 * One rename, after which the version is there whole. What lies in its place and can be used stays; what cannot be used is
 * moved to `aside` first. The caller holds the library's lock.
 */
export function publish(places: Places, { id, version, folder }: Staged, aside: string): void {
  const target = packFolder(places, id, version);
  if (folder === null || readInstalled(places, id, version).manifest !== null) return;
  try {
    makeFolder(dirname(target));
    moveAside(target, aside);
    renameSync(folder, target);
    for (const each of [dirname(target), places.packs, places.dataFolder]) syncFolder(each);
  } catch (error) {
    throw asPackError(error, target);
  }
}

/** Takes what is at `path` away in one rename; nothing there is fine. */
export function moveAside(path: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** Gives the active wardrobe the packs it has no version of, and with `use` all of them. The caller holds the library's lock. */
export function wear(places: Places, packs: readonly Pick<Staged, 'id' | 'version'>[], use: boolean): void {
  const wardrobe = activeWardrobe(places);
  const added = packs.filter(({ id }) => use || !Object.hasOwn(wardrobe.packs, id));
  if (added.length === 0) return;
  const entries = added.map(({ id, version }) => [id, version] as const);
  writeWardrobe(wardrobe, { packs: { ...wardrobe.packs, ...Object.fromEntries(entries) } });
}
