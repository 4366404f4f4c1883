/** `companion launcher remove`. */
import { defineCommand } from '../../command.ts';
import { removeLauncher } from '../../desktop/launcher.ts';
import { dataHomeOf } from './place.ts';

export const launcherRemove = defineCommand({
  takes: [],
  summary: 'Undo `launcher add`.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion launcher remove'],
  run: async ({ io }) => {
    const removed = removeLauncher(dataHomeOf(io));
    const plain = removed.length === 0 ? 'It was not there.' : removed.map((path) => `Removed ${path}`).join('\n');
    return { json: { removed }, plain, error: null };
  },
});
