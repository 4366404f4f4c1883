/** Which pets there are in followed folders, each a folder of its own; none of them is opened. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prefixOf } from './followed.ts';
import { slugOf } from './import/identity.ts';
import { isLitter, shown } from './import/source.ts';
import { codeOf, toPackError } from './system-error.ts';
import type { Followed } from './types.ts';

/** Of one folder; each is watched. */
const MAX_PETS = 64;
const MAX_ENTRIES = 4_096;
/** Either says what the pet is; the first one counts. */
export const PET_FILES = ['pet.json', 'avatar.json'];
/** By these a folder without either is known to be meant as a pet. */
const SHEETS = ['spritesheet.webp', 'spritesheet.png'];

export interface PetFolder {
  /** Of the character it is. */
  readonly id: string;
  readonly folder: string;
  /** The folder's own name. */
  readonly name: string;
}

export interface PetFolders {
  /** By their IDs. */
  readonly pets: readonly PetFolder[];
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
  /** Folders in which a change may mean other pets; `names` null: any. */
  readonly watched: readonly { readonly folder: string; readonly names: readonly string[] | null }[];
}

/** The folder's name; one that is no part of an ID as it stands is told apart by its digest, whatever stands beside it. */
function petId(followed: string, folder: string): string {
  const slug = slugOf(folder);
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 6);
  return `${prefixOf(followed)}.${slug === folder ? slug : `${slug}-${digest}`}`;
}

export const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Names of what may be pets in `folder`. Throws the system's errors. */
function listFolder(folder: string): { readonly folders: readonly string[]; readonly links: readonly string[] } {
  const entries = readdirSync(folder, { withFileTypes: true })
    .slice(0, MAX_ENTRIES)
    .filter(({ name }) => !name.startsWith('.') && !isLitter(name));
  const isPet = (name: string): boolean => [...PET_FILES, ...SHEETS].some((file) => exists(join(folder, name, file)));
  const isFolder = (name: string): boolean =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true;
  return {
    folders: entries
      .filter((entry) => entry.isDirectory() && isPet(entry.name))
      .map(({ name }) => name)
      .sort(),
    links: entries
      .filter((entry) => entry.isSymbolicLink() && isFolder(entry.name))
      .map(({ name }) => name)
      .sort(),
  };
}

/** A followed folder that is a link may be turned to another one. */
function watchedOf(folder: string, pets: readonly PetFolder[]): PetFolders['watched'] {
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return [
    { folder, names: null },
    ...(isLink ? [{ folder: dirname(folder), names: [folder.slice(dirname(folder).length + 1)] }] : []),
    ...pets.map((pet) => ({ folder: pet.folder, names: null })),
  ];
}

function listIn({ name, folder }: Followed): PetFolders {
  const no = (reason: string): PetFolders => ({
    pets: [],
    unavailable: [{ id: prefixOf(name), reason }],
    watched: watchedOf(folder, []),
  });
  let found: ReturnType<typeof listFolder>;
  try {
    found = listFolder(folder);
  } catch (error) {
    const code = codeOf(error);
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    return no(isMissing ? `${folder} is not there` : toPackError(error, `${folder} cannot be read`).message);
  }
  const taken = found.folders.slice(0, MAX_PETS);
  const pets = taken.map((each) => ({ id: petId(name, each), folder: join(folder, each), name: each }));
  const surplus = found.folders.length - taken.length;
  const tooMany = `${folder} has ${surplus} pets too many; the first ${MAX_PETS} by name are taken`;
  return {
    pets,
    unavailable: [
      ...found.links.map((each) => ({
        id: petId(name, each),
        reason: `${shown(each)} is a link, and links are not followed`,
      })),
      ...(surplus > 0 ? [{ id: prefixOf(name), reason: tooMany }] : []),
    ],
    watched: watchedOf(folder, pets),
  };
}

/** All pets of the followed folders; none of them has been opened. Never throws. */
export function listPets(follows: readonly Followed[]): PetFolders {
  const found = follows.map(listIn);
  return {
    pets: found.flatMap(({ pets }) => pets).sort((a, b) => (a.id < b.id ? -1 : 1)),
    unavailable: found.flatMap(({ unavailable }) => unavailable),
    watched: found.flatMap(({ watched }) => watched),
  };
}
