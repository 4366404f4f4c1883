/** `companion autostart status`: reads files only. */
import { defineCommand } from '../../command.ts';
import { readAutostart } from '../../desktop/autostart.ts';
import { AT_LOGIN, placeOf, tellAutostart } from './place.ts';

export const autostartStatus = defineCommand({
  takes: [],
  summary: 'Tell whether the companion starts with your desktop, by what, and whether that needs mending.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion autostart status --json'],
  run: async ({ io }) => {
    const status = readAutostart(placeOf(io), [...io.program(), AT_LOGIN]);
    return { json: status, plain: tellAutostart(status), error: null };
  },
});
