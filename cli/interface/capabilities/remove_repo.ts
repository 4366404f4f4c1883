/** Forgets a pack index. */
import { PackError } from '../../../server/packs/types.ts';
import { defineNdjson, done, mendable } from '../define.ts';
import { exactly, record, text } from '../packs/schemas.ts';

export const removeRepo = defineNdjson({
  name: 'remove_repo',
  description: 'Forget a pack index (repo). What was installed from it stays.',
  destructive: true,
  pausable: false,
  droppable: false,
  inputSchema: record({ name: text }, ['name']),
  outputSchema: exactly({ name: text }),
  run: async ({ name }, _conversation, { library }) => {
    if (name.trim() === '') throw new PackError('E_INVALID_INPUT', 'remove_repo requires a non-empty name');
    if (
      !library()
        .indexes()
        .some((index) => index.name === name)
    ) {
      return mendable(new PackError('E_NOT_FOUND', `no repo named '${name}'`));
    }
    await library().removeIndex(name);
    return done({ name });
  },
});
