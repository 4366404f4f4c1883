/** An archive of this machine is unpacked from where it lies, and only if it is, and stays, the one that was offered. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder, zipPack } from './library.fixture.ts';
import { unpackWanted } from './unpack-offer.ts';

async function prepare() {
  const root = newFolder();
  const { file, size, sha256 } = await zipPack(root, { id: 'org.example.ghost' });
  const folder = join(root, 'unpacked');
  mkdirSync(folder);
  const cancel = new AbortController();
  const steps = { signal: cancel.signal, unpaused: async () => {}, onBytes: () => {} };
  return { path: join(root, file), wanted: { size, sha256 }, folder, steps, cancel };
}

it('gives its files', async () => {
  const { path, wanted, folder, steps } = await prepare();
  await unpackWanted(path, wanted, folder, steps);
  expect(readdirSync(folder).sort()).toEqual(['character.json', 'sheet.png']);
});

it('is refused when it changes while it is read', async () => {
  const { path, wanted, folder, steps } = await prepare();
  steps.unpaused = async () => utimesSync(path, 1, 1);
  await expect(unpackWanted(path, wanted, folder, steps)).rejects.toMatchObject({
    code: 'E_INVALID_INPUT',
    message: expect.stringContaining('was changed while it was read'),
  });
});

it.each([
  ['another checksum', { sha256: createHash('sha256').digest('hex') }, /does not have the SHA-256/],
  ['fewer bytes', { size: 10 }, /has more than the 10 bytes/],
  ['more bytes', { size: 1_000_000 }, /bytes, the index says 1000000/],
])('is refused when the index says %s', async (_, changes, message) => {
  const { path, wanted, folder, steps } = await prepare();
  await expect(unpackWanted(path, { ...wanted, ...changes }, folder, steps)).rejects.toMatchObject({
    code: 'E_INVALID_INPUT',
    message: expect.stringMatching(message),
  });
});

it('that is damaged is said to be another one than the index says', async () => {
  const { path, wanted, folder, steps } = await prepare();
  writeFileSync(path, Buffer.from(readFileSync(path)).fill(0, 40, 60));
  await expect(unpackWanted(path, wanted, folder, steps)).rejects.toThrow('does not have the SHA-256');
});

it('is cancelled between two pieces', async () => {
  const { path, wanted, folder, steps, cancel } = await prepare();
  steps.unpaused = async () => cancel.abort();
  await expect(unpackWanted(path, wanted, folder, steps)).rejects.toMatchObject({ code: 'E_CANCELLED' });
});
