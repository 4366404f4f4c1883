import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, endSessions } from './ndjson-client.ts';
import {
  filesIn,
  makeIndex,
  newFolder,
  newUser,
  type PackUser,
  removeFolders,
  succeed,
  userWithIndex,
} from './user.ts';

// Disks that take nothing, and packs that are not what their index says: told by their code, and nothing is changed.
const mount = (...args: readonly string[]): boolean => spawnSync('mount', args).status === 0;
const unmount = (folder: string): boolean => spawnSync('umount', ['-l', folder]).status === 0;

/** Mounting needs root; without it the library's own tests remain. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'companion-mount-'));
  const can = mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder) && unmount(folder);
  rmSync(folder, { recursive: true, force: true });
  return can;
}

let index: string;
let user: PackUser;
const mounted: string[] = [];
beforeAll(async () => {
  index = makeIndex();
  user = await userWithIndex(index);
});
afterAll(() => {
  endSessions();
  for (const folder of mounted) unmount(folder);
  removeFolders();
});

/** The same user on a disk of its own, mounted with these options once the files are there. */
function userOnDisk(size: string, options = ''): PackUser {
  const other = newUser();
  mkdirSync(other.dataFolder, { recursive: true });
  if (!mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', other.dataFolder)) throw new Error('cannot mount');
  mounted.push(other.dataFolder);
  cpSync(user.dataFolder, other.dataFolder, { recursive: true });
  if (options !== '' && !mount('-o', `remount,${options}`, other.dataFolder)) throw new Error('cannot remount');
  return other;
}

describe.runIf(canMount())('a disk', () => {
  it('that is full is E_DISK_FULL; what fits still goes in', async () => {
    const small = userOnDisk('96k');
    const before = filesIn(join(small.dataFolder, 'packs'));
    const ended = await call(small, 'install_packages', { targets: ['org.example:large'], yes: true });
    expect(ended.of('error')).toMatchObject([{ code: 'E_DISK_FULL' }]);
    expect(ended.status).toBe(1);
    expect(filesIn(join(small.dataFolder, 'packs'))).toEqual(before);
    await succeed(small, 'install_packages', { targets: ['org.example:ghost'], yes: true });
  });

  it('that may not be written is E_PERMISSION; what is there can be read', async () => {
    const locked = userOnDisk('1m', 'ro');
    const before = filesIn(locked.dataFolder);
    for (const [capability, args] of [
      ['add_repo', { name: 'more', url: '/nowhere' }],
      ['create_subos', { name: 'work' }],
      ['install_packages', { targets: ['org.example:ghost'], yes: true }],
    ] as const) {
      const ended = await call(locked, capability, args);
      expect(ended.of('error').map(({ code }) => code)).toEqual(['E_PERMISSION']);
      expect(ended.status).toBe(1);
    }
    expect((await succeed(locked, 'list_repos')).data('repo_list')).toMatchObject([{ repos: [{ name: 'main' }] }]);
    expect(filesIn(locked.dataFolder)).toEqual(before);
  });
});

it('a pack that is not what its index says is refused by name, and not installed', async () => {
  const folder = newFolder();
  cpSync(index, folder, { recursive: true });
  const file = join(folder, 'org.example.ghost-1.1.0.zip');
  const bytes = readFileSync(file);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  const deceived = await userWithIndex(folder);
  const ended = await call(deceived, 'install_packages', { targets: ['org.example:ghost'], yes: true });
  expect(ended.of('error')).toMatchObject([{ code: 'E_INVALID_INPUT', message: expect.stringContaining('ghost') }]);
  expect(ended.data('install_summary')).toEqual([{ success: 0, failed: 1 }]);
  expect(filesIn(join(deceived.dataFolder, 'packs'))).toEqual([]);
});

it('two programs that install at once both get what they asked for', async () => {
  const shared = newUser(user);
  const both = await Promise.all(
    ['org.example:hat', 'org.example:twin'].map((target) =>
      call(shared, 'install_packages', { targets: [target], yes: true }),
    ),
  );
  expect(both.map(({ status }) => status)).toEqual([0, 0]);
  const { result } = await succeed(shared, 'list_packages');
  const packages = result.data!.packages as { name: string; active: boolean }[];
  expect(packages.map(({ name, active }) => [name, active])).toEqual([
    ['org.example:ghost', true],
    ['org.example:hat', true],
    ['org.example:twin', true],
  ]);
});
