/** The characters as the files say: those that came with this program and the packs of the active wardrobe. Asks no host and needs no key (R9). */
import { dirname, join } from 'node:path';
import type { loadCharacters } from '../../server/packs/load.ts';
import type { Library } from '../../server/packs/types.ts';
import type { CharacterManifest } from '../../server/protocol/character.ts';
import { resolvePaths } from '../../server/protocol/paths.ts';
import { DEFAULT_CHARACTER } from '../../server/protocol/settings.ts';
import type { Io } from '../io.ts';

export interface LocalCharacter {
  readonly manifest: CharacterManifest;
  readonly folder: string;
  readonly builtIn: boolean;
}

export interface LocalCharacters {
  readonly library: Library;
  readonly characters: readonly LocalCharacter[];
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
  /** The one on the screen, or that will be: what was chosen, else the default one. */
  readonly current: string;
}

/** The part of the code for packs that this needs; it lies in a bundle of its own. */
export interface Readers {
  readonly loadCharacters: typeof loadCharacters;
  readonly openLibrary: (dataFolder: string) => Library;
}

/** Reads them all by means of `packs`. Errors: PackError when the library cannot be read. */
export function localCharacters(packs: Readers, { env, program }: Pick<Io, 'env' | 'program'>): LocalCharacters {
  const own = packs.loadCharacters(join(dirname(program()[1]), 'overlay', 'characters'));
  const builtIn = own.characters.map((character) => ({ ...character, builtIn: true }));
  const library = packs.openLibrary(resolvePaths(env).dataFolder);
  const wardrobe = library.active();
  const worn = library.installed().filter(({ id, version }) => wardrobe.packs[id] === version);
  const taken = new Set(builtIn.map(({ manifest }) => manifest.id));
  const characters = [
    ...builtIn,
    ...worn.flatMap(({ id, manifest, folder }) =>
      manifest === null || taken.has(id) ? [] : [{ manifest, folder, builtIn: false }],
    ),
  ];
  const broken = worn.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }]));
  const there = (id: string | null): boolean => characters.some(({ manifest }) => manifest.id === id);
  const current = there(wardrobe.current) ? wardrobe.current! : DEFAULT_CHARACTER;
  return { library, characters, unavailable: [...own.unavailable, ...broken], current };
}
