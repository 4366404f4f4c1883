/** Lists the characters of the active wardrobe. */
import { toCoordinate } from '../../../server/packs/types.ts';
import { defineNdjson, done } from '../define.ts';
import { exactly, listOf, NOTHING, text } from '../packs/schemas.ts';

export const listSubosShims = defineNdjson({
  name: 'list_subos_shims',
  description: 'List the characters of the active wardrobe (a shim of a sub-OS is a character the wardrobe has).',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: NOTHING,
  outputSchema: exactly({ shims: listOf(text), binDir: text }),
  run: async (_params, conversation, { library }) => {
    const { packs, folder } = library().active();
    const shims = Object.keys(packs)
      .map((id) => toCoordinate(id))
      .sort();
    conversation.data('subos_shims', { shims, binDir: folder });
    return done({ shims, binDir: folder });
  },
});
