/** `companion characters use ID`: the user's choice of a character, kept with the active wardrobe; a host that runs sees it by itself (R9). */
import { defineCommand } from '../../command.ts';
import { findLocal, readLocalCharacters } from '../../packs/local-characters.ts';
import { toRefusal } from '../../packs/refusal.ts';

export const charactersUse = defineCommand({
  takes: ['CHARACTER'],
  summary:
    'Have this character on the screen. Needs no key: it changes a file of yours, and a companion that runs follows when the clip it plays has ended.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion characters use org.example.ghost'],
  run: async ({ io, words: [id = ''] }) => {
    const local = await readLocalCharacters(io);
    const { manifest } = findLocal(local, id);
    try {
      await local.library.setCurrent(id);
    } catch (error) {
      throw toRefusal(error);
    }
    const plain = `${manifest.displayName.default} is your character now.`;
    return { json: { current: id, previous: local.current }, plain, error: null };
  },
});
