/** `companion launcher add`. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defineCommand } from '../../command.ts';
import { lastingCommand } from '../../desktop/installation.ts';
import { addLauncher } from '../../desktop/launcher.ts';
import { dataHomeOf, tellLauncher } from './place.ts';

export const launcherAdd = defineCommand({
  takes: [],
  summary:
    'Put the companion into the application launcher: a click starts it or brings it back. Run again, it mends what is out of date.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion launcher add'],
  run: async ({ io }) => {
    const start = lastingCommand(io, io.program());
    // It lies beside the program.
    const icon = readFileSync(join(dirname(io.program()[1]), 'icon.png'));
    const status = addLauncher(dataHomeOf(io), start, icon);
    return { json: status, plain: tellLauncher(status), error: null };
  },
});
