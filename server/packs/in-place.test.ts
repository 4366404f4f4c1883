/** Pets are read where they lie: what importing would make of them, nothing written, no link followed, each broken one with its reason. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PetFiles, petSheet, pngSheet, V2, writePet } from './import/pet.fixture.ts';
import { makeApng, makeGif, makeLyingPng, solid } from './import/pictures.fixture.ts';
import { CAPABILITY_IDS } from './import/source.fixture.ts';
import { findPets, type PetInPlace } from './in-place.ts';

let root: string;
let pets: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'companion-pets-'));
  pets = join(root, 'pets');
  mkdirSync(pets);
});
afterEach(() => rmSync(root, { recursive: true }));

const find = () => findPets([{ name: 'codex', folder: pets }], CAPABILITY_IDS);
const ids = (): readonly string[] => find().pets.map(({ id }) => id);
function read(name: string, files?: PetFiles): PetInPlace {
  writePet(pets, name, files);
  return good();
}
function good(at = 0): PetInPlace {
  const found = find().pets[at]!.read();
  if (typeof found === 'string') throw new Error(found);
  return found;
}
const refusal = (): unknown => find().pets[0]!.read();

describe('a pet that lies in a followed folder', () => {
  test('becomes the character that importing it would have made, from the sheet where it lies', () => {
    const manifest = { id: 'ghost', displayName: 'Ghost | 幽灵', author: 'Someone', license: 'MIT' };
    const pet = read('ghost', { manifest });
    expect(pet.folder).toBe(join(pets, 'ghost'));
    expect(pet.paths).toEqual({ 'sheet.webp': 'spritesheet.webp' });
    expect(pet.manifest).toMatchObject({
      id: 'pets.codex.ghost',
      displayName: { default: 'Ghost | 幽灵' },
      authors: [{ name: 'Someone' }],
      license: 'MIT',
      origin: { importer: 'codex-pet', sourceId: 'ghost' },
      images: [{ file: 'sheet.webp', w: 1_536, h: 1_872, grid: { columns: 8, rows: 9 } }],
    });
    expect(Object.keys(pet.manifest.capabilities)).toContain('animation.greet');
    expect(pet.manifest.images[0]).not.toHaveProperty('sha256');
  });

  test('of version 2 looks around, and may be a PNG', () => {
    const pet = read('owl', {
      sheet: pngSheet([1, 2, 3, 255], V2),
      sheetName: 'owl.png',
      manifest: { spritesheetPath: 'owl.png' },
    });
    expect(pet.paths).toEqual({ 'sheet.png': 'owl.png' });
    expect(pet.manifest.clips.look?.frames).toHaveLength(16);
  });

  test.each(['My Sheet.webp', '图.webp', 'sheet.png', 'art/deep/sheet.webp'])('may call its sheet %s', (sheetName) => {
    mkdirSync(join(pets, 'ghost', 'art', 'deep'), { recursive: true });
    const pet = read('ghost', { sheetName, manifest: { spritesheetPath: sheetName } });
    expect(pet.paths).toEqual({ 'sheet.webp': sheetName });
    expect(pet.sources).toEqual(['pet.json', 'avatar.json', sheetName]);
  });

  test('may be of the older kind, with avatar.json', () => {
    writePet(pets, 'old', { manifest: { displayName: 'Old' } });
    writeFileSync(join(pets, 'old', 'avatar.json'), readFileSync(join(pets, 'old', 'pet.json')));
    rmSync(join(pets, 'old', 'pet.json'));
    expect(good().manifest.displayName.default).toBe('Old');
  });

  test('is not changed by being read: no file comes, none is touched', () => {
    writePet(pets, 'ghost');
    const state = (): unknown =>
      readdirSync(pets, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [
          name,
          createHash('sha256')
            .update(readFileSync(join(parentPath, name)))
            .digest('hex'),
        ]);
    const before = state();
    find().pets[0]!.read();
    expect(state()).toEqual(before);
  });
});

describe('the ID of a pet', () => {
  test('is its folder’s name, whatever the pet calls itself', () => {
    writePet(pets, 'terminal-ghost', { manifest: { id: 'builtin.nib' } });
    expect(ids()).toEqual(['pets.codex.terminal-ghost']);
  });

  test('of names that differ only in what an ID cannot say differs, and stays the same whoever comes beside it', () => {
    writePet(pets, 'Ghost');
    const [alone] = ids();
    for (const name of ['ghost', 'GHOST', 'ghost!', '幽灵', '幽靈', `${'long-'.repeat(20)}1`, `${'long-'.repeat(20)}2`])
      writePet(pets, name);
    expect(ids()).toContain(alone);
    expect(ids()).toContain('pets.codex.ghost');
    expect(new Set(ids()).size).toBe(8);
    for (const id of ids()) expect(id).toMatch(/^pets\.codex\.[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(find().pets.map((_, at) => good(at).manifest.id)).toEqual(ids());
  });
});

describe('a broken pet is refused with its reason', () => {
  const SHEET = petSheet([9, 9, 9, 255]);
  test.each<[string, PetFiles, string]>([
    ['without a sheet', { sheet: null }, 'spritesheet.webp is missing'],
    ['whose sheet is spelt another way', { sheetName: 'Spritesheet.webp' }, 'Spritesheet.webp is spelt another way'],
    ['that is no JSON', { manifest: '{"displayName":' }, 'pet.json is not JSON'],
    ['that is a list', { manifest: '[]' }, 'pet.json is no JSON object'],
    ['that is endless', { manifest: ' '.repeat(70_000) }, 'pet.json has 70000 bytes, at most 65536 are allowed'],
    ['with a sheet elsewhere', { manifest: { spritesheetPath: '../secret.webp' } }, 'leads out of the pet'],
    ['with a sheet at an absolute path', { manifest: { spritesheetPath: '/etc/hostname' } }, 'leads out of the pet'],
    ['with a cut sheet', { sheet: SHEET.subarray(0, SHEET.length - 8) }, 'spritesheet.webp is cut off'],
    ['with a sheet that is no picture', { sheet: Buffer.from('<svg/>') }, 'vector image'],
    ['with a sheet one pixel off', { sheet: petSheet([1, 1, 1, 255], { w: 1_536, h: 1_873 }) }, '1536 x 1873 pixels'],
    [
      'with a sheet that claims a thousand million pixels',
      { sheet: makeLyingPng(30_000, 30_000) },
      '30000 x 30000 pixels',
    ],
    ['with a GIF', { sheet: makeGif(8, 8, [{ paint: solid([1, 2, 3, 255]), delayMs: 100 }]) }, 'is a GIF'],
    [
      'with a moving sheet',
      {
        sheet: makeApng(64, 64, [{ paint: solid([1, 2, 3, 255]), delayMs: 100 }]),
        manifest: { frame: { width: 32, height: 32, columns: 2, rows: 2 }, animations: { idle: { frames: [0] } } },
      },
      'is an animated image',
    ],
    [
      'with cells too small to be seen',
      {
        sheet: pngSheet([1, 2, 3, 255], { w: 16, h: 16 }),
        manifest: { frame: { width: 4, height: 4, columns: 4, rows: 4 }, animations: { idle: { frames: [0] } } },
      },
      'too small or too large to be shown from where they lie',
    ],
  ])('%s', (_, files, reason) => {
    writePet(pets, 'ghost', files);
    expect(refusal()).toContain(reason);
  });

  test('a link is never opened, be it the sheet, the manifest or a folder on the way', () => {
    const outside = writePet(root, 'outside');
    writePet(pets, 'a', { sheet: null });
    symlinkSync(join(outside, 'spritesheet.webp'), join(pets, 'a', 'spritesheet.webp'));
    expect(refusal()).toContain('spritesheet.webp is a link');
    rmSync(join(pets, 'a'), { recursive: true });

    mkdirSync(join(pets, 'b'));
    symlinkSync(join(outside, 'pet.json'), join(pets, 'b', 'pet.json'));
    expect(refusal()).toContain('pet.json is a link');
    rmSync(join(pets, 'b'), { recursive: true });

    writePet(pets, 'c', { sheet: null, manifest: { spritesheetPath: 'art/spritesheet.webp' } });
    symlinkSync(outside, join(pets, 'c', 'art'));
    expect(refusal()).toContain('art is not a folder');
  });

  test('a pipe is not waited for', () => {
    writePet(pets, 'ghost', { sheet: null });
    execFileSync('mkfifo', [join(pets, 'ghost', 'spritesheet.webp')]);
    expect(refusal()).toContain('spritesheet.webp is a FIFO');
  });

  test('a sheet of a gigabyte is not read', () => {
    truncateSync(join(writePet(pets, 'ghost'), 'spritesheet.webp'), 1_073_741_824);
    expect(refusal()).toContain('has 1073741824 bytes, at most');
  });
});

describe('in a followed folder', () => {
  test('what is no pet is passed over, and a pet that is a link is named', () => {
    writePet(pets, 'ghost');
    writePet(pets, '.hidden');
    writePet(root, 'elsewhere');
    mkdirSync(join(pets, 'notes'));
    writeFileSync(join(pets, 'README.md'), 'pets');
    symlinkSync(join(root, 'elsewhere'), join(pets, 'linked'));
    symlinkSync(join(root, 'nowhere'), join(pets, 'dangling'));
    expect(ids()).toEqual(['pets.codex.ghost']);
    expect(find().unavailable).toEqual([
      { id: 'pets.codex.linked', reason: 'linked is a link, and links are not followed' },
    ]);
  });

  test('too many pets are too many, and that is said', () => {
    for (let at = 0; at < 70; at += 1) writePet(pets, `pet-${at}`, { sheet: null });
    expect(ids()).toHaveLength(64);
    expect(find().unavailable).toMatchObject([
      { id: 'pets.codex', reason: expect.stringContaining('6 pets too many') },
    ]);
  });

  test('that is not there, there are none, and that is said', () => {
    rmSync(pets, { recursive: true });
    expect(find()).toEqual({
      pets: [],
      unavailable: [{ id: 'pets.codex', reason: `${pets} is not there` }],
      watched: [{ folder: pets, names: null }],
    });
  });

  test('that is a link itself, pets are found, and it is watched for being turned', () => {
    writePet(pets, 'ghost');
    symlinkSync(pets, join(root, 'link'));
    const found = findPets([{ name: 'codex', folder: join(root, 'link') }], CAPABILITY_IDS);
    expect(found.pets.map(({ id }) => id)).toEqual(['pets.codex.ghost']);
    expect(found.watched).toContainEqual({ folder: root, names: ['link'] });
  });
});
