/** A real desktop of a test's own: X server, window manager, compositing manager and wallpaper. Ends exactly what it started. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../harness.ts';
import { type Picture, pictureOf, WALLPAPER, type Wallpaper } from './picture.ts';
import { type Env, end, notInstalled, run, start } from './processes.ts';
import { startXServer } from './servers.ts';
import { paintWallpaper } from './wallpaper.ts';
import { type Area, connectX, type XClient } from './x-client.ts';

/** How each is started. `icewm` keeps windows on the screen. */
const WINDOW_MANAGERS = { openbox: ['--sm-disable'], icewm: [] } as const;

export interface DeskOptions {
  /** `dummy` is Xorg with monitors that come and go; default `xvfb`. */
  readonly server?: 'xvfb' | 'dummy';
  readonly width?: number;
  readonly height?: number;
  /** Default `openbox`; null: none. */
  readonly windowManager?: keyof typeof WINDOW_MANAGERS | null;
  /** Whether a compositing manager runs from the start; default false. */
  readonly compositor?: boolean;
  readonly wallpaper?: Wallpaper;
  /** Default 96. Told as the X resource `Xft.dpi` too. */
  readonly dpi?: number;
}

export interface Desk {
  /** `:N`. */
  readonly display: string;
  /** What a program needs to be on this desktop, over the tester's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly wallpaper: Wallpaper;
  /** A connection for looking. */
  readonly x: XClient;
  /** The file that is the screen's memory; null but for Xvfb. */
  readonly memory: string | null;
  /** What is on the screen. */
  screenshot(area?: Area): Promise<Picture>;
  xdotool(...args: readonly (string | number)[]): Promise<string>;
  /** Lets the window manager do nothing from now on; returns how to let it go on. */
  holdWindowManager(): () => void;
  startCompositor(): Promise<void>;
  stopCompositor(): Promise<void>;
  /** Switches the monitor beside the first one on with this mode (`1024x768`), or off; `dummy` only. */
  setSecondMonitor(mode: string | null): Promise<void>;
  close(): Promise<void>;
}

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;

const DUMMY_DRIVER = '/usr/lib/xorg/modules/drivers/dummy_drv.so';

/** Why such a desktop cannot be had here; null when it can. */
export function missingFor({
  server = 'xvfb',
  windowManager = 'openbox',
  compositor = true,
}: DeskOptions = {}): string | null {
  if (server === 'dummy' && process.getuid?.() !== 0) return 'Xorg wants to be started by root';
  if (server === 'dummy' && !existsSync(DUMMY_DRIVER)) return `not installed: ${DUMMY_DRIVER}`;
  const programs = [server === 'xvfb' ? 'Xvfb' : 'Xorg', 'xdotool', 'xrandr'];
  return notInstalled(...programs, ...(windowManager ? [windowManager] : []), ...(compositor ? ['picom'] : []));
}

async function startWindowManager(name: keyof typeof WINDOW_MANAGERS, x: XClient, env: Env): Promise<ChildProcess> {
  const child = start(name, WINDOW_MANAGERS[name], { env: env as NodeJS.ProcessEnv, stdio: 'ignore' });
  await until('a window manager', async () => {
    const [check] = await x.numbers(x.root, '_NET_SUPPORTING_WM_CHECK');
    return check !== undefined && (await x.numbers(check, '_NET_SUPPORTING_WM_CHECK'))[0] === check;
  });
  return child;
}

async function compositorOwner(x: XClient): Promise<number> {
  const selection = await x.atom('_NET_WM_CM_S0');
  return x.ask<number>((X, done) => X.GetSelectionOwner(selection, done));
}

async function tellDpi(x: XClient, dpi: number): Promise<void> {
  const [property, type] = await Promise.all(['RESOURCE_MANAGER', 'STRING'].map((name) => x.atom(name)));
  x.requests.ChangeProperty(0, x.root, property!, type!, 8, `Xft.dpi:\t${dpi}\n`);
}

async function takePicture(x: XClient, area?: Area): Promise<Picture> {
  const { x: left, y: top, width, height } = area ?? (await x.place(x.root));
  const { data } = await x.ask<{ data: Buffer }>((X, done) =>
    X.GetImage(Z_PIXMAP, x.root, left, top, width, height, ALL_PLANES, done),
  );
  return pictureOf(data, width, height);
}

/** Opens a desktop and resolves once all of it is there. */
export async function openDesk(options: DeskOptions = {}): Promise<Desk> {
  const { server = 'xvfb', width = 1280, height = 800, dpi = 96, wallpaper = WALLPAPER } = options;
  const { windowManager = 'openbox', compositor = false } = options;
  const folder = mkdtempSync(join(tmpdir(), 'desk-'));
  const config = join(folder, 'config');
  mkdirSync(config);
  const started = await startXServer({ kind: server, width, height, dpi, folder });
  const { display, memory } = started;
  const env = { DISPLAY: display, WAYLAND_DISPLAY: undefined, XDG_SESSION_TYPE: undefined, XAUTHORITY: undefined };
  // Nobody's own settings of openbox or picom reach this desktop.
  const own = { ...process.env, ...env, HOME: folder, XDG_CONFIG_HOME: config, XDG_CACHE_HOME: folder };
  const x = await connectX(display);
  let picom: ChildProcess | null = null;
  let manager: ChildProcess | null = null;
  const desk: Desk = {
    display,
    env,
    wallpaper,
    x,
    memory,
    screenshot: (area) => takePicture(x, area),
    xdotool: (...args) => run('xdotool', args.map(String), own),
    holdWindowManager: () => {
      manager?.kill('SIGSTOP');
      return () => void manager?.kill('SIGCONT');
    },
    startCompositor: async () => {
      const child = start('picom', ['--config', '/dev/null', '--backend', 'xrender'], { env: own, stdio: 'ignore' });
      picom = child;
      await until('a compositing manager', async () => (await compositorOwner(x)) !== 0);
    },
    stopCompositor: async () => {
      if (picom !== null) await end(picom);
      picom = null;
      await until('no compositing manager', async () => (await compositorOwner(x)) === 0);
    },
    setSecondMonitor: async (mode) => {
      // Refused when the monitor has had this mode before.
      if (mode !== null) await run('xrandr', ['--addmode', 'DUMMY1', mode], own).catch(() => {});
      const how = mode === null ? ['--off'] : ['--mode', mode, '--right-of', 'DUMMY0'];
      await run('xrandr', ['--output', 'DUMMY1', ...how], own);
    },
    close: async () => {
      await x.close();
      for (const child of [picom, manager, started.process]) if (child !== null) await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await tellDpi(x, dpi);
    await paintWallpaper(x, wallpaper);
    if (windowManager !== null) manager = await startWindowManager(windowManager, x, own);
    if (compositor) await desk.startCompositor();
    return desk;
  } catch (error) {
    await desk.close();
    throw error;
  }
}

/** A picture of the screen that has not changed for a while. */
export async function settledPicture(desk: Pick<Desk, 'screenshot'>): Promise<Picture> {
  let last: Picture | null = null;
  let same = 0;
  return until('the screen stands still', async () => {
    const picture = await desk.screenshot();
    same =
      last !== null && Buffer.compare(Buffer.from(picture.pixels.buffer), Buffer.from(last.pixels.buffer)) === 0
        ? same + 1
        : 0;
    last = picture;
    return same >= 10 && picture;
  });
}
