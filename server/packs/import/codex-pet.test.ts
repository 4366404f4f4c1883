/** Codex pets are told apart by the size of their sheet, and refused with the file and the number that is wrong. */
import { describe, expect, test } from 'vitest';
import { findCodexPets } from './codex-pet.ts';
import type { Draft } from './draft.ts';
import { makeGif, makePng, solid } from './pictures.fixture.ts';
import { type Files, fakeLook, memoryTree, taken, times, told } from './source.fixture.ts';

const V1 = makePng(1_536, 1_872);
const V2 = makePng(1_536, 2_288);
const pet = (fields: object, sheet: Uint8Array = V1, name = 'spritesheet.png'): Files => ({
  'pet.json': JSON.stringify({ spritesheetPath: name, ...fields }),
  [name]: sheet,
});

async function read(files: Files): Promise<Draft> {
  const [found] = findCodexPets(memoryTree(files, { name: 'ghost' }));
  return found!.read(fakeLook());
}

describe('a Codex pet', () => {
  test('of version 1 has nine rows, of which the idle one is slowed down', async () => {
    const draft = await read(pet({ id: 'ghost', displayName: 'Ghost | 幽灵 & 👻' }));
    expect(draft.name).toBe('Ghost | 幽灵 & 👻');
    expect(draft.asIs).toEqual({ columns: 8, rows: 9, cellW: 192, cellH: 208 });
    expect(taken(draft)).toMatchObject({
      idle: 'idle (declared)',
      move: 'running-right (declared)',
      'move-left': 'running-left (declared)',
      drag: 'running-right (declared)',
      greet: 'waving (declared)',
      celebrate: 'jumping (declared)',
      fail: 'failed (declared)',
      wait: 'waiting (declared)',
      work: 'running (declared)',
      think: 'review (declared)',
    });
    expect(times(draft, 'idle')).toEqual([1_680, 660, 660, 840, 840, 1_920]);
    expect(times(draft, 'greet')).toEqual([140, 140, 140, 280]);
    expect(draft.takes.map(({ target }) => target)).not.toContain('sleep');
    const counts = ['idle', 'move', 'move-left', 'greet', 'celebrate', 'fail', 'wait', 'work', 'think'];
    expect(counts.map((target) => times(draft, target).length)).toEqual([6, 8, 8, 4, 5, 8, 6, 6, 6]);
  });

  test('of version 2 also looks around, whatever the manifest claims', async () => {
    const draft = await read(pet({ spriteVersionNumber: 1 }, V2));
    expect(draft.asIs?.rows).toBe(11);
    expect(times(draft, 'look')).toHaveLength(16);
    expect(told(draft)).toContain('says version 1, but its sheet has the size of version 2');
  });

  test('may say its animations itself', async () => {
    const animations = { wave: { frames: [24, 25], fps: 4, loop: false }, somersault: { frames: [0] } };
    const draft = await read(pet({ animations }));
    expect(times(draft, 'greet')).toEqual([250, 250]);
    expect(told(draft)).toContain('somersault was left out');
  });

  test('of another grid is laid out by it', async () => {
    const frame = { width: 16, height: 32, columns: 4, rows: 2 };
    const draft = await read(pet({ frame, animations: { idle: { frames: [5] } } }, makePng(64, 64)));
    expect(draft.takes[0]?.poses[0]?.region).toEqual({ x: 16, y: 32, w: 16, h: 32 });
    expect(draft.takes).toHaveLength(1);
  });

  test('is called by its folder when it has no name of its own', async () => {
    expect((await read(pet({ id: ' ' }))).name).toBe('ghost');
  });

  test('in a folder of pets is found beside the others', () => {
    const files = { 'a/pet.json': '{}', 'b/avatar.json': '{}', 'c/pet.json': '{}', 'c/avatar.json': '{}' };
    expect(findCodexPets(memoryTree(files)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  });

  test('names no prototype', async () => {
    const files = { ...pet({}), 'pet.json': '{"spritesheetPath":"spritesheet.png","__proto__":{"id":"evil"}}' };
    expect((await read(files)).name).toBe('ghost');
  });

  const animation = (fields: object): Files => pet({ animations: { idle: { frames: [0], ...fields } } });
  test.each<[string, Files, string]>([
    ['without its sheet', { 'pet.json': '{}' }, 'spritesheet.webp is missing: pet.json names it'],
    [
      'with a sheet one pixel off',
      pet({}, makePng(1_536, 1_873)),
      'spritesheet.png is 1536 x 1873 pixels; a Codex pet has',
    ],
    ['with a sheet in another folder', pet({ spritesheetPath: '../spritesheet.png' }), 'leads out of the pet'],
    ['with a sheet at an absolute path', pet({ spritesheetPath: '/etc/passwd' }), 'leads out of the pet'],
    ['with a sheet on a drive', pet({ spritesheetPath: 'C:\\pets\\a.png' }), 'leads out of the pet'],
    ['with a cut sheet', pet({}, V1.subarray(0, V1.length - 20)), 'spritesheet.png is cut off'],
    ['with a vector sheet', pet({}, Buffer.from('<svg/>')), 'vector image'],
    ['with a moving sheet', pet({}, makeGif(8, 8, [{ paint: solid([1, 2, 3, 255]), delayMs: 100 }])), 'is a GIF'],
    ['with a cell past the last', animation({ frames: [72] }), 'names cell 72, the sheet has 72'],
    ['with a cell before the first', animation({ frames: [-1] }), 'names cell -1'],
    ['without frames', animation({ frames: [] }), 'animation idle has no frames'],
    ['with a rate of 0', animation({ fps: 0 }), 'rate'],
    ['with a rate of 120', animation({ fps: 120 }), 'rate'],
    ['with a grid that does not cover', pet({ frame: { width: 100 } }), 'do not cover the sheet of 1536 x 1872'],
    ['with a grid of nothing', pet({ frame: { columns: 0 } }), 'frame.columns must be a whole number above 0'],
    ['with too many cells', pet({ frame: { width: 16, height: 16, columns: 96, rows: 117 } }), 'at most 256'],
    ['that is no JSON', { 'pet.json': '{' }, 'pet.json is not JSON'],
    ['that is a list', { 'pet.json': '[]' }, 'pet.json is no JSON object'],
  ])('%s is refused', async (_, files, reason) => {
    await expect(read(files)).rejects.toThrow(reason);
  });

  test('whose sheet is a link is refused without opening it', async () => {
    const tree = memoryTree({ 'pet.json': '{}' }, { closed: ['spritesheet.webp'] });
    await expect(findCodexPets(tree)[0]!.read(fakeLook())).rejects.toThrow('is a link');
  });
});
