/** The local characters for a command: reads them by the code for packs, and finds one among them, or says why not. */
import { usageError } from '../companion-error.ts';
import type { Io } from '../io.ts';
import { loadPacks } from './load.ts';
import { toRefusal } from './refusal.ts';
import { type LocalCharacter, type LocalCharacters, localCharacters } from './worn.ts';

/** Reads them all. Errors: INVALID_PARAMS, REFUSED when the library cannot be read. */
export async function readLocalCharacters(io: Io): Promise<LocalCharacters> {
  const packs = await loadPacks();
  try {
    return localCharacters(packs, io);
  } catch (error) {
    throw toRefusal(error);
  }
}

/** The character of that ID. Error: INVALID_PARAMS, which says why it cannot be used, or which there are. */
export function findLocal({ characters, unavailable }: LocalCharacters, id: string): LocalCharacter {
  const found = characters.find(({ manifest }) => manifest.id === id);
  if (found !== undefined) return found;
  const broken = unavailable.find((each) => each.id === id);
  if (broken !== undefined) throw usageError(`This character cannot be used: ${broken.reason}.`);
  throw usageError(
    `There is no such character. There are: ${characters.map(({ manifest }) => manifest.id).join(', ')}.`,
  );
}
