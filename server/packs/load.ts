/** Reads the character packs of a folder; a broken one is named with its reason and harms no other. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Character } from '../protocol/character.ts';
import { recheckPack } from './read-folder.ts';
import { refuse, toPackError } from './system-error.ts';

export interface Unavailable {
  /** Name of the pack's folder, which is what its ID should have been. */
  readonly id: string;
  readonly reason: string;
}

function loadCharacter(folder: string, id: string): Character {
  const manifest = recheckPack(folder);
  // The page finds a pack by its ID, so the folder must bear it.
  if (manifest.id !== id) throw refuse(`the folder must be named ${manifest.id}, as its ID`);
  return { manifest, folder };
}

function listFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

/**
 * Reads every pack in `folder` (one folder each, named by its ID), in the order of their IDs. Never throws: what cannot
 * be used is in `unavailable` with its reason, and a missing `folder` holds no characters.
 */
export function loadCharacters(folder: string): {
  readonly characters: readonly Character[];
  readonly unavailable: readonly Unavailable[];
} {
  const characters: Character[] = [];
  const unavailable: Unavailable[] = [];
  for (const id of listFolders(folder)) {
    try {
      characters.push(loadCharacter(join(folder, id), id));
    } catch (error) {
      unavailable.push({ id, reason: toPackError(error, 'cannot be read').message });
    }
  }
  return { characters, unavailable };
}
