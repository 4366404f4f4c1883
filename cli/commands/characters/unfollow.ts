/** `companion characters unfollow NAME`: the pets of that folder are characters no more. */
import { defineCommand } from '../../command.ts';
import { readLocalCharacters } from '../../packs/local-characters.ts';
import { toRefusal } from '../../packs/refusal.ts';

export const charactersUnfollow = defineCommand({
  takes: ['NAME'],
  summary:
    'Show the pets of a followed folder no more; the folder itself stays as it is. If one of them is on the screen, a built-in character takes over. Needs no key.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion characters unfollow codex'],
  run: async ({ io, words: [name = ''] }) => {
    const { library } = await readLocalCharacters(io);
    try {
      const { folder } = await library.unfollow(name);
      return { json: { name, folder }, plain: `The pets in ${folder} are shown no more.`, error: null };
    } catch (error) {
      throw toRefusal(error);
    }
  },
});
