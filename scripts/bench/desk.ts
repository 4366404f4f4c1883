/** A private desktop: Xvfb, a session bus, a window manager if there is one, and dunst. Nothing of the caller's session is touched. */
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { end, missing, start, which } from './programs.ts';
import { sleep } from './stats.ts';

export interface Desk {
  readonly display: number;
  /** Where the session bus listens. */
  readonly busPath: string;
  /** For programs that are to live on it. */
  readonly env: NodeJS.ProcessEnv;
  /** Why there is no dunst here, or null. */
  readonly noPeer: string | null;
  stop(): Promise<void>;
}

const SETTLE_MS = 800;

/** The first line a child writes to its fourth descriptor. */
async function announced(child: ReturnType<typeof start>): Promise<string> {
  const [line] = (await once(child.stdio[3] as Readable, 'data')) as [Buffer];
  return line.toString().trim();
}

/** Starts the desktop in `folder`, a folder of the bench's own. Needs Xvfb. */
export async function openDesk(folder: string): Promise<Desk> {
  const announce = ['ignore', 'ignore', 'ignore', 'pipe'] as const;
  // Without its screen saver: after ten minutes in which nobody has touched anything the figure would rest.
  const saver = ['-s', '0'];
  const screen = ['-displayfd', '3', '-screen', '0', '1920x1080x24', ...saver, '-nolisten', 'tcp', '-ac', '-noreset'];
  const children = [start('Xvfb', screen, { stdio: [...announce] })];
  const display = Number(await announced(children[0]!));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    DISPLAY: `:${display}`,
    XDG_RUNTIME_DIR: folder,
    GTK_A11Y: 'none',
    NO_AT_BRIDGE: '1',
    GSETTINGS_BACKEND: 'memory',
  };
  delete env.WAYLAND_DISPLAY;
  if (which('openbox')) children.push(start('openbox', ['--sm-disable'], { env, stdio: 'ignore' }));
  const busPath = join(folder, 'bus');
  const noPeer = missing('dbus-daemon', 'dunst', 'dunstctl', 'notify-send');
  if (which('dbus-daemon')) {
    const args = ['--session', '--nofork', '--print-address=3', `--address=unix:path=${busPath}`];
    const bus = start('dbus-daemon', args, { env, stdio: [...announce] });
    children.push(bus);
    env.DBUS_SESSION_BUS_ADDRESS = await announced(bus);
  }
  if (noPeer === null) children.push(start('dunst', [], { env, stdio: 'ignore' }));
  await sleep(SETTLE_MS);
  return {
    display,
    busPath,
    env,
    noPeer,
    stop: async () => {
      for (const child of children.reverse()) await end(child);
    },
  };
}
