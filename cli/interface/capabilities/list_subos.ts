/** Lists the wardrobes. */
import { defineNdjson, done } from '../define.ts';
import { exactly, flag, listOf, NOTHING, text, whole } from '../packs/schemas.ts';

export const listSubos = defineNdjson({
  name: 'list_subos',
  description: 'List all wardrobes (a sub-OS is a wardrobe: a named, isolated choice of packs and versions).',
  destructive: false,
  pausable: false,
  droppable: true,
  inputSchema: NOTHING,
  outputSchema: exactly({ entries: listOf(exactly({ name: text, dir: text, active: flag, pkgCount: whole })) }),
  run: async (_params, conversation, { library }) => {
    const entries = library()
      .wardrobes()
      .map(({ name, folder, isActive, packs }) => ({
        name,
        dir: folder,
        active: isActive,
        pkgCount: Object.keys(packs).length,
      }));
    conversation.data('subos_list', { entries });
    return done({ entries });
  },
});
