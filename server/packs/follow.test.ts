/** What a wardrobe follows is kept with it, changed by nothing else, and given up without a trace. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFolder, record, writePack } from './library.fixture.ts';
import { openLibrary } from './library.ts';
import type { Library } from './types.ts';

let data: string;
let library: Library;
beforeEach(() => {
  data = join(newFolder(), 'data');
  library = openLibrary(data);
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const CODEX = { name: 'codex', folder: '/home/someone/.codex/pets' };

test('following twice is following once, and other changes leave it be', async () => {
  await library.follow(CODEX);
  await library.follow(CODEX);
  await library.setCurrent('builtin.moss');
  const pack = writePack(newFolder(), { id: 'org.example.ghost', version: '1.0.0' });
  await library.adopt({ kind: 'path', path: pack }, { use: true }, record());
  await library.remove('org.example.ghost', '1.0.0');
  expect(library.active()).toMatchObject({ follows: [CODEX], current: 'builtin.moss', packs: {} });
});

test('each wardrobe follows for itself', async () => {
  await library.follow(CODEX);
  await library.createWardrobe('other');
  await library.switchWardrobe('other');
  expect(library.active().follows).toEqual([]);
  await library.switchWardrobe('default');
  expect(library.active().follows).toEqual([CODEX]);
});

test('what was chosen of a folder that is followed no more is not chosen any more', async () => {
  await library.follow(CODEX);
  await library.follow({ name: 'code', folder: '/elsewhere' });
  await library.setCurrent('pets.codex.ghost');
  expect(await library.unfollow('code')).toEqual({ name: 'code', folder: '/elsewhere' });
  expect(library.active()).toMatchObject({ follows: [CODEX], current: 'pets.codex.ghost' });
  await library.unfollow('codex');
  expect(library.active()).toMatchObject({ follows: [], current: null });
  expect(readFileSync(join(library.active().folder, 'wardrobe.json'), 'utf8')).not.toContain('follows');
});

test.each([
  [{ name: 'Codex', folder: '/elsewhere' }, 'lower-case letters'],
  [{ name: 'a.b', folder: '/elsewhere' }, 'lower-case letters'],
  [{ name: 'codex', folder: '/elsewhere' }, 'Another folder is followed as codex: /home/someone/.codex/pets'],
  [{ name: 'mine', folder: CODEX.folder }, 'is followed already, as codex'],
])('%j is refused beside it', async (followed, reason) => {
  await library.follow(CODEX);
  await expect(library.follow(followed)).rejects.toMatchObject({
    code: 'E_INVALID_INPUT',
    message: expect.stringContaining(reason),
  });
  expect(library.active().follows).toEqual([CODEX]);
});

test('nine folders are too many', async () => {
  for (let at = 1; at <= 8; at += 1) await library.follow({ name: `f${at}`, folder: `/f/${at}` });
  await expect(library.follow(CODEX)).rejects.toThrow('At most 8 folders are followed');
});

test('what is not followed cannot be given up', async () => {
  await expect(library.unfollow('codex')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  await library.follow(CODEX);
  await expect(library.unfollow('mine')).rejects.toThrow('followed are: codex');
});

test.each([
  ['a list', []],
  ['a bare path', ['/home']],
  ['a name that makes no ID', [{ name: '../x', folder: '/home' }]],
])('a wardrobe’s file with %s of folders is read, or refused as a whole', (_, follows) => {
  const folder = join(data, 'wardrobes', 'default');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'wardrobe.json'), JSON.stringify({ packs: {}, current: null, follows }));
  const { reason } = library.active();
  expect(reason === null).toBe(follows.length === 0);
});
