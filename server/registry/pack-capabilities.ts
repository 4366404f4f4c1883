/** The capabilities that character packs bring along: animations of the vendor's own, and nothing else (spec §2, R18). */
import type { CharacterManifest } from '../protocol/character.ts';
import { defineAnimation } from './capabilities/animation.ts';
import { findCapability } from './catalog.ts';
import type { AnyCapability } from './define.ts';

/** `vendor.<reverse domain>.<name>`. */
const VENDOR_ID = /^vendor(\.[A-Za-z][A-Za-z0-9-]*){3,}$/;
/** What this program calls its own by; only what came with it may. */
const OWN = 'vendor.internal.';

/** A character that may bring capabilities along. */
export interface Bringer {
  readonly manifest: Pick<CharacterManifest, 'declares'>;
  readonly builtIn: boolean;
}

const mayBring = (id: string, builtIn: boolean): boolean =>
  VENDOR_ID.test(id) && (builtIn || !id.startsWith(OWN)) && findCapability(id) === undefined;

/**
 * What `characters` declare, each ID once, in the order of the IDs; of several descriptions of one ID the first counts. An ID that is no
 * vendor's, or one of the frozen catalogue, is left out: a pack can redefine nothing.
 */
export function packCapabilities(characters: readonly Bringer[]): readonly AnyCapability[] {
  const found = new Map<string, AnyCapability>();
  for (const { manifest, builtIn } of characters)
    for (const [id, { description }] of Object.entries(manifest.declares ?? {}))
      if (mayBring(id, builtIn) && !found.has(id)) found.set(id, defineAnimation(id, description.default));
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
