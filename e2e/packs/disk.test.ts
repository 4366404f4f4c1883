import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openLibrary } from '../../server/packs/library.ts';
import { install, newFolder, newIndex, removeFolders } from './library.ts';

// A disk of our own, small enough to fill. Mounting one needs root; without it this stays untested here, and the unit tests remain.
const mount = (folder: string, ...options: readonly string[]): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', ...options, 'tmpfs', folder]).status === 0;
const mounted: string[] = [];

function newDisk(): string | null {
  const folder = join(newFolder(), 'disk');
  mkdirSync(folder);
  if (!mount(folder, '-o', 'size=256k,mode=0700')) return null;
  mounted.push(folder);
  return folder;
}

function endAll(): void {
  for (const folder of mounted.splice(0)) spawnSync('umount', ['-l', folder]);
  removeFolders();
}

const canMount = newDisk() !== null;
endAll();
afterEach(endAll);

/** Takes all the room there is. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch {
    closeSync(file);
  }
}

const GHOST = 'org.example.ghost';

describe.skipIf(!canMount)('a disk', () => {
  it('that is full refuses an install with E_DISK_FULL, keeps what was there, and has nothing left on it', async () => {
    const dataFolder = newDisk()!;
    const library = openLibrary(dataFolder);
    await library.addIndex({ name: 'here', url: await newIndex('1.0.0', '2.0.0') });
    await install(dataFolder, 'ghost@1.0.0');
    const before = [library.installed(), library.active()];
    fill(join(dataFolder, 'ballast'));
    await expect(install(dataFolder, 'ghost@2.0.0')).rejects.toMatchObject({ code: 'E_DISK_FULL' });
    await expect(library.setCurrent(GHOST)).rejects.toMatchObject({ code: 'E_DISK_FULL' });
    expect([library.installed(), library.active()]).toEqual(before);
    expect(readdirSync(join(dataFolder, 'tmp'))).toEqual([]);
    rmSync(join(dataFolder, 'ballast'));
    await install(dataFolder, 'ghost@2.0.0');
    expect(library.active().packs).toEqual({ [GHOST]: '2.0.0' });
  });

  it.each([
    ['in one wardrobe', false],
    ['in another wardrobe too', true],
  ])('that is full lets packs go all the same: of a pack %s', async (_, isShared) => {
    const dataFolder = newDisk()!;
    const library = openLibrary(dataFolder);
    await library.addIndex({ name: 'here', url: await newIndex('1.0.0') });
    if (isShared) {
      await library.createWardrobe('other');
      await library.switchWardrobe('other');
      await install(dataFolder, 'ghost');
      await library.switchWardrobe('default');
    }
    await install(dataFolder, 'ghost');
    await library.setCurrent(GHOST);
    fill(join(dataFolder, 'ballast'));
    await library.remove(GHOST, '1.0.0');
    expect(library.active()).toMatchObject({ packs: {}, current: null });
    expect(library.installed()).toHaveLength(isShared ? 1 : 0);
    expect(readdirSync(join(dataFolder, 'tmp'))).toEqual([]);
  });

  it('that stays full without the pack too says so, and the rest is done once there is room', async () => {
    const dataFolder = newDisk()!;
    const library = openLibrary(dataFolder);
    await library.addIndex({ name: 'here', url: await newIndex('1.0.0') });
    await install(dataFolder, 'ghost');
    const ballast = join(dataFolder, 'ballast');
    // Takes whatever comes free, as a program that writes without end would.
    const folder = join(dataFolder, 'packs', GHOST, '1.0.0');
    for (const name of readdirSync(folder)) truncateSync(join(folder, name), 0);
    rmSync(join(dataFolder, 'installed.json'), { force: true });
    fill(ballast);
    await expect(library.remove(GHOST, '1.0.0')).rejects.toMatchObject({ code: 'E_DISK_FULL' });
    expect(library.installed()).toMatchObject([{ id: GHOST, manifest: null }]);
    rmSync(ballast);
    await library.remove(GHOST, '1.0.0');
    expect([library.installed(), library.active().packs]).toEqual([[], {}]);
  });

  it('that is read-only refuses with E_PERMISSION, and can still be read', async () => {
    const dataFolder = newDisk()!;
    const library = openLibrary(dataFolder);
    await library.addIndex({ name: 'here', url: await newIndex('1.0.0') });
    await install(dataFolder, 'ghost');
    expect(spawnSync('mount', ['-o', 'remount,ro', dataFolder]).status).toBe(0);
    await expect(library.remove(GHOST, '1.0.0')).rejects.toMatchObject({ code: 'E_PERMISSION' });
    await expect(library.createWardrobe('work')).rejects.toMatchObject({ code: 'E_PERMISSION' });
    expect(library.installed()).toMatchObject([{ version: '1.0.0', reason: null }]);
  });
});
