/** Files are fetched once for all who hold them, when they are asked for, and again after the last has let go. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdPackFiles, type PackFiles } from './pack-files.ts';

const FOLDER = '/overlay/characters/test.files/a/';
let fetched: string[];
let missing: string;
let holders: PackFiles[];

const hold = (): PackFiles => {
  const files = holdPackFiles(FOLDER);
  holders.push(files);
  return files;
};

beforeEach(() => {
  [fetched, missing, holders] = [[], '', []];
  vi.stubGlobal('fetch', async (address: string) => {
    const file = address.slice(FOLDER.length);
    fetched.push(file);
    const images = ['one', 'two'].map((id) => ({ id, file: `${id}.png` }));
    return { ok: file !== missing, status: 404, json: async () => ({ images }), blob: async () => `blob of ${file}` };
  });
});
afterEach(() => {
  for (const files of holders) files.release();
  vi.unstubAllGlobals();
});

test('each file is fetched when it is asked for, once for all holders', async () => {
  const [first, second] = [hold(), hold()];
  await first.manifest;
  expect(fetched).toEqual(['character.json']);
  expect(await first.images('two')).toEqual({ file: 'two.png', blob: 'blob of two.png' });
  expect(await second.images('two')).toEqual({ file: 'two.png', blob: 'blob of two.png' });
  expect(fetched).toEqual(['character.json', 'two.png']);
});

test('nothing is kept after the last holder', async () => {
  const [first, second] = [hold(), hold()];
  await first.images('one');
  for (const files of holders.splice(0)) files.release();
  await hold().images('one');
  expect(fetched).toEqual(['character.json', 'one.png', 'character.json', 'one.png']);
  expect([first, second]).toHaveLength(2);
});

test('what is missing is told by its name', async () => {
  missing = 'one.png';
  await expect(hold().images('one')).rejects.toMatchObject({ name: 'FileTrouble', file: 'one.png' });
  for (const files of holders.splice(0)) files.release();
  missing = 'character.json';
  await expect(hold().manifest).rejects.toMatchObject({ file: 'character.json' });
});
