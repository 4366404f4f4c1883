/** Makes a wardrobe the active one. */
import { PackError } from '../../../server/packs/types.ts';
import { defineNdjson, done, mendable } from '../define.ts';
import { record, WARDROBE, WARDROBE_DATA } from '../packs/schemas.ts';

export const switchSubos = defineNdjson({
  name: 'switch_subos',
  description: 'Make a wardrobe (sub-OS) the active one: its packs, versions and character are the ones in use.',
  destructive: true,
  pausable: false,
  droppable: false,
  inputSchema: record({ name: WARDROBE }, ['name']),
  outputSchema: WARDROBE_DATA,
  run: async ({ name }, conversation, { library }) => {
    if (
      !library()
        .wardrobes()
        .some((wardrobe) => wardrobe.name === name)
    ) {
      return mendable(new PackError('E_NOT_FOUND', `no wardrobe named '${name}'`, 'create it first: create_subos'));
    }
    const active = await library().switchWardrobe(name);
    const data = { name: active.name, dir: active.folder };
    conversation.data('subos_switched', data);
    return done(data);
  },
});
