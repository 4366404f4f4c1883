import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openLibrary } from '../../server/packs/library.ts';
import { act, ageLocks, install, newFolder, newIndex, newLibrary, removeFolders } from './library.ts';

afterAll(removeFolders);

const GHOST = 'org.example.ghost';
/** Places spread over all of the work; each costs a process. */
const KILLS = 20;

const places = (touches: number): readonly number[] => [
  ...new Set(Array.from({ length: KILLS }, (_, n) => 1 + Math.floor((n * touches) / KILLS))),
];

/** What a user sees of a library. */
function sight(dataFolder: string) {
  const library = openLibrary(dataFolder);
  return {
    installed: library.installed().map(({ version, reason }) => [version, reason]),
    worn: library.active().packs[GHOST] ?? null,
  };
}

describe('a process killed anywhere', { timeout: 240_000 }, () => {
  it('in an install leaves the old version in use or the new one, and the next install finishes', async () => {
    const { library, dataFolder } = await newLibrary(await newIndex('1.0.0', '2.0.0'));
    await act(dataFolder, 'install ghost@1.0.0');
    const whole = newFolder();
    cpSync(dataFolder, whole, { recursive: true });
    const touches = (await act(whole, 'install ghost@2.0.0')) ?? 0;
    expect(touches).toBeGreaterThan(KILLS);
    const seen = new Set<string>();
    for (const place of places(touches)) {
      const copy = newFolder();
      cpSync(dataFolder, copy, { recursive: true });
      await act(copy, 'install ghost@2.0.0', place);
      ageLocks(copy);
      const { installed, worn } = sight(copy);
      seen.add(JSON.stringify([installed, worn]));
      expect(installed.map(([, reason]) => reason)).toEqual(installed.map(() => null));
      expect(worn === '2.0.0' ? installed.length : worn).toBe(worn === '2.0.0' ? 2 : '1.0.0');
      await install(copy, 'ghost@2.0.0');
      expect(sight(copy), `after a kill at ${place}`).toEqual(sight(whole));
      await openLibrary(copy).remove(GHOST, '2.0.0');
      // Somebody has written, so nothing of the killed one is left.
      expect(readdirSync(join(copy, 'tmp')), `after a kill at ${place}`).toEqual([]);
      expect(readdirSync(copy).sort()).toEqual(readdirSync(whole).sort());
    }
    // Before the rename, between it and the wardrobe's, and after both or the like: not all kills were of one kind.
    expect(seen.size).toBeGreaterThan(1);
    expect(library.installed()).toHaveLength(1);
  });

  it('in a removal leaves a version that can be removed again', async () => {
    const { dataFolder } = await newLibrary(await newIndex('1.0.0'));
    await act(dataFolder, 'install ghost');
    const whole = newFolder();
    cpSync(dataFolder, whole, { recursive: true });
    const touches = (await act(whole, `remove ${GHOST}@1.0.0`)) ?? 0;
    for (const place of places(touches)) {
      const copy = newFolder();
      cpSync(dataFolder, copy, { recursive: true });
      await act(copy, `remove ${GHOST}@1.0.0`, place);
      ageLocks(copy);
      const { installed, worn } = sight(copy);
      if (worn !== null) expect(installed).toEqual([['1.0.0', null]]);
      if (installed.length > 0) await openLibrary(copy).remove(GHOST, '1.0.0');
      expect(sight(copy), `after a kill at ${place}`).toEqual({ installed: [], worn: null });
    }
  });
});

describe('processes at once', { timeout: 120_000 }, () => {
  it('that install the same all succeed, and it is there once', async () => {
    const { library, dataFolder } = await newLibrary(await newIndex('1.0.0'));
    await Promise.all([1, 2, 3].map(() => act(dataFolder, 'install ghost')));
    expect(library.installed().map(({ version, reason }) => [version, reason])).toEqual([['1.0.0', null]]);
    expect(readdirSync(join(dataFolder, 'tmp'))).toEqual([]);
  });

  it('that write the same file lose nothing of each other’s', async () => {
    const { library, dataFolder } = await newLibrary('/packs');
    const names = Array.from({ length: 12 }, (_, n) => `i${n}`);
    await Promise.all(names.map((name) => act(dataFolder, `index ${name}`)));
    expect(
      library
        .indexes()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['here', ...names].sort());
  });
});
