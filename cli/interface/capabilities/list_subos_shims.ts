/** Lists the characters of the active wardrobe. */
import { listPets } from '../../../server/packs/pet-folders.ts';
import { toCoordinate } from '../../../server/packs/types.ts';
import { defineNdjson, done } from '../define.ts';
import { exactly, listOf, NOTHING, text } from '../packs/schemas.ts';

export const listSubosShims = defineNdjson({
  name: 'list_subos_shims',
  description:
    'List the characters of the active wardrobe (a shim of a sub-OS is a character the wardrobe has): its packs, and the pets it shows from where they lie.',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: NOTHING,
  outputSchema: exactly({ shims: listOf(text), binDir: text }),
  run: async (_params, conversation, { library }) => {
    const { packs, folder, follows } = library().active();
    const pets = listPets(follows).pets.map(({ id }) => id);
    const shims = [...new Set([...Object.keys(packs), ...pets])].map((id) => toCoordinate(id)).sort();
    conversation.data('subos_shims', { shims, binDir: folder });
    return done({ shims, binDir: folder });
  },
});
