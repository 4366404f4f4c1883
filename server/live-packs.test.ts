/** Packs that come, change, break and go under the eyes of a running host. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LivePacks, openLivePacks, type PackSource } from './live-packs.ts';
import { checkManifest } from './packs/check.ts';
import { petSheet, pngSheet, V2, writePet } from './packs/import/pet.fixture.ts';
import { findPets } from './packs/in-place.ts';
import { TEST_MANIFEST, writeTestCharacter } from './packs/testing.ts';
import type { Cast } from './protocol/cast.ts';
import type { CharacterManifest } from './protocol/character.ts';
import { createFolderWatch, type FolderWatch } from './watch-folders.ts';

const HOME = { ...TEST_MANIFEST, id: 'test.home' };
const GHOST = 'org.example.ghost';

/** A machine that is busy with others takes its time. */
const BUSY = { timeout: 15_000 };

let root: string;
let data: string;
let packs: LivePacks;
let told: Cast[];
let lines: string[];

function readPack(folder: string): { manifest: CharacterManifest | null; reason: string | null } {
  if (!existsSync(join(folder, 'character.json'))) return { manifest: null, reason: 'character.json is missing' };
  const manifest = JSON.parse(readFileSync(join(folder, 'character.json'), 'utf8')) as CharacterManifest;
  const [reason = null] = checkManifest(manifest);
  return { manifest: reason === null ? manifest : null, reason };
}

const packFolder = (id: string, version: string): string => join(data, 'packs', id, version);

/** A library as simple as can be: `library.json` names the wardrobe's folder, the rest is in the wardrobe. */
function openSource(): PackSource {
  const read = (file: string): Record<string, never> =>
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, never>) : {};
  const wardrobe = (): string => read(join(data, 'library.json')).folder ?? join(data, 'wardrobes', 'default');
  return {
    place: { folder: data, names: ['library.json', 'wardrobes', 'packs'] },
    active: () => ({
      name: 'default',
      folder: wardrobe(),
      packs: {},
      current: null,
      follows: [],
      reason: null,
      ...read(join(wardrobe(), 'wardrobe.json')),
    }),
    folderOf: packFolder,
    read: (id, version) => ({ id, version, folder: packFolder(id, version), ...readPack(packFolder(id, version)) }),
    petsOf: (follows) => findPets(follows, ['animation.greet', 'animation.work']),
    setCurrent: async (current) => wear({ current }, wardrobe()),
  };
}

/** Writes in one step, as a library does. */
function replace(file: string, value: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}

function wear(value: object, folder = join(data, 'wardrobes', 'default')): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'wardrobe.json');
  replace(file, { ...(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}), ...value });
}

/** Puts a pack in place in one step. */
function put(id: string, version: string, changes: object = {}): void {
  const staged = writeTestCharacter(join(root, 'tmp'), { ...TEST_MANIFEST, id, version, ...changes }, id);
  mkdirSync(join(data, 'packs', id), { recursive: true });
  rmSync(packFolder(id, version), { recursive: true, force: true });
  renameSync(staged, packFolder(id, version));
}

function open(makeWatch?: typeof createFolderWatch): void {
  told = [];
  lines = [];
  const options = {
    builtIn: { characters: [{ manifest: HOME, folder: writeTestCharacter(root, HOME, HOME.id) }], unavailable: [] },
    source: openSource(),
    log: (line: string) => lines.push(line),
  };
  packs = openLivePacks(options, makeWatch);
  packs.onChange((cast) => told.push(cast));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'companion-packs-'));
  data = join(root, 'share', 'companion');
});
afterEach(() => {
  packs.close();
  rmSync(root, { recursive: true });
});

const ids = (): readonly string[] => packs.cast().members.map(({ manifest }) => `${manifest.id} ${manifest.version}`);
const unavailable = (): Readonly<Record<string, string>> =>
  Object.fromEntries(packs.cast().unavailable.map(({ id, reason }) => [id, reason]));
const becomes = (...wanted: readonly string[]): Promise<void> => vi.waitFor(() => expect(ids()).toEqual(wanted), BUSY);

describe('at first', () => {
  test('there are the built-in ones, and a data folder need not exist', () => {
    open();
    expect(ids()).toEqual(['test.home 0.1.0']);
    expect(packs.cast()).toMatchObject({ unavailable: [], chosen: null });
    expect(packs.cast().members[0]?.builtIn).toBe(true);
  });

  test('what the wardrobe holds is there, and nothing it does not hold', () => {
    put(GHOST, '1.0.0');
    put(GHOST, '2.0.0');
    put('org.example.other', '1.0.0');
    wear({ packs: { [GHOST]: '1.0.0' }, current: GHOST });
    open();
    expect(ids()).toEqual(['test.home 0.1.0', `${GHOST} 1.0.0`]);
    expect(packs.cast().chosen).toBe(GHOST);
  });

  test('a broken pack is named with its reason, and so is one that takes a built-in one’s ID', () => {
    put(GHOST, '1.0.0', { license: undefined });
    put(HOME.id, '9.0.0');
    wear({ packs: { [GHOST]: '1.0.0', [HOME.id]: '9.0.0', 'org.example.none': '1.0.0' } });
    open();
    expect(ids()).toEqual(['test.home 0.1.0']);
    expect(unavailable()).toEqual({
      [GHOST]: '/license: is missing',
      [HOME.id]: 'a character of this program has the same ID',
      'org.example.none': 'character.json is missing',
    });
    expect(lines).toHaveLength(3);
  });
});

describe('without being asked', () => {
  test('notices a first pack, an update, a choice and a removal, each once', async () => {
    open();
    put(GHOST, '1.0.0');
    wear({ packs: { [GHOST]: '1.0.0' } });
    await becomes('test.home 0.1.0', `${GHOST} 1.0.0`);
    put(GHOST, '1.1.0');
    wear({ packs: { [GHOST]: '1.1.0' } });
    await becomes('test.home 0.1.0', `${GHOST} 1.1.0`);
    wear({ current: GHOST });
    await vi.waitFor(() => expect(packs.cast().chosen).toBe(GHOST), BUSY);
    wear({ packs: {} });
    await becomes('test.home 0.1.0');
    expect(told.at(-1)).toBe(packs.cast());
    for (const [index, cast] of told.entries()) expect(cast).not.toEqual(told[index - 1]);
  });

  test('notices that files of a pack are gone, are others, or are back', async () => {
    put(GHOST, '1.0.0');
    wear({ packs: { [GHOST]: '1.0.0' } });
    open();
    const stamp = packs.cast().members[1]?.stamp;
    rmSync(packFolder(GHOST, '1.0.0'), { recursive: true });
    await becomes('test.home 0.1.0');
    expect(unavailable()).toEqual({ [GHOST]: 'character.json is missing' });
    put(GHOST, '1.0.0', { description: { default: 'Back again.' } });
    await becomes('test.home 0.1.0', `${GHOST} 1.0.0`);
    const again = packs.cast().members[1];
    expect(again?.stamp).not.toBe(stamp);
    writeFileSync(join(packFolder(GHOST, '1.0.0'), 'sheet.png'), 'another picture');
    await vi.waitFor(() => expect(packs.cast().members[1]?.stamp).not.toBe(again?.stamp), BUSY);
  });

  test('follows to another wardrobe, wherever it lies', async () => {
    put(GHOST, '1.0.0');
    open();
    const elsewhere = join(root, 'far', 'away');
    wear({ packs: { [GHOST]: '1.0.0' } }, elsewhere);
    replace(join(data, 'library.json'), { folder: elsewhere });
    await becomes('test.home 0.1.0', `${GHOST} 1.0.0`);
    wear({ packs: {} }, elsewhere);
    await becomes('test.home 0.1.0');
    rmSync(join(data, 'library.json'));
    wear({ packs: { [GHOST]: '1.0.0' } });
    await becomes('test.home 0.1.0', `${GHOST} 1.0.0`);
  });

  test('keeps what it has when the library cannot be read, and says so', async () => {
    put(GHOST, '1.0.0');
    wear({ packs: { [GHOST]: '1.0.0' } });
    open();
    writeFileSync(join(data, 'library.json'), '{');
    await vi.waitFor(() => expect(lines.join('\n')).toContain('packs: '), BUSY);
    expect(ids()).toEqual(['test.home 0.1.0', `${GHOST} 1.0.0`]);
    rmSync(join(data, 'library.json'));
    wear({ packs: {} });
    await becomes('test.home 0.1.0');
  });
});

test('what comes after the look and before the watch is seen all the same', () => {
  open((...args) => {
    const watch = createFolderWatch(...args);
    const set = (watched: Parameters<FolderWatch['set']>[0]): boolean => {
      if (!existsSync(data)) wear({ current: GHOST });
      return watch.set(watched);
    };
    return { ...watch, set };
  });
  expect(packs.cast().chosen).toBe(GHOST);
});

describe('where the kernel refuses to watch', () => {
  test('it is said once, and looked again when somebody asks', async () => {
    open((_, onRefused) => ({
      set: () => {
        onRefused('ENOSPC');
        return false;
      },
      isWhole: () => false,
      close: () => {},
    }));
    put(GHOST, '1.0.0');
    wear({ packs: { [GHOST]: '1.0.0' } });
    expect(ids()).toEqual(['test.home 0.1.0']);
    await packs.refresh();
    expect(ids()).toEqual(['test.home 0.1.0', `${GHOST} 1.0.0`]);
    expect(told).toHaveLength(1);
    await packs.refresh();
    expect(told).toHaveLength(1);
    expect(lines.filter((line) => line.includes('ENOSPC'))).toHaveLength(1);
  });
});

describe('the user’s choice', () => {
  test('is stored, and told before it is acknowledged', async () => {
    put(GHOST, '1.0.0');
    wear({ packs: { [GHOST]: '1.0.0' } });
    open();
    await packs.choose(GHOST);
    expect(told.at(-1)?.chosen).toBe(GHOST);
    expect(openSource().active().current).toBe(GHOST);
  });
});

describe('what the page cannot draw', () => {
  beforeEach(() => {
    put(GHOST, '1.0.0');
    wear({ packs: { [GHOST]: '1.0.0' } });
    open();
  });

  test('is no character any more until its files are others', async () => {
    const { stamp } = packs.cast().members[1]!;
    packs.reportBroken(GHOST, stamp, 'sheet.png');
    expect(ids()).toEqual(['test.home 0.1.0']);
    expect(unavailable()[GHOST]).toMatch(/^sheet\.png cannot be drawn/);
    expect(packs.find(GHOST, stamp)?.manifest.id).toBe(GHOST);
    put(GHOST, '1.0.0');
    await becomes('test.home 0.1.0', `${GHOST} 1.0.0`);
  });

  test.each<[string, (stamp: string) => readonly [string, string, string]]>([
    ['other files', (stamp: string) => [GHOST, `${stamp}0`, 'sheet.png']],
    ['a file it does not have', (stamp: string) => [GHOST, stamp, 'secret.png']],
    ['nobody', (stamp: string) => ['org.example.none', stamp, 'sheet.png']],
  ])('means nothing of %s', (_, what) => {
    packs.reportBroken(...what(packs.cast().members[1]!.stamp));
    expect(ids()).toHaveLength(2);
  });
});

describe('pets of a followed folder', () => {
  const pets = (): string => join(root, 'codex', 'pets');
  const follow = (): void => wear({ packs: {}, follows: [{ name: 'codex', folder: pets() }] });

  test('are there beside the packs, and nothing of theirs is asked for before the user has said yes', async () => {
    writePet(pets(), 'ghost', { manifest: { version: '2.1.0' } });
    put(GHOST, '1.0.0');
    wear({ packs: { [GHOST]: '1.0.0' } });
    open();
    expect(ids()).toEqual(['test.home 0.1.0', `${GHOST} 1.0.0`]);
    wear({ follows: [{ name: 'codex', folder: pets() }] });
    await becomes('test.home 0.1.0', `${GHOST} 1.0.0`, 'pets.codex.ghost 2.1.0');
    expect(packs.cast().members[2]).toMatchObject({
      folder: join(pets(), 'ghost'),
      builtIn: false,
      paths: { 'sheet.webp': 'spritesheet.webp' },
    });
    wear({ follows: [] });
    await becomes('test.home 0.1.0', `${GHOST} 1.0.0`);
  });

  test('are noticed as they come, even when their folder comes with them, change and go', async () => {
    follow();
    open();
    expect(unavailable()).toEqual({ 'pets.codex': `${pets()} is not there` });
    writePet(pets(), 'ghost', { manifest: { version: '1.0.0' } });
    await becomes('test.home 0.1.0', 'pets.codex.ghost 1.0.0');
    expect(unavailable()).toEqual({});
    const before = packs.cast().members[1]!;
    writePet(pets(), 'ghost', { manifest: { version: '1.1.0' } });
    await becomes('test.home 0.1.0', 'pets.codex.ghost 1.1.0');
    writePet(pets(), 'ghost', { manifest: { version: '1.1.0' }, sheet: petSheet([1, 2, 3, 255], V2) });
    await vi.waitFor(() => expect(packs.cast().members[1]?.manifest.clips).toHaveProperty('look'), BUSY);
    expect(packs.find('pets.codex.ghost', before.stamp)).toBe(before);
    rmSync(join(pets(), 'ghost'), { recursive: true });
    await becomes('test.home 0.1.0');
    rmSync(join(root, 'codex'), { recursive: true });
    await vi.waitFor(() => expect(unavailable()).toHaveProperty('pets.codex'), BUSY);
    writePet(pets(), 'owl', { manifest: { version: '1.0.0' } });
    await becomes('test.home 0.1.0', 'pets.codex.owl 1.0.0');
  });

  test('are noticed when only a sheet further down becomes another one', async () => {
    follow();
    mkdirSync(join(pets(), 'ghost', 'art'), { recursive: true });
    const files = { manifest: { spritesheetPath: 'art/a.webp' }, sheetName: 'art/a.webp' };
    writePet(pets(), 'ghost', files);
    open();
    const before = packs.cast().members[1]!.stamp;
    writeFileSync(join(pets(), 'ghost', 'art', 'a.webp'), pngSheet([7, 7, 7, 255]));
    await vi.waitFor(() => expect(packs.cast().members[1]?.stamp).not.toBe(before), BUSY);
  });

  test('harm nobody when they are broken, and come back when they are mended', async () => {
    follow();
    writePet(pets(), 'ghost', { sheet: null });
    writePet(pets(), 'owl', { manifest: { version: '1.0.0' } });
    open();
    expect(ids()).toEqual(['test.home 0.1.0', 'pets.codex.owl 1.0.0']);
    expect(unavailable()).toEqual({ 'pets.codex.ghost': 'spritesheet.webp is missing' });
    writeFileSync(join(pets(), 'ghost', 'spritesheet.webp'), petSheet([1, 1, 1, 255]));
    await becomes('test.home 0.1.0', 'pets.codex.ghost 1.0.0', 'pets.codex.owl 1.0.0');
  });

  test('that the page could not draw are none until their files are others, and are called as their owner does', () => {
    follow();
    writePet(pets(), 'ghost');
    open();
    const { manifest, stamp } = packs.cast().members[1]!;
    packs.reportBroken(manifest.id, stamp, 'sheet.webp');
    expect(unavailable()[manifest.id]).toBe(
      'spritesheet.webp cannot be drawn: it is damaged, or no picture the page can read',
    );
  });

  test('give way to an installed pack of the same ID', () => {
    put('pets.codex.ghost', '3.0.0');
    writePet(pets(), 'ghost');
    wear({ packs: { 'pets.codex.ghost': '3.0.0' }, follows: [{ name: 'codex', folder: pets() }] });
    open();
    expect(ids()).toEqual(['test.home 0.1.0', 'pets.codex.ghost 3.0.0']);
    expect(unavailable()).toEqual({ 'pets.codex.ghost': 'another character has the same ID' });
  });
});
