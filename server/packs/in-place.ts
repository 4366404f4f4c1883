/**
 * Pets of other programs, shown from where they lie: one folder each, with `pet.json` and a sheet, as Codex keeps them. Only reads, follows
 * no link below the followed folder, and makes of each the manifest that importing it would have made.
 */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Character } from '../protocol/character.ts';
import { readImageHeader } from './image-header.ts';
import { manifestInPlace } from './import/build.ts';
import { draftOfPet, readPetFile } from './import/codex-pet.ts';
import { readPicture } from './import/picture.ts';
import { shown } from './import/source.ts';
import { readInside } from './inside.ts';
import { PACK_LIMITS } from './limits.ts';
import { exists, listPets, PET_FILES, type PetFolder, type PetFolders } from './pet-folders.ts';
import { refuse, toPackError } from './system-error.ts';
import type { Followed } from './types.ts';

/** What is said of one that says nothing of itself. */
const IN_PLACE = 'A Codex pet, shown from where it lies.';
const { maxManifestBytes, maxImageBytes } = PACK_LIMITS;

/** A pet as it can be shown. */
export interface PetInPlace extends Character {
  /** In its folder, what it is made of: it is the same one as long as these files are. */
  readonly sources: readonly string[];
}

export interface FoundPet extends PetFolder {
  /** The pet, or why it cannot be used: the file and the reason. Never throws. */
  read(): PetInPlace | string;
}

export interface FoundPets extends PetFolders {
  readonly pets: readonly FoundPet[];
}

/** Each folder on the way down to the sheet must be one, and no link to one. */
function assertNoLink(folder: string, path: string): void {
  for (let at = dirname(path); at !== '.'; at = dirname(at))
    if (lstatSync(join(folder, at), { throwIfNoEntry: false })?.isDirectory() !== true)
      throw refuse(`${shown(at)} is not a folder`);
}

function readPet({ folder, id, name }: PetFolder, capabilities: readonly string[]): PetInPlace {
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

/** All pets of the followed folders; none of them has been opened. Never throws. `capabilities`: IDs that a character can have a clip for. */
export function findPets(follows: readonly Followed[], capabilities: readonly string[]): FoundPets {
  const found = listPets(follows);
  const readable = (pet: PetFolder): FoundPet => ({
    ...pet,
    read: () => {
      try {
        return readPet(pet, capabilities);
      } catch (error) {
        return toPackError(error, 'it cannot be read').message;
      }
    },
  });
  return { ...found, pets: found.pets.map(readable) };
}
