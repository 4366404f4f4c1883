/** Looks for character packs in all indexes. */
import { type OfferedPack, toCoordinate } from '../../../server/packs/types.ts';
import { defineNdjson, done } from '../define.ts';
import { readOffers } from '../packs/offers.ts';
import { exactly, listOf, record, text, whole } from '../packs/schemas.ts';
import { newestOffers } from '../packs/targets.ts';

const folded = (words: string): string => words.normalize('NFKC').toLowerCase();

/** Every word of the keyword occurs in what the pack says of itself. */
function fits({ id, displayName, description }: OfferedPack, keyword: string): boolean {
  const said = folded(`${toCoordinate(id)} ${id} ${displayName} ${description}`);
  return folded(keyword)
    .split(/\s+/)
    .every((word) => said.includes(word));
}

export const searchPackages = defineNdjson({
  name: 'search_packages',
  description:
    'Search the pack indexes for character packs (package = character pack). Each word of the keyword must occur in the name or description; use plain words, no version.',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: record({ keyword: { ...text, description: 'Words to look for; empty: all packs' } }, ['keyword']),
  outputSchema: exactly({
    packages: listOf(
      exactly({
        name: text,
        version: text,
        displayName: text,
        description: text,
        license: text,
        index: text,
        size: whole,
      }),
    ),
  }),
  run: async ({ keyword }, conversation, world) => {
    const found = newestOffers(await readOffers(conversation, world)).filter((offer) => fits(offer, keyword));
    conversation.data('styled_list', {
      title: 'Search results:',
      items: found.map(({ id, displayName, description }) => [toCoordinate(id), `${displayName}: ${description}`]),
      numbered: true,
    });
    const packages = found.map(({ id, version, displayName, description, license, index, size }) => ({
      name: toCoordinate(id),
      version,
      displayName,
      description,
      license,
      index,
      size,
    }));
    return done({ packages });
  },
});
