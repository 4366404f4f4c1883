/** Removes a wardrobe. */
import { PackError } from '../../../server/packs/types.ts';
import { defineNdjson, done, mendable } from '../define.ts';
import { isConfirmed } from '../packs/confirm.ts';
import { flag, record, text, WARDROBE, YES } from '../packs/schemas.ts';

export const removeSubos = defineNdjson({
  name: 'remove_subos',
  description:
    'Remove a wardrobe (sub-OS) that is neither active nor "default". The packs it had stay installed for the others.',
  destructive: true,
  pausable: false,
  droppable: false,
  inputSchema: record({ name: WARDROBE, yes: YES }, ['name']),
  outputSchema: record({ name: text, declined: flag }, ['name', 'declined']),
  run: async ({ name, yes }, conversation, { library }) => {
    const wardrobe = library()
      .wardrobes()
      .find((each) => each.name === name);
    if (wardrobe === undefined) return mendable(new PackError('E_NOT_FOUND', `no wardrobe named '${name}'`));
    if (name === 'default') throw new PackError('E_INVALID_INPUT', 'the wardrobe default cannot be removed');
    if (wardrobe.isActive) {
      return mendable(
        new PackError('E_INVALID_INPUT', `the wardrobe ${name} is active`, 'switch to another one first: switch_subos'),
      );
    }
    const asking = { yes, suggests: 'no' } as const;
    if (!(await isConfirmed(conversation, 'confirm-remove', `Remove the wardrobe ${name}?`, asking))) {
      return done({ name, declined: true });
    }
    await library().removeWardrobe(name);
    conversation.data('subos_removed', { name });
    return done({ name, declined: false });
  },
});
