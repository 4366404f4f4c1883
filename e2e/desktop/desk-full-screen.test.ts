import { afterEach, describe, expect, it } from 'vitest';
import type { Box } from '../../server/protocol/window.ts';
import { type FullScreenWatch, watchFullScreen } from '../../server/window/desk/full-screen.ts';
import { SHAPE_INPUT, SHAPE_SET, YX_BANDED } from '../../server/window/x/extensions.ts';
import type { Screen } from '../../server/window/x/screen.ts';
import { until } from '../harness.ts';
import { openTestWindow, startOpenbox, startXorgDummy, startXvfb, type TestWindow, type XServer } from './x-server.ts';

const WHOLE = { x: 0, y: 0, width: 1280, height: 800 };
const SMALL = { x: 200, y: 100, width: 300, height: 200 };

let server: XServer;
let watch: FullScreenWatch;
let other: Screen;
let heard: boolean[];
let own: number[];
let monitor: Box;

const start = async (starting = startXvfb()): Promise<void> => {
  server = await starting;
  other = await server.connect();
  heard = [];
  own = [];
  monitor = WHOLE;
};
const listen = async (): Promise<void> => {
  const onChange = (isCovered: boolean): number => heard.push(isCovered);
  watch = watchFullScreen(await server.connect(), { monitor: () => monitor, own: () => own, onChange });
};
const told = (...expected: readonly boolean[]): Promise<unknown> =>
  until(`told ${expected}, not ${heard}`, () => `${heard}` === `${expected}`, 10_000);
const setState = async ({ id }: TestWindow, on: boolean, ...names: readonly string[]): Promise<void> => {
  const [first = 0, second = 0] = await Promise.all(names.map((name) => other.atom(`_NET_WM_STATE_${name}`)));
  await other.tellManager(id, '_NET_WM_STATE', [Number(on), first, second, 1, 0]);
};
const isListed = (window: TestWindow): Promise<unknown> =>
  until('it is listed', async () => (await other.numbers(other.root, '_NET_CLIENT_LIST')).includes(window.id));
const noFrame = (id: number): Promise<void> =>
  other.setNumbers(id, '_MOTIF_WM_HINTS', '_MOTIF_WM_HINTS', [2, 0, 0, 0, 0]);
/** Does something that is heard for certain, so that what was not heard before it never will be. */
const stillOnly = async (...expected: readonly boolean[]): Promise<void> => {
  const locker = await openTestWindow(other, { ...WHOLE, overrideRedirect: true });
  await told(...expected, true);
  locker.destroy();
  await told(...expected, true, false);
};

afterEach(async () => {
  watch?.stop();
  await server?.end();
});

describe('under a window manager', () => {
  it('a window that goes full screen takes the monitor, and gives it back', async () => {
    await start();
    await startOpenbox(server, other);
    await listen();
    const player = await openTestWindow(other, SMALL);
    await isListed(player);
    await setState(player, true, 'FULLSCREEN');
    await told(true);
    await setState(player, false, 'FULLSCREEN');
    await told(true, false);
    await setState(player, true, 'FULLSCREEN');
    await told(true, false, true);
    player.destroy();
    await told(true, false, true, false);
  });

  it('another desktop and another window above it give the monitor back, a dialogue does not', async () => {
    await start();
    await startOpenbox(server, other);
    const plain = await openTestWindow(other, SMALL);
    const player = await openTestWindow(other, SMALL);
    await isListed(player);
    await setState(player, true, 'FULLSCREEN');
    await listen();
    await told(true);
    await server.run('wmctrl', '-s', '1');
    await told(true, false);
    await server.run('wmctrl', '-s', '0');
    await told(true, false, true);
    const dialogue = await openTestWindow(other, {
      ...SMALL,
      before: (id) => other.setNumbers(id, 'WM_TRANSIENT_FOR', 'WINDOW', [player.id]),
    });
    await isListed(dialogue);
    await server.run('wmctrl', '-s', '1');
    await told(true, false, true, false);
    await server.run('wmctrl', '-s', '0');
    await told(true, false, true, false, true);
    await other.tellManager(plain.id, '_NET_ACTIVE_WINDOW', [2, 0, 0, 0, 0]);
    await told(true, false, true, false, true, false);
  });

  it('a window without a frame takes the monitor by its size alone, a maximised one does not', async () => {
    await start();
    await startOpenbox(server, other);
    await listen();
    const bare = await openTestWindow(other, { ...SMALL, before: noFrame });
    await isListed(bare);
    await setState(bare, true, 'MAXIMIZED_VERT', 'MAXIMIZED_HORZ');
    await until('it is maximised', async () => (await other.numbers(bare.id, '_NET_WM_STATE')).length === 2);
    await stillOnly();
    bare.destroy();
    const game = await openTestWindow(other, { ...WHOLE, before: noFrame });
    await told(true, false, true);
    game.destroy();
    await told(true, false, true, false);
  });
});

describe('with no window manager', () => {
  it('a window that covers everything takes the monitor, ours and menus do not', async () => {
    await start();
    await listen();
    const ours = await openTestWindow(other, {
      ...WHOLE,
      overrideRedirect: true,
      before: async (id) => {
        own = [id];
      },
    });
    const game = await openTestWindow(other, { ...WHOLE, overrideRedirect: true });
    await told(true);
    const menu = await openTestWindow(other, { ...SMALL, overrideRedirect: true });
    menu.destroy();
    game.unmap();
    await told(true, false);
    ours.destroy();
    await stillOnly(true, false);
  });

  it('what covers everything and takes no click, as compositing managers draw on it, does not take the monitor', async () => {
    await start();
    await listen();
    await openTestWindow(other, {
      ...WHOLE,
      overrideRedirect: true,
      before: async (id) => other.extensions.shape.Rectangles(SHAPE_SET, SHAPE_INPUT, id, 0, 0, [], YX_BANDED),
    });
    await stillOnly();
  });

  it('a window that grows over everything takes the monitor, and gives it back below another one', async () => {
    await start();
    await listen();
    const game = await openTestWindow(other, SMALL);
    const configure = (values: {
      x?: number;
      y?: number;
      width?: number;
      height?: number;
      stackMode?: number;
    }): void => {
      other.X.ConfigureWindow(game.id, values);
      other.flush();
    };
    configure(WHOLE);
    await told(true);
    await openTestWindow(other, SMALL);
    await told(true, false);
    configure({ stackMode: 0 });
    await told(true, false, true);
  });
});

describe('on two monitors', () => {
  it('only the one with the figure counts, also after that has moved', async () => {
    await start(startXorgDummy());
    await server.run('xrandr', '--output', 'DUMMY0', '--mode', '800x600', '--primary');
    await server.run('xrandr', '--addmode', 'DUMMY1', '1024x768');
    await server.run('xrandr', '--output', 'DUMMY1', '--mode', '1024x768', '--right-of', 'DUMMY0');
    await startOpenbox(server, other);
    const [left, right] = [
      { x: 0, y: 0, width: 800, height: 600 },
      { x: 800, y: 0, width: 1024, height: 768 },
    ];
    const player = await openTestWindow(other, { ...SMALL, x: 1000 });
    await isListed(player);
    monitor = right;
    await listen();
    other.X.ConfigureWindow(player.id, { x: 1000, y: 100 });
    other.flush();
    await setState(player, true, 'FULLSCREEN');
    await told(true);
    monitor = left;
    watch.review();
    await told(true, false);
    expect(heard).toEqual([true, false]);
  });
});
