/** Where the commands for starting with the desktop work, and what they say. */
import { dirname } from 'node:path';
import { resolvePaths } from '../../../server/protocol/paths.ts';
import type { AutostartStatus, Place } from '../../desktop/autostart-status.ts';
import type { Io } from '../../io.ts';

export const placeOf = ({ env }: Io): Place => ({
  configHome: dirname(resolvePaths(env).configFolder),
  hasDisplay: Boolean(env.DISPLAY || env.WAYLAND_DISPLAY),
});

const WAYS = { systemd: 'a systemd user service', xdg: 'an XDG autostart entry' } as const;

/** The status in words. */
export function tellAutostart({ enabled, by, file, repair }: AutostartStatus): string {
  const state = enabled && by !== null ? `The companion starts with your desktop, by ${WAYS[by]}: ${file}` : 'Off.';
  const again = file === null ? '' : ' Mend it with: companion autostart enable';
  return repair === null ? state : `${state}\nBut ${repair}.${again}`;
}
