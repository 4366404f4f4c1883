import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Monitor } from '../../server/window/desk/geometry.ts';
import { type MonitorWatch, watchMonitors } from '../../server/window/desk/monitors.ts';
import type { Screen } from '../../server/window/x/screen.ts';
import { until } from '../harness.ts';
import { openTestWindow, startOpenbox, startXorgDummy, startXvfb, type XServer } from './x-server.ts';

const dock =
  (screen: Screen, strut: readonly number[]) =>
  async (id: number): Promise<void> => {
    await screen.setNumbers(id, '_NET_WM_WINDOW_TYPE', 'ATOM', [await screen.atom('_NET_WM_WINDOW_TYPE_DOCK')]);
    await screen.setNumbers(id, '_NET_WM_STRUT_PARTIAL', 'CARDINAL', strut);
  };
const brief = (monitors: readonly Monitor[]): string[] =>
  monitors.map(({ name, box: b, workArea: w }) => {
    const cut = [w.x - b.x, w.y - b.y, b.x + b.width - w.x - w.width, b.y + b.height - w.y - w.height].join();
    return `${name} ${b.width}x${b.height}+${b.x}+${b.y} ${cut}`;
  });

let server: XServer;
let watch: MonitorWatch;
let heard: string[][];
const start = async (starting: Promise<XServer>): Promise<Screen> => {
  server = await starting;
  const screen = await server.connect();
  heard = [];
  watch = await watchMonitors(screen, (monitors) => heard.push(brief(monitors)));
  return server.connect();
};
afterEach(async () => {
  watch?.stop();
  await server?.end();
});

describe('monitors under a window manager', () => {
  it('lose what a panel takes and get it back, and nothing is told while nothing differs', async () => {
    const other = await start(startXvfb());
    await startOpenbox(server, other);
    expect(brief(watch.list())).toEqual(['screen 1280x800+0+0 0,0,0,0']);

    const panel = await openTestWindow(other, {
      ...{ x: 0, y: 760, width: 1280, height: 40 },
      before: dock(other, [0, 0, 0, 40, 0, 0, 0, 0, 0, 0, 0, 1279]),
    });
    await until('the panel counts', () => brief(watch.list())[0] === 'screen 1280x800+0+0 0,0,0,40');

    await dock(other, [0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 1279])(panel.id);
    other.flush();
    await until('the larger panel counts', () => brief(watch.list())[0]?.endsWith('0,0,0,64'));

    const plain = await openTestWindow(other, { x: 100, y: 100, width: 200, height: 200 });
    panel.destroy();
    await until('the panel has gone', () => brief(watch.list())[0]?.endsWith('0,0,0,0'));
    plain.destroy();
    expect(heard.map(([line]) => line?.split(' ').at(-1))).toEqual(['0,0,0,40', '0,0,0,64', '0,0,0,0']);
  });
});

describe('monitors that come and go', () => {
  const first = 'DUMMY0 800x600+0+0 0,0,0,0';
  let other: Screen;
  const addSecond = async (...more: readonly string[]): Promise<void> => {
    await server.run('xrandr', '--addmode', 'DUMMY1', '1024x768');
    await server.run('xrandr', '--output', 'DUMMY1', '--mode', '1024x768', '--right-of', 'DUMMY0', ...more);
    await until('two are there', () => watch.list().length === 2);
  };
  beforeEach(async () => {
    other = await start(startXorgDummy());
    await server.run('xrandr', '--output', 'DUMMY0', '--mode', '800x600', '--primary');
    await until('the first is small', () => brief(watch.list())[0] === first);
  });

  it('are told with their names and places, the primary first', async () => {
    await addSecond('--primary');
    await until('the second is the primary', () => watch.list()[0]?.name === 'DUMMY1');
    expect(brief(watch.list())).toEqual(['DUMMY1 1024x768+800+0 0,0,0,0', first]);
    await server.run('xrandr', '--output', 'DUMMY1', '--off');
    await until('one is left', () => watch.list().length === 1);
    expect(brief(watch.list())).toEqual([first]);
    expect(heard.at(-1)).toEqual([first]);
  });

  it('keep their own work areas', async () => {
    await startOpenbox(server, other);
    await addSecond();
    await openTestWindow(other, {
      ...{ x: 0, y: 560, width: 800, height: 40 },
      // From the lower side of the root, which is that of the other, higher monitor.
      before: dock(other, [0, 0, 0, 208, 0, 0, 0, 0, 0, 0, 0, 799]),
    });
    await until('the panel counts', () => watch.list()[0]?.workArea.height === 560);
    expect(brief(watch.list())).toEqual(['DUMMY0 800x600+0+0 0,0,0,40', 'DUMMY1 1024x768+800+0 0,0,0,0']);
  });

  it('that are all off leave the list as it was', async () => {
    await server.run('xrandr', '--output', 'DUMMY0', '--off');
    await server.run('xrandr', '--output', 'DUMMY0', '--mode', '640x480');
    await until('the first is back', () => watch.list()[0]?.box.width === 640);
    expect(heard.map(([line]) => line)).toEqual([expect.any(String), 'DUMMY0 640x480+0+0 0,0,0,0']);
  });
});
