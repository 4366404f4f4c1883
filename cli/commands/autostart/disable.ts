/** `companion autostart disable`. */
import { defineCommand } from '../../command.ts';
import { disableAutostart } from '../../desktop/autostart.ts';
import { openSystemctl } from '../../desktop/systemctl.ts';
import { placeOf } from './place.ts';

export const autostartDisable = defineCommand({
  takes: [],
  summary: 'Undo `autostart enable`. A companion that runs goes on.',
  about: null,
  output: 'plain',
  options: {},
  examples: ['companion autostart disable'],
  run: async ({ io }) => {
    const removed = disableAutostart(placeOf(io), await openSystemctl(io.env));
    const plain = removed.length === 0 ? 'It was off.' : removed.map((path) => `Removed ${path}`).join('\n');
    return { json: { removed }, plain, error: null };
  },
});
