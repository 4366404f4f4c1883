/** Good packs are loaded, broken ones named; nothing throws. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadCharacters } from './load.ts';
import { TEST_MANIFEST, writeTestCharacter } from './testing.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'characters-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The one reason why the pack in `root` is unavailable. */
const reason = (): string => {
  const { characters, unavailable } = loadCharacters(root);
  expect(characters).toEqual([]);
  expect(unavailable).toHaveLength(1);
  return unavailable[0]?.reason ?? '';
};

describe('loadCharacters', () => {
  test('reads a good pack with its folder', () => {
    const folder = writeTestCharacter(root);
    expect(loadCharacters(root)).toEqual({ characters: [{ manifest: TEST_MANIFEST, folder }], unavailable: [] });
  });

  test('keeps the good packs in the order of their IDs when another is broken', () => {
    writeTestCharacter(root, { ...TEST_MANIFEST, id: 'test.b' }, 'test.b');
    writeTestCharacter(root, { ...TEST_MANIFEST, id: 'test.a' }, 'test.a');
    writeTestCharacter(root, {}, 'test.c');
    const { characters, unavailable } = loadCharacters(root);
    expect(characters.map(({ manifest }) => manifest.id)).toEqual(['test.a', 'test.b']);
    expect(unavailable.map(({ id }) => id)).toEqual(['test.c']);
  });

  test('finds no characters in a folder that is not there, and none in loose files', () => {
    expect(loadCharacters(join(root, 'missing'))).toEqual({ characters: [], unavailable: [] });
    writeFileSync(join(root, 'README'), '');
    expect(loadCharacters(root)).toEqual({ characters: [], unavailable: [] });
  });

  test('names a missing manifest', () => {
    mkdirSync(join(root, 'test.dot'));
    expect(reason()).toBe('character.json is missing');
  });

  test('names a manifest that is no JSON', () => {
    writeFileSync(join(writeTestCharacter(root), 'character.json'), '{');
    expect(reason()).toContain('character.json is not JSON');
  });

  test('names a manifest that is too long, before reading it as JSON', () => {
    writeFileSync(join(writeTestCharacter(root), 'character.json'), ' '.repeat(65_537));
    expect(reason()).toContain('has 65537 bytes');
  });

  test('tells the first reasons and how many more there are', () => {
    writeTestCharacter(root, { id: 'x' });
    expect(reason()).toMatch(/^character.json: \/schema: is missing; .*; and \d+ more$/);
  });

  test('names a folder that does not bear the ID', () => {
    writeTestCharacter(root, TEST_MANIFEST, 'dot');
    expect(reason()).toBe('the folder must be named test.dot, as its ID');
  });

  test('names a missing image', () => {
    rmSync(join(writeTestCharacter(root), 'sheet.png'));
    expect(reason()).toBe('sheet.png is missing');
  });

  test('names an image that is no PNG, or one cut before its size', () => {
    const sheet = join(writeTestCharacter(root), 'sheet.png');
    truncateSync(sheet, 20);
    expect(reason()).toBe('sheet.png is cut off');
    writeFileSync(sheet, 'x'.repeat(64));
    expect(reason()).toBe('sheet.png is neither a PNG nor a WebP image');
  });

  test('names an image of another size than the manifest says', () => {
    const [image] = TEST_MANIFEST.images;
    writeTestCharacter(root, { ...TEST_MANIFEST, images: [{ ...image, w: 33 }] });
    expect(reason()).toBe('sheet.png is 32 x 16 pixels, the manifest says 33 x 16');
  });

  test('follows no link out of the pack', () => {
    const folder = writeTestCharacter(root);
    const outside = mkdtempSync(join(tmpdir(), 'characters-outside-'));
    rmSync(join(folder, 'sheet.png'));
    symlinkSync(join(writeTestCharacter(outside), 'sheet.png'), join(folder, 'sheet.png'));
    expect(reason()).toBe('sheet.png is a link, not a regular file');
    rmSync(outside, { recursive: true });
  });

  test('refuses a field named __proto__', () => {
    writeTestCharacter(root, JSON.parse(JSON.stringify(TEST_MANIFEST).replace('{', '{"__proto__":{},')));
    expect(reason()).toBe('character.json: /: has a field named __proto__, which is never allowed');
  });
});
