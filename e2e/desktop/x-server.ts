/** X servers of a test's own, each on a display nobody else has, with programs on it. What is started here is ended by `end`. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectScreen, IS_VIEWABLE, type Screen } from '../../server/window/x/screen.ts';
import { until } from '../harness.ts';
import { end, run, start } from './processes.ts';
import { type ServerOptions, startXServer } from './servers.ts';

export interface XServer {
  readonly display: string;
  /** A connection of its own, closed by `end`. */
  connect(): Promise<Screen>;
  /** Starts a program on this display that stays until `end`. */
  start(command: string, ...args: readonly string[]): ChildProcess;
  /** Runs a program on this display to its end; resolves with what it printed, rejects when it failed. */
  run(command: string, ...args: readonly string[]): Promise<string>;
  end(): Promise<void>;
}

/** One screen, which never changes. */
export const startXvfb = (): Promise<XServer> => startServer('xvfb');

/** Monitors that come and go by `xrandr`: outputs DUMMY0, DUMMY1 and so on, the first one on. */
export const startXorgDummy = (): Promise<XServer> => startServer('dummy');

async function startServer(kind: ServerOptions['kind']): Promise<XServer> {
  const folder = mkdtempSync(join(tmpdir(), 'companion-x-'));
  const { display, process: server } = await startXServer({ kind, width: 1280, height: 800, dpi: 96, folder });
  const started: ChildProcess[] = [server];
  const screens: Screen[] = [];
  const env = { PATH: process.env.PATH, HOME: folder, DISPLAY: display };
  return {
    display,
    end: async () => {
      for (const screen of screens) screen.close();
      // What was started last goes first.
      for (const child of started.reverse()) await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
    connect: async () => {
      const screen = await connectScreen(display);
      screens.push(screen);
      return screen;
    },
    start: (program, ...rest) => {
      const child = start(program, rest, { env, stdio: 'ignore' });
      started.push(child);
      return child;
    },
    run: (program, ...rest) => run(program, rest, env),
  };
}

/** Starts openbox and waits until it manages windows. */
export async function startOpenbox(server: XServer, screen: Screen): Promise<void> {
  const { X, root, numbers } = screen;
  server.start('openbox', '--sm-disable');
  await until('openbox is there', async () => (await numbers(root, '_NET_SUPPORTING_WM_CHECK')).length > 0);
  // It says so before it listens: the wish to be mapped may be lost, and is told again.
  const probe = createTestWindow(screen, { x: 0, y: 0, width: 10, height: 10 });
  await until('openbox manages', async () => {
    X.MapWindow(probe);
    return (await numbers(root, '_NET_CLIENT_LIST')).includes(probe);
  });
  X.DestroyWindow(probe);
  await until('the probe has gone', async () => (await numbers(root, '_NET_CLIENT_LIST')).length === 0);
}

export interface TestWindow {
  readonly id: number;
  unmap(): void;
  destroy(): void;
}

export interface WindowWishes {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Nobody manages it. */
  readonly overrideRedirect?: boolean;
  /** Sets properties before it is mapped. */
  readonly before?: (id: number) => Promise<void>;
}

function createTestWindow(
  { X, root }: Screen,
  { x, y, width, height, overrideRedirect = false }: WindowWishes,
): number {
  const id = X.AllocID();
  const values = { overrideRedirect: Number(overrideRedirect), backgroundPixel: 0x336699 };
  X.CreateWindow(id, root, x, y, width, height, 0, 0, 1, 0, values);
  return id;
}

async function isViewable({ X, ask }: Screen, id: number): Promise<boolean> {
  const { mapState } = await ask<{ readonly mapState: number }>((done) => X.GetWindowAttributes(id, done));
  return mapState === IS_VIEWABLE;
}

/** A window of some other program, mapped. */
export async function openTestWindow(screen: Screen, wishes: WindowWishes): Promise<TestWindow> {
  const { X } = screen;
  const id = createTestWindow(screen, wishes);
  await wishes.before?.(id);
  X.MapWindow(id);
  screen.flush();
  await until('the window is there', () => isViewable(screen, id));
  const then = (request: () => void) => (): void => {
    request();
    screen.flush();
  };
  return { id, unmap: then(() => X.UnmapWindow(id)), destroy: then(() => X.DestroyWindow(id)) };
}
