/** What is no regular file in a pack is refused at once: nobody waits for the other end of a FIFO, or reads a device. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPack, recheckPack } from '../../server/packs/read-folder.ts';
import { unpackZip } from '../../server/packs/read-zip.ts';
import { writeTestCharacter } from '../../server/packs/testing.ts';
import { packZip } from '../../server/packs/write-zip.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'special-files-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test.each(['character.json', 'sheet.png'])('a FIFO in the place of %s', async (name) => {
  const folder = writeTestCharacter(root);
  rmSync(join(folder, name));
  execFileSync('mkfifo', [join(folder, name)]);
  expect(() => readPack(folder)).toThrow(`${name} is a FIFO, not a regular file`);
  expect(() => recheckPack(folder)).toThrow(`${name} is a FIFO, not a regular file`);
  await expect(packZip(folder, join(root, 'dot.zip'))).rejects.toThrow(`${name} is a FIFO, not a regular file`);
});

test('a FIFO or a device in the place of a zip', async () => {
  execFileSync('mkfifo', [join(root, 'pack.zip')]);
  const { signal } = new AbortController();
  await expect(unpackZip(join(root, 'pack.zip'), root, signal)).rejects.toThrow('the archive is not a regular file');
  await expect(unpackZip('/dev/zero', root, signal)).rejects.toThrow('the archive is not a regular file');
});

test('a zip made here is one that other programs read', async () => {
  await packZip(writeTestCharacter(root), join(root, 'dot.zip'));
  expect(execFileSync('python3', ['-m', 'zipfile', '-t', join(root, 'dot.zip')], { encoding: 'utf8' })).toContain(
    'Done',
  );
});
