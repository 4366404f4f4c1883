import { afterEach, beforeEach, it } from 'vitest';
import { watchScreenSaver } from '../../server/window/desk/lock-by-x.ts';
import type { Screen } from '../../server/window/x/screen.ts';
import { until } from '../harness.ts';
import { startXvfb, type XServer } from './x-server.ts';

let server: XServer;
let other: Screen;
let heard: boolean[];
let stop: () => void;
const told = (...expected: readonly boolean[]): Promise<unknown> =>
  until(`told ${expected}, not ${heard}`, () => `${heard}` === `${expected}`, 10_000);

beforeEach(async () => {
  server = await startXvfb();
  other = await server.connect();
  heard = [];
  stop = watchScreenSaver(await server.connect(), (isOn) => heard.push(isOn)).stop;
});
afterEach(async () => {
  stop();
  await server.end();
});

it("the server's screen saver is told when it begins and when it ends", async () => {
  await server.run('xset', 's', 'activate');
  await told(true);
  await server.run('xset', 's', 'reset');
  await told(true, false);
});

it('xscreensaver is told by what it writes on the root', async () => {
  const write = async (name: string | null): Promise<void> => {
    const doing = name === null ? 0 : await other.atom(name);
    await other.setNumbers(other.root, '_SCREENSAVER_STATUS', 'CARDINAL', [doing, 1_700_000_000, 1]);
    other.flush();
  };
  await write('BLANK');
  await told(true);
  await write('LOCK');
  await write(null);
  await told(true, false);
  await write('LOCK');
  await told(true, false, true);
});
