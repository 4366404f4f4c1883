/** Wardrobes and indexes: what is written, what is refused. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder } from './library.fixture.ts';
import { openLibrary } from './library.ts';

describe('wardrobes', () => {
  it('are made, switched to and removed', async () => {
    const dataFolder = newFolder();
    const library = openLibrary(dataFolder);
    expect(await library.createWardrobe('work')).toMatchObject({ name: 'work', isActive: false, packs: {} });
    expect(await library.switchWardrobe('work')).toMatchObject({ name: 'work', isActive: true });
    await library.setCurrent('org.example.ghost');
    expect(library.active()).toMatchObject({ name: 'work', current: 'org.example.ghost' });
    expect(library.wardrobes().map(({ name }) => name)).toEqual(['work', 'default']);
    await library.switchWardrobe('default');
    expect(library.active().current).toBe(null);
    await library.removeWardrobe('work');
    expect(library.wardrobes().map(({ name }) => name)).toEqual(['default']);
    expect(existsSync(join(dataFolder, 'wardrobes/work'))).toBe(false);
  });

  it.each(['current', 'bad name', '', 'a/b', '..', 'work', 'default', 'x'.repeat(65)])(
    'cannot be named %j',
    async (name) => {
      const library = openLibrary(newFolder());
      await library.createWardrobe('work');
      await expect(library.createWardrobe(name)).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
      expect(library.wardrobes()).toHaveLength(2);
    },
  );

  it('may be named as what every object inherits', async () => {
    const library = openLibrary(newFolder());
    for (const name of ['__proto__', 'constructor']) await library.createWardrobe(name, join(newFolder(), 'own'));
    expect((await library.switchWardrobe('__proto__')).name).toBe('__proto__');
    await library.switchWardrobe('default');
    await library.removeWardrobe('constructor');
    expect(library.wardrobes().map(({ name }) => name)).toEqual(['default', '__proto__']);
  });

  it('that are active, the default one or unknown are not removed', async () => {
    const library = openLibrary(newFolder());
    await library.createWardrobe('work');
    await library.switchWardrobe('work');
    await expect(library.removeWardrobe('work')).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
    await expect(library.removeWardrobe('default')).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
    await expect(library.removeWardrobe('none')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(library.switchWardrobe('none')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('in a folder of the user’s own take nothing of the user’s with them', async () => {
    const library = openLibrary(newFolder());
    const own = join(newFolder(), 'mine');
    mkdirSync(own);
    writeFileSync(join(own, 'notes.txt'), 'mine');
    await library.createWardrobe('work', own);
    expect(library.wardrobes()[1]).toMatchObject({ name: 'work', folder: own });
    await expect(library.createWardrobe('other', own)).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
    await library.removeWardrobe('work');
    expect(readdirSync(own)).toEqual(['notes.txt']);
    expect(library.wardrobes()).toHaveLength(1);
  });

  it('that went missing make room for the default one', async () => {
    const dataFolder = newFolder();
    writeFileSync(join(dataFolder, 'library.json'), '{"active":"gone","indexes":[],"folders":{}}');
    expect(openLibrary(dataFolder).active()).toMatchObject({ name: 'default', isActive: true });
  });

  it.each([
    ['is not JSON', '{'],
    ['/packs', '{"packs":{"org.a.b":"../../x"},"current":null}'],
    ['/current', '{"packs":{},"current":"../x"}'],
  ])('whose file is wrong say why: %s', (reason, text) => {
    const dataFolder = newFolder();
    mkdirSync(join(dataFolder, 'wardrobes/default'), { recursive: true });
    writeFileSync(join(dataFolder, 'wardrobes/default/wardrobe.json'), text);
    expect(openLibrary(dataFolder).active()).toMatchObject({ packs: {}, reason: expect.stringContaining(reason) });
  });
});

describe('the library’s own file', () => {
  it('is not written over when it cannot be read', async () => {
    const dataFolder = newFolder();
    const library = openLibrary(dataFolder);
    writeFileSync(join(dataFolder, 'library.json'), 'mine');
    expect(() => library.active()).toThrow(expect.objectContaining({ code: 'E_INVALID_INPUT' }));
    await expect(library.addIndex({ name: 'here', url: '/packs' })).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
    expect(readFileSync(join(dataFolder, 'library.json'), 'utf8')).toBe('mine');
  });
});

describe('indexes', () => {
  it('are added, replaced under the same name, and removed once', async () => {
    const library = openLibrary(newFolder());
    await library.addIndex({ name: 'one', url: '/packs' });
    await library.addIndex({ name: 'two', url: 'https://example.org/packs' });
    await library.addIndex({ name: 'one', url: 'file:///others' });
    expect(library.indexes()).toEqual([
      { name: 'one', url: 'file:///others' },
      { name: 'two', url: 'https://example.org/packs' },
    ]);
    await library.removeIndex('one');
    await expect(library.removeIndex('one')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it.each([
    ['one', 'ftp://example.org/'],
    ['one', 'https://user:secret@example.org/'],
    ['one', 'https://example.org/?key=secret'],
    ['one', 'javascript:0'],
    ['one', 'http://['],
    ['one', ' '],
    ['../one', '/packs'],
    ['', '/packs'],
  ])('%j at %j are refused', async (name, url) => {
    const library = openLibrary(newFolder());
    const error = await library.addIndex({ name, url }).catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 'E_INVALID_INPUT' });
    expect((error as Error).message).not.toContain('secret');
    expect(library.indexes()).toEqual([]);
  });
});
