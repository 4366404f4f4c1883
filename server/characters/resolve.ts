/** Finds the clip a character shows for a capability, and records it when that is only a substitute (spec §2). */
import { createHash } from 'node:crypto';
import { type Character, type CharacterManifest, IDLE_CLIP } from '../protocol/character.ts';

const ENTER_CLIP = 'enter';
const DRAG_CLIP = 'drag';

export type Resolution =
  | {
      readonly kind: 'clip';
      readonly character: string;
      readonly clip: string;
      /** The capability that is really shown; another than asked for when `substituteReason` says why. */
      readonly resolvedCapability: string;
      readonly substituteReason: string | null;
    }
  | { readonly kind: 'unknown_character' }
  | { readonly kind: 'unsupported' };

/** The clip the character itself has for `capability`; a guessed one is none until the user has confirmed it. */
function ownClip({ manifest }: Character, capability: string): string | null {
  if (!Object.hasOwn(manifest.capabilities, capability)) return null;
  const entry = manifest.capabilities[capability];
  return entry === undefined || entry.basis === 'guessed' ? null : entry.clip;
}

/** The declared stand-in for `capability` and its clip; never a stand-in of a stand-in. */
function substitute(character: Character, capability: string) {
  if (!Object.hasOwn(character.manifest.substitutes, capability)) return null;
  const entry = character.manifest.substitutes[capability];
  const clip = entry === undefined ? null : ownClip(character, entry.capability);
  return entry === undefined || clip === null ? null : { ...entry, clip };
}

/**
 * The clip of `characterId` for `capability`. A substitute is taken only when the caller allows it, and then
 * `resolvedCapability` and `substituteReason` tell of it.
 */
export function resolveClip(
  characters: readonly Character[],
  asked: { readonly characterId: string; readonly capability: string; readonly allowSubstitute: boolean },
): Resolution {
  const { characterId, capability, allowSubstitute } = asked;
  const character = characters.find(({ manifest }) => manifest.id === characterId);
  if (character === undefined) return { kind: 'unknown_character' };
  const base = { kind: 'clip', character: characterId } as const;
  const clip = ownClip(character, capability);
  if (clip !== null) return { ...base, clip, resolvedCapability: capability, substituteReason: null };
  const other = allowSubstitute ? substitute(character, capability) : null;
  if (other === null) return { kind: 'unsupported' };
  return { ...base, clip: other.clip, resolvedCapability: other.capability, substituteReason: other.reason };
}

/** Whether the character can show `capability` itself, by a declared substitute, or not at all. */
export function canDo(character: Character, capability: string): 'own' | 'substitute' | 'no' {
  if (ownClip(character, capability) !== null) return 'own';
  return substitute(character, capability) === null ? 'no' : 'substitute';
}

/** The clip a request shows: that of `capability`, or the one the character has for it in that style; null: it has none. */
export function clipFor(character: Character, capability: string, style: string): string | null {
  const { styles = {} } = ownClip(character, capability) === null ? {} : character.manifest.capabilities[capability]!;
  return Object.hasOwn(styles, style) ? styles[style]! : ownClip(character, capability);
}

/** IDs of the styles in which the character has a clip of its own for `capability`. */
export const clipStyles = (character: Character, capability: string): readonly string[] =>
  ownClip(character, capability) === null ? [] : Object.keys(character.manifest.capabilities[capability]?.styles ?? {});

/** Clip names for what the host plays of itself; `greet` and `drag` are null when the character has nothing for them. */
export interface MoodClips {
  readonly idle: string;
  readonly work: string;
  readonly wait: string;
  readonly fail: string;
  readonly greet: string | null;
  readonly drag: string | null;
}

/**
 * The clips of the host's own moods. Takes the IDs of the capabilities they lean on; a mood the character has no clip
 * for is its idle. The greeting at start is the clip `enter` where there is one.
 */
export function moodClips(
  character: Character,
  ids: { readonly work: string; readonly wait: string; readonly fail: string; readonly greet: string },
): MoodClips {
  const named = (clip: string): string | null => (Object.hasOwn(character.manifest.clips, clip) ? clip : null);
  return {
    idle: IDLE_CLIP,
    work: ownClip(character, ids.work) ?? IDLE_CLIP,
    wait: ownClip(character, ids.wait) ?? IDLE_CLIP,
    fail: ownClip(character, ids.fail) ?? IDLE_CLIP,
    greet: named(ENTER_CLIP) ?? ownClip(character, ids.greet),
    drag: named(DRAG_CLIP),
  };
}

const digests = new WeakMap<CharacterManifest, string>();

/** Made once for each manifest that is read: of hundreds only few change. */
function digestOf(manifest: CharacterManifest): string {
  const digest = digests.get(manifest) ?? createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
  digests.set(manifest, digest);
  return digest;
}

/** Differs whenever a character came, went or changed its manifest; the same set in another order digests alike. */
export function catalogDigest(characters: readonly Character[]): string {
  const hash = createHash('sha256');
  for (const text of characters.map(({ manifest }) => digestOf(manifest)).sort()) hash.update(`${text}\n`);
  return hash.digest('hex');
}
