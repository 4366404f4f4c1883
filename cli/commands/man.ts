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
  run: async () => {
    // By then the table is there, in which this very command stands.
    const { COMMAND_NAMES, loadCommand } = await import('../commands.ts');
    const text = manPage(await Promise.all(COMMAND_NAMES.map(loadCommand)), COMMON_OPTIONS);
    return { json: { text }, plain: text.trimEnd(), error: null };
  },
});
