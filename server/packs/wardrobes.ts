/** Wardrobes: named sets of packs, a file each, one of them active. */

import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asPackError } from './failure.ts';
import { followName, MAX_FOLLOWED } from './followed.ts';
import { DEFAULT_WARDROBE, readLibraryFile, WARDROBE_NAME, writeLibraryFile } from './library-file.ts';
import { packId, version } from './manifest-shape.ts';
import type { Places } from './places.ts';
import { readJson } from './read-json.ts';
import { dictionary, either, line, list, object, oneOf } from './shape.ts';
import { codeOf } from './system-error.ts';
import { PackError, type Wardrobe } from './types.ts';
import { makeFolder, replaceJson } from './write-file.ts';

const FILE = 'wardrobe.json';
const MAX_FILE_BYTES = 4_194_304;
const MAX_PACKS = 10_000;
/** Names that mean something else to the commands. */
const RESERVED = ['current'];

const wardrobeFile = object(
  {
    packs: dictionary(packId, version, 0, MAX_PACKS),
    current: either(oneOf(null), packId),
  },
  { follows: list(object({ name: followName, folder: line(4_096) }), 0, MAX_FOLLOWED) },
);

type Content = Pick<Wardrobe, 'packs' | 'current' | 'follows'>;

function readWardrobe(name: string, folder: string, isActive: boolean): Wardrobe {
  const { value, reason } = readJson<Partial<Content>>(join(folder, FILE), wardrobeFile, MAX_FILE_BYTES);
  const { packs = {}, current = null, follows = [] } = value ?? {};
  return {
    name,
    folder,
    isActive,
    packs,
    current,
    follows,
    reason: reason === null ? null : `${join(folder, FILE)}: ${reason}`,
  };
}

/** Those of the library's own place: a folder without its file is what a killed process left, and no wardrobe. */
function ownNames(places: Places): readonly string[] {
  try {
    return readdirSync(places.wardrobes).filter(
      (name) => WARDROBE_NAME.test(name) && existsSync(join(places.wardrobes, name, FILE)),
    );
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw asPackError(error, places.wardrobes);
  }
}

/** All of them, active one first and then by name. What is active but gone makes room for the default one. */
export function listWardrobes(places: Places): readonly Wardrobe[] {
  const { active, folders } = readLibraryFile(places);
  const names = [...new Set([DEFAULT_WARDROBE, ...ownNames(places), ...Object.keys(folders)])].sort();
  const chosen = names.includes(active) ? active : DEFAULT_WARDROBE;
  const folderOf = (name: string): string =>
    Object.hasOwn(folders, name) ? folders[name]! : join(places.wardrobes, name);
  return [chosen, ...names.filter((name) => name !== chosen)].map((name) =>
    readWardrobe(name, folderOf(name), name === chosen),
  );
}

/** The active one. */
export const activeWardrobe = (places: Places): Wardrobe => listWardrobes(places)[0]!;

/** Refuses a wardrobe whose file could not be read: nothing may be built on it or written over it. E_INVALID_INPUT. */
export function assertReadable({ reason }: Wardrobe): void {
  if (reason !== null) throw new PackError('E_INVALID_INPUT', reason, 'mend this file, or move it away');
}

/** Writes what a wardrobe holds, with `changes`. The caller holds the library's lock. */
export function writeWardrobe(wardrobe: Wardrobe, changes: Partial<Content>): void {
  assertReadable(wardrobe);
  makeFolder(wardrobe.folder);
  const { packs, current, follows } = { ...wardrobe, ...changes };
  replaceJson(join(wardrobe.folder, FILE), { packs, current, ...(follows.length > 0 && { follows }) });
}

function findWardrobe(places: Places, name: string): Wardrobe {
  const found = listWardrobes(places).find((each) => each.name === name);
  if (found === undefined) throw new PackError('E_NOT_FOUND', `There is no wardrobe ${JSON.stringify(name)}.`);
  return found;
}

/** See Library.createWardrobe. The caller holds the library's lock. */
export function createWardrobe(places: Places, name: string, ownFolder?: string): Wardrobe {
  if (!WARDROBE_NAME.test(name))
    throw new PackError('E_INVALID_INPUT', 'A wardrobe’s name has 1 to 64 letters, digits, - and _.');
  if (RESERVED.includes(name)) throw new PackError('E_INVALID_INPUT', `The name ${name} is reserved.`);
  if (listWardrobes(places).some((each) => each.name === name))
    throw new PackError('E_INVALID_INPUT', `There is a wardrobe ${name} already.`);
  const folder = ownFolder === undefined ? join(places.wardrobes, name) : resolve(ownFolder);
  if (existsSync(join(folder, FILE)))
    throw new PackError('E_INVALID_INPUT', `${folder} holds a wardrobe already.`, 'choose another folder');
  const wardrobe: Wardrobe = { name, folder, isActive: false, packs: {}, current: null, follows: [], reason: null };
  writeWardrobe(wardrobe, {});
  if (ownFolder !== undefined) {
    const library = readLibraryFile(places);
    writeLibraryFile(places, { ...library, folders: { ...library.folders, [name]: folder } });
  }
  return wardrobe;
}

/** See Library.switchWardrobe. The caller holds the library's lock. */
export function switchWardrobe(places: Places, name: string): Wardrobe {
  findWardrobe(places, name);
  writeLibraryFile(places, { ...readLibraryFile(places), active: name });
  return findWardrobe(places, name);
}

/** See Library.removeWardrobe. Packs that no other wardrobe has stay on the disk. The caller holds the library's lock. */
export function removeWardrobe(places: Places, name: string): void {
  const { folder, isActive } = findWardrobe(places, name);
  if (name === DEFAULT_WARDROBE) throw new PackError('E_INVALID_INPUT', 'The default wardrobe cannot be removed.');
  if (isActive)
    throw new PackError('E_INVALID_INPUT', `The wardrobe ${name} is active.`, 'switch to another one first');
  const library = readLibraryFile(places);
  if (Object.hasOwn(library.folders, name)) {
    const folders = Object.fromEntries(Object.entries(library.folders).filter(([each]) => each !== name));
    removeForeign(folder);
    writeLibraryFile(places, { ...library, folders });
  } else rmSync(folder, { recursive: true, force: true });
}

/** The user's own folder: our file goes, and the folder when nothing else is in it. */
function removeForeign(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it, or it is gone.
  }
}

/** See Library.setCurrent. The caller holds the library's lock. */
export function setCurrent(places: Places, character: string): void {
  if (packId(character, '').length > 0) throw new PackError('E_INVALID_INPUT', 'This is not the ID of a character.');
  writeWardrobe(activeWardrobe(places), { current: character });
}
