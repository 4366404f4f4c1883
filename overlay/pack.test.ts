/** What is fetched ahead of a character that is coming, and for how long it waits. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Cells } from './cells.ts';
import { createTestClock } from './clock.ts';
import { fetchAhead, fetchPack } from './pack.ts';

const FOLDER = '/overlay/characters/test.ahead/a/';
const idle = { frames: [{ image: 'one', cell: 0, duration: 100 }], loop: true, stillFrame: 0 };
const manifest = { images: ['one', 'two'].map((id) => ({ id, file: `${id}.png` })), clips: { idle } };
let fetched: string[];

beforeEach(() => {
  fetched = [];
  vi.stubGlobal('fetch', async (address: string) => {
    fetched.push(address.slice(FOLDER.length));
    return { ok: true, json: async () => manifest, blob: async () => ({}) };
  });
});
afterEach(() => vi.unstubAllGlobals());

const cells = (files: (image: string) => Promise<unknown>): Cells =>
  ({ open: () => files('one'), close: () => {} }) as unknown as Cells;

test('manifest and first sheet are there when the character is, and nothing else', async () => {
  const clock = createTestClock();
  fetchAhead(FOLDER, clock);
  await vi.waitFor(() => expect(fetched).toEqual(['character.json', 'one.png']));
  const pack = await fetchPack(FOLDER, (_, files) => cells(files));
  expect(fetched).toHaveLength(2);
  clock.advance(5_000);
  pack.close();
});

test('a character that does not come is given up', async () => {
  const clock = createTestClock();
  fetchAhead(FOLDER, clock);
  await vi.waitFor(() => expect(fetched).toHaveLength(2));
  clock.advance(5_000);
  const pack = await fetchPack(FOLDER, (_, files) => cells(files));
  expect(fetched).toHaveLength(4);
  pack.close();
});
