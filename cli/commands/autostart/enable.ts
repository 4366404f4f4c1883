/** `companion autostart enable`. */
import { defineCommand } from '../../command.ts';
import { enableAutostart } from '../../desktop/autostart.ts';
import { hostCommand } from '../../desktop/host-command.ts';
import { lastingCommand } from '../../desktop/installation.ts';
import { openSystemctl } from '../../desktop/systemctl.ts';
import { placeOf, tellAutostart } from './place.ts';

export const autostartEnable = defineCommand({
  takes: [],
  summary:
    'Start the companion with your desktop, from the next login on: by a systemd user service where one works, else by an XDG autostart entry. Run again, it mends what is out of date.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion autostart enable'],
  run: async ({ io }) => {
    const status = enableAutostart(placeOf(io), lastingCommand(io, hostCommand(io)), await openSystemctl(io.env));
    return { json: status, plain: tellAutostart(status), error: null };
  },
});
