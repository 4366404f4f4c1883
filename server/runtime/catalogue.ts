/** What can be done now: the frozen capabilities seen through the characters there are (spec §2, R1, R3). */

import { canDo, resolveClip } from '../characters/resolve.ts';
import type { Character } from '../protocol/character.ts';
import { invalidParams, ProtocolError } from '../protocol/errors.ts';
import type { Settings } from '../protocol/settings.ts';
import { CAPABILITIES, findCapability } from '../registry/catalog.ts';
import { type Contract, toContract } from '../registry/contract.ts';
import type { AnyCapability } from '../registry/define.ts';
import { STYLES } from '../registry/styles.ts';

/** What a create resolved to, as its record keeps it; the clip follows from these when the scene is drawn. */
export interface Resolution {
  readonly resolvedCapability: string;
  readonly resolvedStyle: string;
  readonly resolvedCharacter: string;
  readonly substituteReason: string | null;
}

export interface ResolveRequest {
  readonly capability: AnyCapability;
  readonly character: string | undefined;
  readonly style: string | undefined;
  readonly allowSubstitute: boolean;
}

export interface Catalogue {
  readonly characters: readonly Character[];
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
  /** Throws UNSUPPORTED_CAPABILITY. */
  get(id: string): AnyCapability;
  contract(capability: AnyCapability): Contract;
  /** Reports whether the user's current character can do it, itself or by a declared substitute. */
  isAvailable(capability: AnyCapability, settings: Settings): boolean;
  /** Throws INVALID_PARAMS (unknown character), UNSUPPORTED_CAPABILITY, UNSUPPORTED_STYLE. */
  resolve(request: ResolveRequest, settings: Settings): Resolution;
}

/** An unasked style that does not fit gives way; an asked one only when the caller allows a substitute (spec §2). */
function resolveStyle(
  capability: AnyCapability,
  asked: string | undefined,
  allowSubstitute: boolean,
  preferred: string,
) {
  const wanted = asked ?? preferred;
  const fallback = capability.styles[0]!;
  if (capability.styles.includes(wanted)) return { style: wanted, reason: null };
  if (asked === undefined) return { style: fallback, reason: null };
  const isKnown = STYLES.some(({ id }) => id === asked);
  if (!isKnown || !allowSubstitute) throw new ProtocolError('UNSUPPORTED_STYLE', { styles: capability.styles });
  return { style: fallback, reason: `style ${asked} does not fit ${capability.id}` };
}

export function createCatalogue(
  characters: readonly Character[],
  unavailable: readonly { readonly id: string; readonly reason: string }[],
  maxUnfinishedPerClient: number,
): Catalogue {
  const current = (settings: Settings): Character | undefined =>
    characters.find(({ manifest }) => manifest.id === settings.character) ?? characters[0];

  const resolveCharacter = ({ capability, character, allowSubstitute }: ResolveRequest, settings: Settings) => {
    const characterId = character ?? current(settings)?.manifest.id ?? settings.character;
    if (capability.characters === 'all') {
      if (!characters.some(({ manifest }) => manifest.id === characterId)) throw unknownCharacter();
      return { character: characterId, resolvedCapability: capability.id, reason: null };
    }
    const found = resolveClip(characters, { characterId, capability: capability.id, allowSubstitute });
    if (found.kind === 'unknown_character') throw unknownCharacter();
    if (found.kind === 'unsupported') {
      throw new ProtocolError('UNSUPPORTED_CAPABILITY', { capability: capability.id, character: characterId });
    }
    return {
      character: characterId,
      resolvedCapability: found.resolvedCapability,
      reason: found.substituteReason,
    };
  };

  return {
    characters,
    unavailable,
    get: (id) => {
      const capability = findCapability(id);
      if (capability === undefined) throw new ProtocolError('UNSUPPORTED_CAPABILITY');
      return capability;
    },
    contract: (capability) =>
      toContract(
        capability,
        characters.filter((character) => canDo(character, capability.id) === 'own').map(({ manifest }) => manifest.id),
        maxUnfinishedPerClient,
      ),
    isAvailable: (capability, settings) => {
      const character = current(settings);
      if (character === undefined) return false;
      return capability.characters === 'all' || canDo(character, capability.id) !== 'no';
    },
    resolve: (request, settings) => {
      const { character, resolvedCapability, reason } = resolveCharacter(request, settings);
      const style = resolveStyle(request.capability, request.style, request.allowSubstitute, settings.style);
      const reasons = [reason, style.reason].filter((text) => text !== null);
      return {
        resolvedCapability,
        resolvedStyle: style.style,
        resolvedCharacter: character,
        substituteReason: reasons.length > 0 ? reasons.join('; ') : null,
      };
    },
  };
}

const unknownCharacter = (): ProtocolError => invalidParams('/character', 'known');

/** The capabilities of a character, its own and those by a substitute. */
export const capabilitiesOf = (character: Character): readonly string[] =>
  CAPABILITIES.filter(({ id, characters }) => characters === 'all' || canDo(character, id) === 'own').map(
    ({ id }) => id,
  );
