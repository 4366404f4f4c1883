import { chmodSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld, tempFolder } from './fixture.ts';
import { openSecret } from './secret.ts';

test('the secret is made once, for its owner only, and read again', () => {
  const folder = tempFolder();
  const secret = openSecret(folder);
  expect(secret.byteLength).toBe(32);
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['secret']);
  expect(openSecret(folder)).toEqual(secret);
  expect(openSecret(tempFolder())).not.toEqual(secret);
});

test('missing while a database exists, it is not made again', () => {
  const world = createWorld();
  world.store().close();
  rmSync(join(world.folder, 'secret'));
  expect(() => openSecret(world.folder)).toThrow(/missing while a database exists/);
  expect(readdirSync(world.folder)).not.toContain('secret');
});

test('a file that others can read, a link, a folder and a short file are refused', () => {
  const folder = tempFolder();
  const path = join(folder, 'secret');
  openSecret(folder);
  chmodSync(path, 0o640);
  expect(() => openSecret(folder)).toThrow(/mode must be 0600/);
  rmSync(path);
  symlinkSync(join(folder, 'elsewhere'), path);
  expect(() => openSecret(folder)).toThrow(/not a regular file/);
  rmSync(path);
  writeFileSync(path, 'short', { mode: 0o600 });
  expect(() => openSecret(folder)).toThrow(/does not hold 32 bytes/);
});
