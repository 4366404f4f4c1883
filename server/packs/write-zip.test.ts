/** A pack's zip is always the same, and gives the pack back. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPack } from './read-folder.ts';
import { unpackZip } from './read-zip.ts';
import { TEST_MANIFEST, writeTestCharacter } from './testing.ts';
import { packZip } from './write-zip.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'write-zip-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('unpackZip gives back what packZip packed: the pack with its licence, without strange files', async () => {
  const folder = writeTestCharacter(root);
  writeFileSync(join(folder, 'LICENSE'), 'MIT');
  writeFileSync(join(folder, 'run.sh'), 'exit');
  const into = join(root, 'into');
  mkdirSync(into);
  await packZip(folder, join(root, 'dot.zip'));
  expect(await unpackZip(join(root, 'dot.zip'), into, new AbortController().signal)).toEqual({ ignored: [] });
  expect(readdirSync(into).sort()).toEqual(['LICENSE', 'character.json', 'sheet.png']);
  expect(readPack(into)).toEqual(TEST_MANIFEST);
  for (const name of readdirSync(into))
    expect(readFileSync(join(into, name))).toEqual(readFileSync(join(folder, name)));
});

test('the same files make the same bytes, whatever their times; the picture stands in them as it is', async () => {
  const folder = writeTestCharacter(root);
  await packZip(folder, join(root, 'a.zip'));
  utimesSync(join(folder, 'sheet.png'), 1, 1);
  await packZip(folder, join(root, 'b.zip'));
  const bytes = readFileSync(join(root, 'a.zip'));
  expect(readFileSync(join(root, 'b.zip'))).toEqual(bytes);
  // 1980-01-01 00:00, which is no time zone's.
  expect(bytes.readUInt32LE(10)).toBe(0x00210000);
  expect(bytes.includes(readFileSync(join(folder, 'sheet.png')))).toBe(true);
});

test('a broken pack is refused and an earlier zip stays', async () => {
  const folder = writeTestCharacter(root);
  const zip = join(root, 'dot.zip');
  writeFileSync(zip, 'earlier');
  rmSync(join(folder, 'sheet.png'));
  await expect(packZip(folder, zip)).rejects.toThrow('sheet.png is missing');
  await expect(packZip(writeTestCharacter(root), join(root, 'none', 'dot.zip'))).rejects.toThrow('cannot be written');
  expect(readFileSync(zip, 'utf8')).toBe('earlier');
  expect(readdirSync(root).sort()).toEqual(['dot.zip', 'test.dot']);
});
