/** The list of installed packs: from memory where that is still true, from the disk where not. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder, record, writePack } from './library.fixture.ts';
import { openLibrary } from './library.ts';
import type { Library } from './types.ts';

const GHOST = { id: 'org.example.ghost', version: '1.0.0' };
let dataFolder: string;
let library: Library;
let folder: string;
beforeEach(async () => {
  dataFolder = newFolder();
  library = openLibrary(dataFolder);
  const adopted = await library.adopt({ kind: 'path', path: writePack(newFolder(), GHOST) }, { use: true }, record());
  folder = adopted.folder;
});

/** Changes what is remembered, to see whether it is believed. */
function tamper(change: (text: string) => string): void {
  const path = join(dataFolder, 'installed.json');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

describe('what is remembered of a pack', () => {
  it('is told while its folder is as it was', () => {
    tamper((text) => text.replace('"default":"Dot"', '"default":"Remembered"'));
    expect(library.installed()[0]?.manifest?.displayName.default).toBe('Remembered');
  });

  it('is not told once its manifest was written again', () => {
    tamper((text) => text.replace('"default":"Dot"', '"default":"Remembered"'));
    const path = join(folder, 'character.json');
    writeFileSync(path, readFileSync(path));
    expect(library.installed()[0]?.manifest?.displayName.default).toBe('Dot');
  });

  it('is not told once one of its files is gone', () => {
    rmSync(join(folder, 'sheet.png'));
    expect(library.installed()).toMatchObject([{ manifest: null, reason: expect.stringContaining('sheet.png') }]);
  });

  it.each([
    '',
    '{',
    'null',
    '{"rules":0,"packs":{}}',
    '{"rules":1}',
    '{"rules":1,"packs":{"org.example.ghost/1.0.0":null}}',
  ])('harms nothing when it is %j', (text) => {
    tamper(() => text);
    expect(library.installed()).toMatchObject([{ ...GHOST, reason: null }]);
  });

  it('goes with the pack', async () => {
    await library.remove(GHOST.id, GHOST.version);
    expect(library.installed()).toEqual([]);
    expect(readFileSync(join(dataFolder, 'installed.json'), 'utf8')).not.toContain(GHOST.id);
  });
});
