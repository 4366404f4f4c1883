/** `companion autostart status`: reads files only. */
import { defineCommand } from '../../command.ts';
import { readAutostart } from '../../desktop/autostart.ts';
import { hostCommand } from '../../desktop/host-command.ts';
import { placeOf, tellAutostart } from './place.ts';

export const autostartStatus = defineCommand({
  takes: [],
  summary: 'Tell whether the companion starts with your desktop, by what, and whether that needs mending.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion autostart status --json'],
  run: async ({ io }) => {
    const status = readAutostart(placeOf(io), hostCommand(io));
    return { json: status, plain: tellAutostart(status), error: null };
  },
});
