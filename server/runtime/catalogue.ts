/** What can be done now: the frozen capabilities, and those packs bring, seen through the characters there are (spec §2, R1, R3). */

import { canDo, catalogDigest, clipStyles, resolveClip } from '../characters/resolve.ts';
import type { Cast, Member } from '../protocol/cast.ts';
import type { Character } from '../protocol/character.ts';
import { invalidParams, ProtocolError } from '../protocol/errors.ts';
import { DEFAULT_CHARACTER, type Settings } from '../protocol/settings.ts';
import { defineAnimation } from '../registry/capabilities/animation.ts';
import { CAPABILITIES, findCapability } from '../registry/catalog.ts';
import { type Contract, toContract } from '../registry/contract.ts';
import type { AnyCapability } from '../registry/define.ts';
import { packCapabilities } from '../registry/pack-capabilities.ts';
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
  /** As it is now; another one after each `replace`. */
  cast(): Cast;
  /** Takes the place of what was known before. */
  replace(cast: Cast): void;
  find(character: string): Member | undefined;
  /** The character on the screen: the chosen one, else the default one, else any; undefined: there is none. */
  current(): Member | undefined;
  /** The frozen ones, then those that characters declare. */
  capabilities(): readonly AnyCapability[];
  /** Throws UNSUPPORTED_CAPABILITY. */
  get(id: string): AnyCapability;
  /** For a request that has been accepted: also what only a pack had that has gone since. */
  recall(id: string): AnyCapability;
  contract(capability: AnyCapability): Contract;
  /** Reports whether the user's current character can do it, itself or by a declared substitute. */
  isAvailable(capability: AnyCapability): boolean;
  /** Styles of `capability` that `character` fits, best first; never empty. */
  stylesOf(capability: AnyCapability, character: Character | undefined): readonly string[];
  /** The capabilities of a character, its own and those all have, without those by a substitute. */
  capabilitiesOf(character: Character): readonly string[];
  /** Throws INVALID_PARAMS (unknown character), UNSUPPORTED_CAPABILITY, UNSUPPORTED_STYLE. */
  resolve(request: ResolveRequest, settings: Settings): Resolution;
  /** Differs whenever what can be done differs. */
  digest(): string;
}

const KNOWN_STYLES: readonly string[] = STYLES.map(({ id }) => id);

/** The styles that a character fits, in our order; one that names none we know is drawn like all others. */
export function fittingStyles({ manifest }: Character): readonly string[] {
  const fitting = KNOWN_STYLES.filter((style) => manifest.styles?.includes(style) ?? true);
  return fitting.length > 0 ? fitting : KNOWN_STYLES;
}

/** An unasked style that does not fit gives way; an asked one only when the caller allows a substitute (spec §2). */
function resolveStyle(
  capability: AnyCapability,
  styles: readonly string[],
  { style: asked, allowSubstitute }: ResolveRequest,
  preferred: string,
) {
  const wanted = asked ?? preferred;
  const fallback = styles[0]!;
  if (styles.includes(wanted)) return { style: wanted, reason: null };
  if (asked === undefined) return { style: fallback, reason: null };
  if (!KNOWN_STYLES.includes(asked) || !allowSubstitute) throw new ProtocolError('UNSUPPORTED_STYLE', { styles });
  const isCharacters = capability.styles.includes(asked);
  return { style: fallback, reason: `style ${asked} does not fit ${isCharacters ? 'the character' : capability.id}` };
}

const unknownCharacter = (): ProtocolError => invalidParams('/character', 'known');

export function createCatalogue(first: Cast, maxUnfinishedPerClient: number): Catalogue {
  let cast = first;
  let brought: readonly AnyCapability[] = [];
  /** Everything that packs have brought since the start: requests outlive them. */
  const remembered = new Map<string, AnyCapability>();

  const replace = (next: Cast): void => {
    cast = next;
    brought = packCapabilities(cast.members);
    for (const capability of brought) remembered.set(capability.id, capability);
  };
  replace(first);

  const find = (id: string): Member | undefined => cast.members.find(({ manifest }) => manifest.id === id);
  const current = (): Member | undefined =>
    (cast.chosen === null ? undefined : find(cast.chosen)) ?? find(DEFAULT_CHARACTER) ?? cast.members[0];
  const capabilities = (): readonly AnyCapability[] => [...CAPABILITIES, ...brought];

  const stylesOf: Catalogue['stylesOf'] = (capability, character) => {
    if (character === undefined) return capability.styles;
    const fitting = fittingStyles(character);
    const drawn = [...capability.styles, ...clipStyles(character, capability.id)];
    const both = fitting.filter((style) => drawn.includes(style));
    return both.length > 0 ? both : capability.styles;
  };

  /** Who shows it, and by which capability. */
  const resolveCharacter = ({ capability, character, allowSubstitute }: ResolveRequest) => {
    const member = character === undefined ? current() : find(character);
    if (member === undefined) throw unknownCharacter();
    if (capability.characters === 'all') return { member, resolvedCapability: capability.id, reason: null };
    const characterId = member.manifest.id;
    const found = resolveClip([member], { characterId, capability: capability.id, allowSubstitute });
    if (found.kind !== 'clip') {
      throw new ProtocolError('UNSUPPORTED_CAPABILITY', { capability: capability.id, character: characterId });
    }
    return { member, resolvedCapability: found.resolvedCapability, reason: found.substituteReason };
  };

  // Nothing but an animation can have come with a pack.
  const recall = (id: string): AnyCapability => findCapability(id) ?? remembered.get(id) ?? defineAnimation(id, '');
  const get = (id: string): AnyCapability => {
    const capability = findCapability(id) ?? brought.find((each) => each.id === id);
    if (capability === undefined) throw new ProtocolError('UNSUPPORTED_CAPABILITY');
    return capability;
  };

  return {
    cast: () => cast,
    replace,
    find,
    current,
    capabilities,
    get,
    recall,
    contract: (capability) =>
      toContract(capability, {
        able: cast.members
          .filter((character) => canDo(character, capability.id) === 'own')
          .map(({ manifest }) => manifest.id),
        styles: stylesOf(capability, current()),
        maxUnfinishedPerClient,
      }),
    isAvailable: (capability) => {
      const character = current();
      if (character === undefined) return false;
      return capability.characters === 'all' || canDo(character, capability.id) !== 'no';
    },
    stylesOf,
    capabilitiesOf: (character) =>
      capabilities()
        .filter(({ id, characters }) => characters === 'all' || canDo(character, id) === 'own')
        .map(({ id }) => id),
    resolve: (request, settings) => {
      const { member, resolvedCapability, reason } = resolveCharacter(request);
      const style = resolveStyle(
        request.capability,
        stylesOf(recall(resolvedCapability), member),
        request,
        settings.style,
      );
      const reasons = [reason, style.reason].filter((text) => text !== null);
      return {
        resolvedCapability,
        resolvedStyle: style.style,
        resolvedCharacter: member.manifest.id,
        // Of two the first may be a sentence of the pack's.
        substituteReason: reasons.length > 0 ? reasons.join('; ').replace(/[.。]; /, '; ') : null,
      };
    },
    digest: () =>
      [
        catalogDigest(cast.members),
        current()?.manifest.id ?? '',
        ...cast.unavailable.map(({ id, reason }) => JSON.stringify([id, reason])),
        ...CAPABILITIES.map(({ id, version }) => `${id}@${version}`),
      ].join(' '),
  };
}
