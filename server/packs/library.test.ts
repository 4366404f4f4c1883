import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkPack } from './adopt.ts';
import { newFolder, record, writeIndex, writePack } from './library.fixture.ts';
import { openLibrary } from './library.ts';
import type { Library } from './types.ts';

const signal = new AbortController().signal;

/** A library with one index `here` over these packs. */
async function libraryWith(packs: Parameters<typeof writeIndex>[0], change?: Parameters<typeof writeIndex>[1]) {
  const dataFolder = join(newFolder(), 'data');
  const library = openLibrary(dataFolder);
  const index = await writeIndex(packs, change);
  await library.addIndex({ name: 'here', url: index });
  return { library, dataFolder, index };
}

async function install(library: Library, targets: readonly string[], use = false) {
  const { offered } = await library.offers(signal);
  const steering = record();
  const installed = await library.install(library.plan(targets, offered), { use }, steering);
  return { installed, steering };
}

const GHOST = { id: 'org.example.ghost', version: '1.0.0' };

describe('a library', () => {
  it('that is not there yet is empty, and has a default wardrobe', () => {
    const dataFolder = join(newFolder(), 'none');
    const library = openLibrary(dataFolder);
    expect(library.installed()).toEqual([]);
    expect(library.indexes()).toEqual([]);
    expect(library.active()).toMatchObject({ name: 'default', isActive: true, packs: {}, current: null, reason: null });
    expect(existsSync(dataFolder)).toBe(false);
  });

  it('installs what an index offers, and leaves nothing beside it', async () => {
    const { library, dataFolder } = await libraryWith([GHOST]);
    const { installed, steering } = await install(library, ['ghost']);
    expect(installed).toEqual([GHOST]);
    expect(steering.packs).toEqual([['org.example:ghost@1.0.0', null]]);
    expect(steering.downloads.at(-1)).toMatchObject([{ finished: true, success: true }]);
    expect(library.installed()).toMatchObject([{ ...GHOST, reason: null }]);
    expect(library.active().packs).toEqual({ 'org.example.ghost': '1.0.0' });
    expect(readdirSync(join(dataFolder, 'packs/org.example.ghost/1.0.0')).sort()).toEqual([
      'character.json',
      'sheet.png',
    ]);
    expect(readdirSync(join(dataFolder, 'tmp'))).toEqual([]);
    expect(readdirSync(dataFolder).sort()).toEqual(['installed.json', 'library.json', 'packs', 'tmp', 'wardrobes']);
  });

  it('shows a pack whose files were taken away as broken, and lets it go', async () => {
    const { library, dataFolder } = await libraryWith([GHOST]);
    await install(library, ['ghost']);
    rmSync(join(dataFolder, 'packs', GHOST.id), { recursive: true });
    expect(library.installed()).toMatchObject([
      { ...GHOST, manifest: null, reason: expect.stringContaining('missing') },
    ]);
    await library.remove(GHOST.id, GHOST.version);
    expect([library.installed(), library.active().packs]).toEqual([[], {}]);
    await install(library, ['ghost']);
    expect(library.installed()).toMatchObject([{ reason: null }]);
  });

  it('installs what is required first, and a pack that fails harms no other but those that need it', async () => {
    const base = { id: 'org.example.base', version: '1.2.0' };
    const top = { id: 'org.example.top', version: '1.0.0', requires: ['org.example.base@1'] };
    const { library } = await libraryWith([top, base, GHOST], (pack) =>
      pack.id === base.id ? { ...pack, sha256: '0'.repeat(64) } : pack,
    );
    const { installed, steering } = await install(library, ['top', 'ghost']);
    expect(installed).toEqual([GHOST]);
    expect(steering.packs).toEqual([
      ['org.example:base@1.2.0', 'E_INVALID_INPUT'],
      ['org.example:top@1.0.0', 'E_NOT_FOUND'],
      ['org.example:ghost@1.0.0', null],
    ]);
    expect(steering.errors[0]?.message).toMatch(/org\.example\.base-1\.2\.0\.zip: .*SHA-256/);
  });

  it('lists a broken pack with its reason', async () => {
    const { library, dataFolder } = await libraryWith([GHOST]);
    await install(library, ['ghost']);
    mkdirSync(join(dataFolder, 'packs/org.example.ghost/2.0.0'));
    expect(library.installed()).toMatchObject([
      { version: '1.0.0', reason: null },
      { version: '2.0.0', manifest: null, reason: expect.stringContaining('character.json') },
    ]);
  });

  it('says that a wardrobe’s file cannot be read, and writes nothing over it', async () => {
    const { library, dataFolder } = await libraryWith([GHOST]);
    mkdirSync(join(dataFolder, 'wardrobes/default'), { recursive: true });
    writeFileSync(join(dataFolder, 'wardrobes/default/wardrobe.json'), '{"packs":');
    expect(library.active().reason).toMatch(/wardrobe\.json: is not JSON/);
    await expect(install(library, ['ghost'])).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
    await expect(library.setCurrent('org.example.ghost')).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
    expect(library.installed()).toEqual([]);
  });
});

describe('adopting', () => {
  it('takes a folder, and the same folder again, but not another content under the same version', async () => {
    const library = openLibrary(newFolder());
    const folder = writePack(newFolder(), GHOST);
    const pack = await library.adopt({ kind: 'path', path: folder }, { use: true }, record());
    expect(pack).toMatchObject({ ...GHOST, reason: null });
    await library.adopt({ kind: 'path', path: folder }, { use: true }, record());
    writeFileSync(join(folder, 'LICENSE'), 'free');
    await expect(library.adopt({ kind: 'path', path: folder }, { use: true }, record())).rejects.toMatchObject({
      code: 'E_INVALID_INPUT',
    });
    expect(library.active().packs).toEqual({ 'org.example.ghost': '1.0.0' });
  });

  it('refuses a pack with an ID of this program’s own, which would never be shown', async () => {
    const library = openLibrary(newFolder());
    const path = writePack(newFolder(), { id: 'builtin.nib', version: '1.0.0' });
    const refusal = { code: 'E_INVALID_INPUT', message: expect.stringContaining('comes with the program') };
    await expect(library.adopt({ kind: 'path', path }, { use: true }, record())).rejects.toMatchObject(refusal);
    await expect(checkPack(path, signal)).rejects.toMatchObject(refusal);
    expect([library.installed(), library.active().packs]).toEqual([[], {}]);
  });
});

describe('removing', () => {
  it('takes a version off the disk only when no other wardrobe has it', async () => {
    const { library, dataFolder } = await libraryWith([GHOST]);
    await install(library, ['ghost']);
    await library.setCurrent('org.example.ghost');
    await library.createWardrobe('work');
    await library.switchWardrobe('work');
    await install(library, ['ghost']);
    await library.remove('org.example.ghost', '1.0.0');
    expect(library.installed()).toHaveLength(1);
    await expect(library.remove('org.example.ghost', '1.0.0')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await library.switchWardrobe('default');
    await library.remove('org.example.ghost', '1.0.0');
    expect(library.installed()).toEqual([]);
    expect(library.active()).toMatchObject({ packs: {}, current: null });
    expect(readdirSync(join(dataFolder, 'packs'))).toEqual([]);
  });
});
