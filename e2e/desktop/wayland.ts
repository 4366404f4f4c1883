/** A Wayland desktop without a screen, weston, in which programs of X run through XWayland. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { PNG } from 'pngjs';
import { until } from '../harness.ts';
import { type Picture, screenDiff, WALLPAPER, type Wallpaper } from './picture.ts';
import { end, notInstalled, run, start } from './processes.ts';
import { connectX, type XClient } from './x-client.ts';

export interface WaylandDesk {
  /** Of XWayland, `:N`. */
  readonly display: string;
  /** What a program needs to be on this desktop, over the tester's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** One colour. */
  readonly wallpaper: Wallpaper;
  /** A connection to XWayland. */
  readonly x: XClient;
  /** What weston shows. */
  screenshot(): Promise<Picture>;
  close(): Promise<void>;
}

const SOCKET = 'wayland-desk';

/** Why such a desktop cannot be had here; null when it can. */
export const missingForWayland = (): string | null => notInstalled('weston', 'weston-screenshooter', 'Xwayland');

const config = (colour: number): string => `[core]
idle-time=0
[shell]
background-color=0xff${colour.toString(16).padStart(6, '0')}
panel-position=none
locking=false
animation=none
startup-animation=none
`;

/** The number of XWayland's display, as weston's log tells it. */
const xDisplay = (log: Readable): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    log.on('data', (chunk: Buffer) => {
      text += chunk;
      const told = /xserver listening on display (:\d+)/.exec(text);
      if (told) resolve(told[1]!);
    });
    log.once('end', () => reject(new Error(`weston ended: ${text}`)));
  });

async function takePicture(folder: string, env: Readonly<Record<string, string>>): Promise<Picture> {
  const pictures = mkdtempSync(join(folder, 'picture-'));
  await run('weston-screenshooter', [], { ...process.env, ...env, XDG_PICTURES_DIR: pictures });
  const [name] = readdirSync(pictures);
  const { width, height, data } = PNG.sync.read(readFileSync(join(pictures, name!)));
  rmSync(pictures, { recursive: true });
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => data.readUInt32BE(4 * at) >>> 8);
  return { width, height, pixels };
}

/** Opens the desktop and resolves once it shows its wallpaper. */
export async function openWayland({ width = 1280, height = 800 } = {}): Promise<WaylandDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'wayland-'));
  const runtime = join(folder, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const colour = WALLPAPER.colours[0];
  const configFile = join(folder, 'weston.ini');
  writeFileSync(configFile, config(colour));
  const backend = ['--backend=headless-backend.so', '--use-pixman', `--width=${width}`, `--height=${height}`];
  // Pictures may be taken only with --debug.
  const args = [...backend, '--xwayland', '--debug', `--socket=${SOCKET}`, `--config=${configFile}`];
  const weston = start('weston', args, {
    env: { ...process.env, XDG_RUNTIME_DIR: runtime, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const display = await xDisplay(weston.stderr!);
    const socketEnv = { XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: SOCKET };
    const wallpaper: Wallpaper = { colours: [colour, colour] };
    const screenshot = (): Promise<Picture> => takePicture(folder, socketEnv);
    await until('the wallpaper', async () => screenDiff(await screenshot(), wallpaper).count === 0);
    // Without a first program there is no XWayland, and it ends with the last one.
    const x = await connectX(display);
    return {
      display,
      // A companion has a runtime folder of its own, so the socket is named by its path.
      env: { DISPLAY: display, WAYLAND_DISPLAY: join(runtime, SOCKET), XDG_SESSION_TYPE: 'wayland' },
      wallpaper,
      x,
      screenshot,
      close: async () => {
        await x.close();
        await end(weston);
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await end(weston);
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
