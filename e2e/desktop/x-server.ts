/** X servers of a test's own, each on a display nobody else has, with programs on it. What is started here is ended by `end`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectScreen, type Screen } from '../../server/window/x/screen.ts';
import { until } from '../harness.ts';

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
export const startXvfb = (size = '1280x800x24'): Promise<XServer> =>
  startServer(() => ['Xvfb', '-screen', '0', size, '-nolisten', 'tcp', '-noreset']);

const DUMMY_CONFIG = `
Section "ServerFlags"
  Option "AutoAddDevices" "false"
  Option "AutoAddGPU" "false"
EndSection
Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 256000
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  SubSection "Display"
    Virtual 4096 2048
  EndSubSection
EndSection
`;

/** Monitors that come and go by `xrandr`: outputs DUMMY0, DUMMY1 and so on, the first one on. */
export const startXorgDummy = (): Promise<XServer> =>
  startServer((folder) => {
    writeFileSync(join(folder, 'xorg.conf'), DUMMY_CONFIG);
    const files = ['-config', join(folder, 'xorg.conf'), '-configdir', folder, '-logfile', join(folder, 'log')];
    return ['Xorg', ...files, '-nolisten', 'tcp', '-noreset', '-novtswitch', '-sharevts'];
  });

async function startServer(commandIn: (folder: string) => readonly string[]): Promise<XServer> {
  const folder = mkdtempSync(join(tmpdir(), 'companion-x-'));
  const [command = '', ...args] = commandIn(folder);
  const server = spawn(command, ['-displayfd', '3', ...args], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  let said = '';
  let number = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  server.stdio[3]?.on('data', (chunk: Buffer) => {
    number += chunk.toString();
  });
  const started: ChildProcess[] = [server];
  const screens: Screen[] = [];
  const end = async (): Promise<void> => {
    for (const screen of screens) screen.close();
    // What was started last goes first.
    for (const child of started.reverse()) await endChild(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(`${command} is up; it said: ${said}`, () => {
      if (server.exitCode !== null) throw new Error(`${command} ended: ${said}`);
      return number.endsWith('\n');
    });
  } catch (error) {
    await end();
    throw error;
  }
  const display = `:${number.trim()}`;
  const env = { PATH: process.env.PATH, HOME: folder, DISPLAY: display };
  return {
    display,
    end,
    connect: async () => {
      const screen = await connectScreen(display);
      screens.push(screen);
      return screen;
    },
    start: (program, ...rest) => {
      const child = spawn(program, rest, { env, stdio: 'ignore' });
      started.push(child);
      return child;
    },
    run: async (program, ...rest) => (await promisify(execFile)(program, rest, { env })).stdout,
  };
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await gone;
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
  const VIEWABLE = 2;
  const { mapState } = await ask<{ readonly mapState: number }>((done) => X.GetWindowAttributes(id, done));
  return mapState === VIEWABLE;
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
