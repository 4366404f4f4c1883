/** The characters as the files say: those that came with this program, the packs of the active wardrobe, and the pets it follows. Asks no host and needs no key (R9). */
import { dirname, join } from 'node:path';
import type { FoundPet, findPets } from '../../server/packs/in-place.ts';
import { lineUp } from '../../server/packs/line-up.ts';
import type { loadCharacters } from '../../server/packs/load.ts';
import type { InstalledPack, Library } from '../../server/packs/types.ts';
import type { CharacterManifest } from '../../server/protocol/character.ts';
import { resolvePaths } from '../../server/protocol/paths.ts';
import { DEFAULT_CHARACTER } from '../../server/protocol/settings.ts';
import { MAPPED_IDS } from '../../server/registry/catalog.ts';
import type { Io } from '../io.ts';

export interface LocalCharacter {
  readonly manifest: CharacterManifest;
  readonly folder: string;
  readonly builtIn: boolean;
  /** It lies in a followed folder: nothing here installed it, and nothing here removes it. */
  readonly inPlace: boolean;
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
  readonly findPets: typeof findPets;
  readonly openLibrary: (dataFolder: string) => Library;
}

type Read = { readonly member: LocalCharacter; readonly reason: null } | { readonly reason: string };

const readPack = ({ manifest, folder, reason }: InstalledPack): Read =>
  manifest === null
    ? { reason: reason ?? 'cannot be used' }
    : { member: { manifest, folder, builtIn: false, inPlace: false }, reason: null };

function readPet(pet: FoundPet): Read {
  const found = pet.read();
  if (typeof found === 'string') return { reason: found };
  const { manifest, folder } = found;
  return { member: { manifest, folder, builtIn: false, inPlace: true }, reason: null };
}

/** Reads them all by means of `packs`. Errors: PackError when the library cannot be read. */
export function localCharacters(packs: Readers, { env, program }: Pick<Io, 'env' | 'program'>): LocalCharacters {
  const own = packs.loadCharacters(join(dirname(program()[1]), 'overlay', 'characters'));
  const library = packs.openLibrary(resolvePaths(env).dataFolder);
  const wardrobe = library.active();
  const worn = library.installed().filter(({ id, version }) => wardrobe.packs[id] === version);
  const { pets, unavailable } = packs.findPets(wardrobe.follows, MAPPED_IDS);
  const others = lineUp<LocalCharacter>(new Set(own.characters.map(({ manifest }) => manifest.id)), [
    ...worn.map((pack) => ({ id: pack.id, read: () => readPack(pack) })),
    ...pets.map((pet) => ({ id: pet.id, read: () => readPet(pet) })),
  ]);
  const builtIn = own.characters.map((character) => ({ ...character, builtIn: true, inPlace: false }));
  const characters = [...builtIn, ...others.members];
  const there = (id: string | null): boolean => characters.some(({ manifest }) => manifest.id === id);
  const current = there(wardrobe.current) ? wardrobe.current! : DEFAULT_CHARACTER;
  return { library, characters, unavailable: [...own.unavailable, ...others.unavailable, ...unavailable], current };
}
