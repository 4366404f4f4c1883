/** The capabilities that character packs bring along: animations of the vendor's own, and nothing else (spec §2, R18). */
import type { CharacterManifest } from '../protocol/character.ts';
import { defineAnimation } from './capabilities/animation.ts';
import { findCapability } from './catalog.ts';
import type { AnyCapability } from './define.ts';

/** `vendor.<reverse domain>.<name>`, and nothing under the name this program has for its own. */
const VENDOR_ID = /^vendor\.(?!internal\.)[A-Za-z][A-Za-z0-9-]*(\.[A-Za-z][A-Za-z0-9-]*){2,}$/;

/**
 * What `manifests` declare, each ID once, in the order of the IDs; of several descriptions of one ID the first counts. An ID that is no
 * vendor's, or one of the frozen catalogue, is left out: a pack can redefine nothing.
 */
export function packCapabilities(manifests: readonly CharacterManifest[]): readonly AnyCapability[] {
  const found = new Map<string, AnyCapability>();
  for (const { declares = {} } of manifests)
    for (const [id, { description }] of Object.entries(declares))
      if (VENDOR_ID.test(id) && !found.has(id) && findCapability(id) === undefined)
        found.set(id, defineAnimation(id, description.default));
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
