/** `companion launcher status`. */
import { defineCommand } from '../../command.ts';
import { readLauncher } from '../../desktop/launcher.ts';
import { dataHomeOf, tellLauncher } from './place.ts';

export const launcherStatus = defineCommand({
  takes: [],
  summary: 'Tell whether the companion is in the application launcher, and whether its entry needs mending.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion launcher status --json'],
  run: async ({ io }) => {
    const status = readLauncher(dataHomeOf(io), io.program());
    return { json: status, plain: tellLauncher(status), error: null };
  },
});
