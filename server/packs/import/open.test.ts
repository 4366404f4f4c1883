/** Sources on the disk: folders, single files and zips; links are listed and never opened, and limits are kept. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findCharacters, findOwnPack, openSource } from './find.ts';
import { VERBS } from './source.fixture.ts';
import { findFile, type SourceTree } from './source.ts';
import { makeZip } from './zip.fixture.ts';

const { signal } = new AbortController();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'source-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string, data: string | Uint8Array = ''): string => {
  writeFileSync(join(folder, name), data);
  return join(folder, name);
};

async function withSource<Result>(path: string, work: (tree: SourceTree) => Promise<Result>): Promise<Result> {
  const tree = await openSource(path, signal);
  try {
    return await work(tree);
  } finally {
    tree.close();
  }
}

describe('a folder', () => {
  test('is its regular files; what systems leave behind is not seen, and links are closed', async () => {
    mkdirSync(join(folder, 'img'));
    for (const name of ['a.gif', 'img/b.png', '.DS_Store', 'Thumbs.db']) inFolder(name, name);
    symlinkSync('/etc/passwd', join(folder, 'link.png'));
    symlinkSync('/etc', join(folder, 'etc'));
    await withSource(folder, async (tree) => {
      expect([tree.files, [...tree.closed].sort()]).toEqual([
        ['a.gif', 'img/b.png'],
        ['etc', 'link.png'],
      ]);
      expect(Buffer.from(await tree.read('img/b.png')).toString()).toBe('img/b.png');
      expect(() => findFile(tree, 'link.png')).toThrow('is a link');
    });
  });

  test('whose file has become a link, or nothing, since it was listed is told in words', async () => {
    inFolder('a.gif');
    await withSource(folder, async (tree) => {
      rmSync(join(folder, 'a.gif'));
      symlinkSync('/etc/hostname', join(folder, 'a.gif'));
      await expect(tree.read('a.gif')).rejects.toThrow('a.gif cannot be read: ELOOP');
      rmSync(join(folder, 'a.gif'));
      await expect(tree.read('a.gif')).rejects.toThrow('a.gif cannot be read: it is not there');
    });
  });

  test('of too many files is refused', async () => {
    for (let index = 0; index <= 4_096; index += 1) inFolder(`${index}`);
    await expect(openSource(folder, signal)).rejects.toThrow('there are more than 4096 files in this folder');
  });
});

test('a single file is what was chosen, and sees those beside it only', async () => {
  mkdirSync(join(folder, 'deep'));
  inFolder('deep/c.png');
  const path = inFolder('cat.json', '{}');
  inFolder('cat.png');
  await withSource(path, async ({ name, chosen, files }) => {
    expect([name, chosen, files]).toEqual(['cat', 'cat.json', ['cat.json', 'cat.png']]);
  });
});

describe('a zip', () => {
  test('gives whole files, however long and whatever it is called', async () => {
    const data = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => (index * 7 + (index >> 12)) & 255));
    const path = inFolder(
      'cat.shimeji',
      makeZip([
        { name: 'img/long.bin', data },
        { name: '__MACOSX/x', data: Buffer.alloc(1) },
      ]),
    );
    await withSource(path, async (tree) => {
      expect([tree.name, tree.files]).toEqual(['cat', ['img/long.bin']]);
      expect(Buffer.from(await tree.read('img/long.bin')).equals(data)).toBe(true);
    });
  });

  test.each<[string, string, number | undefined]>([
    ['../a.gif', 'leads out of the archive', undefined],
    ['/a.gif', 'absolute path', undefined],
    ['C:\\a.gif', 'absolute path', undefined],
    ['a.gif', 'is a link', 0o120777],
  ])('with %s is refused', async (name, reason, mode) => {
    const path = inFolder('a.zip', makeZip([{ name, data: Buffer.from('x'), ...(mode !== undefined && { mode }) }]));
    await expect(openSource(path, signal)).rejects.toThrow(reason);
  });

  test.each([
    ['is empty', Buffer.alloc(0)],
    ['is cut off', makeZip([{ name: 'a.gif', data: Buffer.alloc(99) }]).subarray(0, 60)],
    ['is something else', Buffer.from('hello')],
  ])('that %s is refused by its name', async (_what, bytes) => {
    const path = inFolder('cat.zip', bytes);
    await expect(openSource(path, signal)).rejects.toThrow('cat.zip is no zip, or cut off');
  });
});

test('what is not there, or is a program, is refused in words', async () => {
  await expect(openSource(join(folder, 'none'), signal)).rejects.toThrow('none cannot be read: it is not there');
  await expect(openSource(inFolder('a.jar'), signal)).rejects.toThrow('this is a program');
  await expect(openSource('/dev/null', signal)).rejects.toThrow('neither a folder nor a regular file');
});

test('our own packs are known, at the top or in one folder', async () => {
  mkdirSync(join(folder, 'x'));
  inFolder('x/character.json', '{}');
  expect(await withSource(folder, async (tree) => findOwnPack(tree))).toBe('x');
  expect(await withSource(join(folder, 'x'), async (tree) => findOwnPack(tree))).toBe('');
  expect(await withSource(join(folder, 'x', 'character.json'), async (tree) => findOwnPack(tree))).toBe('');
  mkdirSync(join(folder, 'y'));
  writeFileSync(join(folder, 'y', 'character.json'), '{}');
  await expect(withSource(folder, async (tree) => findOwnPack(tree))).rejects.toThrow('there are 2 packs in it: x, y');
});

test('a source without anything known says what would be', async () => {
  inFolder('notes.txt');
  await withSource(folder, async (tree) => {
    await expect(findCharacters(tree, VERBS)).rejects.toMatchObject({ hint: expect.stringContaining('grid.json') });
  });
});
