import { afterEach, beforeEach, expect, it } from 'vitest';
import { grabHotkeys, type Hotkeys } from '../../server/window/desk/hotkeys.ts';
import type { Screen } from '../../server/window/x/screen.ts';
import { until } from '../harness.ts';
import { startXvfb, type XServer } from './x-server.ts';

let server: XServer;
let screen: Screen;
let pressed: string[];
const all: Hotkeys[] = [];
const grab = async (focus: string | null, show: string | null, on = screen): Promise<Hotkeys> => {
  const hotkeys = await grabHotkeys(on, { focus, show }, (action) => pressed.push(action));
  all.push(hotkeys);
  return hotkeys;
};
const press = (...keys: readonly string[]): Promise<string> => server.run('xdotool', 'key', ...keys);
const heard = (count: number): Promise<unknown> => until(`${count} presses`, () => pressed.length >= count, 10_000);

beforeEach(async () => {
  server = await startXvfb();
  screen = await server.connect();
  pressed = [];
});
afterEach(async () => {
  for (const hotkeys of all.splice(0)) hotkeys.stop();
  await server.end();
});

it('each press is heard once, whatever the locks are, and other keys are not', async () => {
  const { report } = await grab('Ctrl+Alt+Space', 'Super+F8');
  expect(report()).toEqual([
    { action: 'focus', keys: 'Ctrl+Alt+Space', grabbed: true },
    { action: 'show', keys: 'Super+F8', grabbed: true },
  ]);
  await press('ctrl+alt+space');
  await press('alt+space', 'ctrl+space', 'F8', 'ctrl+alt+shift+space');
  await press('Num_Lock', 'ctrl+alt+space');
  await press('Caps_Lock', 'ctrl+alt+space', 'super+F8');
  await press('Num_Lock', 'super+F8');
  await heard(5);
  expect(pressed).toEqual(['focus', 'focus', 'focus', 'show', 'show']);
});

it('a key that is held is one press', async () => {
  await server.run('xset', 'r', 'rate', '60', '100');
  await grab('Ctrl+Alt+Space', null);
  let repeated = 0;
  screen.on((event) => {
    if (event.name === 'KeyPress') repeated += 1;
  });
  await server.run('xdotool', 'keydown', 'ctrl', 'keydown', 'alt', 'keydown', 'space');
  await until('the server repeats', () => repeated > 5);
  await server.run('xdotool', 'keyup', 'space', 'keyup', 'alt', 'keyup', 'ctrl');
  expect(pressed).toEqual(['focus']);
  await press('ctrl+alt+space');
  await heard(2);
  expect(pressed).toEqual(['focus', 'focus']);
});

it('a key that another program has is reported, and the other one works', async () => {
  await grab('Ctrl+Alt+Space', null, await server.connect());
  const { report } = await grab('Ctrl+Alt+Space', 'Ctrl+Alt+H');
  expect(report().map(({ grabbed }) => grabbed)).toEqual([false, true]);
  await press('ctrl+alt+space', 'ctrl+alt+h');
  await heard(2);
  expect(pressed).toEqual(['focus', 'show']);
});

it('what means nothing is reported as not grabbed', async () => {
  const { report } = await grab('Hyper+Q', null);
  expect(report()).toEqual([{ action: 'focus', keys: 'Hyper+Q', grabbed: false }]);
});

it('after another layout the key is where its letter is now', async () => {
  await grab(null, 'Ctrl+Alt+Z');
  await press('ctrl+alt+z');
  await heard(1);
  // Where Z is in the one layout, Y is in the other.
  await server.run('setxkbmap', 'de');
  await until('the key is found again', async () => {
    await press('ctrl+alt+z');
    return pressed.length > 1;
  });
});

it('a keyboard that is only told anew lets nobody else have the key', async () => {
  await grab('Ctrl+Alt+Space', null);
  const rival = await server.connect();
  let mappings = 0;
  screen.on(({ name }) => {
    if (name === 'MappingNotify') mappings += 1;
  });
  let isOver = false;
  const rivalry = (async () => {
    while (!isOver) if ((await grab('Ctrl+Alt+Space', null, rival)).report()[0]?.grabbed) return 'taken';
    return 'kept';
  })();
  for (let times = 0; times < 5; times += 1) {
    const before = mappings;
    await server.run('setxkbmap', 'us');
    await until('the keyboard is told anew', () => mappings > before);
  }
  isOver = true;
  expect(await rivalry).toBe('kept');
});

it('what was stopped is free for others', async () => {
  const first = await grab('Ctrl+Alt+Space', null);
  first.stop();
  const { report } = await grab('Ctrl+Alt+Space', null, await server.connect());
  expect(report()[0]?.grabbed).toBe(true);
});
