/**
 * Pets of other programs, shown from where they lie: one folder each, with `pet.json` and a sheet, as Codex keeps them. Only reads, follows
 * no link below the followed folder, and makes of each the manifest that importing it would have made.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Character } from '../protocol/character.ts';
import { prefixOf } from './followed.ts';
import { readImageHeader } from './image-header.ts';
import { manifestInPlace } from './import/build.ts';
import { draftOfPet, readPetFile } from './import/codex-pet.ts';
import { slugOf } from './import/identity.ts';
import { readPicture } from './import/picture.ts';
import { isLitter, shown } from './import/source.ts';
import { readInside } from './inside.ts';
import { PACK_LIMITS } from './limits.ts';
import { codeOf, refuse, toPackError } from './system-error.ts';
import type { Followed } from './types.ts';

/** Of one folder; each is watched. */
const MAX_PETS = 64;
const MAX_ENTRIES = 4_096;
/** Either says what the pet is; the first one counts. */
const PET_FILES = ['pet.json', 'avatar.json'];
/** By these a folder without either is known to be meant as a pet. */
const SHEETS = ['spritesheet.webp', 'spritesheet.png'];
/** What is said of one that says nothing of itself. */
const IN_PLACE = 'A Codex pet, shown from where it lies.';
const { maxManifestBytes, maxImageBytes } = PACK_LIMITS;

/** The folder's name; one that is no part of an ID as it stands is told apart by its digest, whatever stands beside it. */
function petId(followed: string, folder: string): string {
  const slug = slugOf(folder);
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 6);
  return `${prefixOf(followed)}.${slug === folder ? slug : `${slug}-${digest}`}`;
}

/** A pet as it can be shown. */
export interface PetInPlace extends Character {
  /** In its folder, what it is made of: it is the same one as long as these files are. */
  readonly sources: readonly string[];
}

export interface FoundPet {
  readonly id: string;
  readonly folder: string;
  /** The pet, or why it cannot be used: the file and the reason. Never throws. */
  read(): PetInPlace | string;
}

export interface FoundPets {
  /** By their IDs. */
  readonly pets: readonly FoundPet[];
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
  /** Folders in which a change may mean other pets; `names` null: any. */
  readonly watched: readonly { readonly folder: string; readonly names: readonly string[] | null }[];
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Each folder on the way down to the sheet must be one, and no link to one. */
function assertNoLink(folder: string, path: string): void {
  for (let at = dirname(path); at !== '.'; at = dirname(at))
    if (lstatSync(join(folder, at), { throwIfNoEntry: false })?.isDirectory() !== true)
      throw refuse(`${shown(at)} is not a folder`);
}

function readPet(folder: string, id: string, name: string, capabilities: readonly string[]): PetInPlace {
  const file = PET_FILES.find((each) => exists(join(folder, each))) ?? PET_FILES[0]!;
  const pet = readPetFile(file, readInside(folder, file, maxManifestBytes));
  assertNoLink(folder, pet.sheet);
  const bytes = readInside(folder, pet.sheet, maxImageBytes);
  const picture = readPicture(shown(pet.sheet), bytes);
  // What it is made of is written down by its manifest alone: a digest of the sheet would be good for nothing here.
  const found = draftOfPet(pet, picture, name);
  const draft = { ...found, description: found.description || IN_PLACE, evidence: [pet.bytes] };
  if (readImageHeader(picture.file, bytes, false).isAnimated)
    throw refuse(`${picture.file} is an animated image, a sheet stands still`);
  const manifest = manifestInPlace(draft, { as: id, acceptGuesses: false, capabilities });
  const paths = Object.fromEntries(manifest.images.map((image) => [image.file, pet.sheet]));
  return { manifest, folder, paths, sources: [...PET_FILES, pet.sheet] };
}

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
function watchedOf(folder: string, pets: readonly FoundPet[]): FoundPets['watched'] {
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return [
    { folder, names: null },
    ...(isLink ? [{ folder: dirname(folder), names: [folder.slice(dirname(folder).length + 1)] }] : []),
    ...pets.map((pet) => ({ folder: pet.folder, names: null })),
  ];
}

function findIn({ name, folder }: Followed, capabilities: readonly string[]): FoundPets {
  const no = (reason: string): FoundPets => ({
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
  const pets = found.folders.slice(0, MAX_PETS).map((each): FoundPet => {
    const [id, path] = [petId(name, each), join(folder, each)];
    const read = (): PetInPlace | string => {
      try {
        return readPet(path, id, each, capabilities);
      } catch (error) {
        return toPackError(error, 'it cannot be read').message;
      }
    };
    return { id, folder: path, read };
  });
  const surplus = found.folders.length - pets.length;
  return {
    pets,
    unavailable: [
      ...found.links.map((each) => ({
        id: petId(name, each),
        reason: `${shown(each)} is a link, and links are not followed`,
      })),
      ...(surplus > 0
        ? [
            {
              id: prefixOf(name),
              reason: `${folder} has ${surplus} pets too many; the first ${MAX_PETS} by name are taken`,
            },
          ]
        : []),
    ],
    watched: watchedOf(folder, pets),
  };
}

/** All pets of the followed folders; none of them has been opened. Never throws. `capabilities`: IDs that a character can have a clip for. */
export function findPets(follows: readonly Followed[], capabilities: readonly string[]): FoundPets {
  const found = follows.map((followed) => findIn(followed, capabilities));
  return {
    pets: found.flatMap(({ pets }) => pets).sort((a, b) => (a.id < b.id ? -1 : 1)),
    unavailable: found.flatMap(({ unavailable }) => unavailable),
    watched: found.flatMap(({ watched }) => watched),
  };
}
