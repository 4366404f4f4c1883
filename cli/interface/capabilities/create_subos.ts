/** Makes a wardrobe. */
import { resolve } from 'node:path';
import { defineNdjson, done } from '../define.ts';
import { filled, record, text, WARDROBE_DATA } from '../packs/schemas.ts';

export const createSubos = defineNdjson({
  name: 'create_subos',
  description: 'Create a wardrobe (sub-OS): a named, isolated choice of packs and versions, empty at first.',
  destructive: true,
  pausable: false,
  droppable: false,
  inputSchema: record(
    {
      name: { ...text, description: 'Letters, digits, - and _; not "current", and not taken' },
      dir: { ...filled, description: 'A folder of its own; without it, one in the data folder' },
    },
    ['name'],
  ),
  outputSchema: WARDROBE_DATA,
  run: async ({ name, dir }, conversation, { library, cwd }) => {
    const made = await library().createWardrobe(name, ...(dir === undefined ? [] : [resolve(cwd, dir)]));
    const data = { name: made.name, dir: made.folder };
    conversation.data('subos_created', data);
    return done(data);
  },
});
