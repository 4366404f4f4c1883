/** `companion man`: the man page, to be looked at or put where `man` looks. */
import { COMMON_OPTIONS, defineCommand } from '../command.ts';
import { manPage } from '../shell/man.ts';

export const man = defineCommand({
  takes: [],
  summary: 'Print the man page; man -l shows it.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion man | man -l -', 'companion man > ~/.local/share/man/man1/companion.1'],
  run: async ({ commands }) => {
    const text = manPage(await commands(), COMMON_OPTIONS);
    return { json: { text }, plain: text.trimEnd(), error: null };
  },
});
