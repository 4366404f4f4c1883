/** The library of packs as the running host asks it: only for what the active wardrobe holds. */
import { basename, dirname } from 'node:path';
import type { PackSource } from './live-packs.ts';
import { findPets } from './packs/in-place.ts';
import { readInstalled } from './packs/installed.ts';
import { openLibrary } from './packs/library.ts';
import { packFolder, placesOf } from './packs/places.ts';
import { activeWardrobe } from './packs/wardrobes.ts';
import { MAPPED_IDS } from './registry/catalog.ts';

/** Over the library in `dataFolder`, which need not exist yet. */
export function openPackSource(dataFolder: string): PackSource {
  const places = placesOf(dataFolder);
  const { libraryFile, wardrobes, packs } = places;
  const library = openLibrary(dataFolder);
  return {
    place: { folder: dirname(libraryFile), names: [libraryFile, wardrobes, packs].map((path) => basename(path)) },
    active: () => activeWardrobe(places),
    folderOf: (id, version) => packFolder(places, id, version),
    read: (id, version) => readInstalled(places, id, version),
    petsOf: (follows) => findPets(follows, MAPPED_IDS),
    setCurrent: library.setCurrent,
  };
}
