/** Plain sheets: by their descriptor, by WindowPet's two kinds of lists, and oneko by heart. */
import { describe, expect, test } from 'vitest';
import type { Draft } from './draft.ts';
import { findGrids } from './grid.ts';
import { makeGif, makePng, solid } from './pictures.fixture.ts';
import { type Files, fakeLook, memoryTree, taken, times, told, VERBS } from './source.fixture.ts';

const SHEET = makePng(70, 36);
const pack = (fields: object, more: Files = {}): Files => ({
  'grid.json': JSON.stringify({
    image: 'sheet.png',
    cell: { w: 16, h: 16 },
    clips: { idle: { cells: [0] } },
    ...fields,
  }),
  'sheet.png': SHEET,
  ...more,
});
async function read(files: Files): Promise<Draft> {
  return (await findGrids(memoryTree(files), VERBS))[0]!.read(fakeLook());
}
const regions = (draft: Draft, target: string) =>
  draft.takes.find((take) => take.target === target)?.poses.map(({ region: { x, y } }) => [x, y]);

describe('grid.json', () => {
  test('says cells, margin, spacing, times and what clips are for', async () => {
    const clips = {
      idle: { cells: [0, 1], durations: [500, 5] },
      greet: { cells: [4], fps: 4, loop: false },
      sleeping: [5],
      zzz9: [1],
    };
    const draft = await read(
      pack({
        margin: 1,
        spacing: 2,
        clips,
        name: 'Grün',
        author: 'Ann',
        license: 'CC-BY-4.0',
        transparency: '#ff00ff',
      }),
    );
    expect(regions(draft, 'idle')).toEqual([
      [1, 1],
      [19, 1],
    ]);
    // Three cells fit into 70 px: the fourth would end at 72.
    expect(regions(draft, 'greet')).toEqual([[19, 19]]);
    expect(times(draft, 'idle')).toEqual([500, 100]);
    expect(times(draft, 'greet')).toEqual([250]);
    expect(taken(draft)).toMatchObject({ idle: 'idle (declared)', greet: 'greet (declared)' });
    expect([draft.name, draft.license, draft.colourKey]).toEqual(['Grün', 'CC-BY-4.0', '#ff00ff']);
  });

  test('may count columns and rows instead', async () => {
    const draft = await read(pack({ cell: undefined, columns: 7, rows: 2, clips: { idle: [13] } }));
    expect(draft.takes[0]?.poses[0]?.region).toEqual({ x: 60, y: 18, w: 10, h: 18 });
  });

  test.each<[string, Files, string]>([
    ['no picture', pack({ image: undefined }), 'grid.json: image must name the picture'],
    ['a picture that is missing', pack({ image: 'gone.png' }), 'gone.png is missing: grid.json names it'],
    ['a picture outside', pack({ image: '/etc/passwd' }), 'names a picture outside the pack'],
    ['no clips', pack({ clips: {} }), 'clips must name at least one clip'],
    ['a clip without cells', pack({ clips: { idle: {} } }), 'clip idle has no cells'],
    ['a cell past the last', pack({ clips: { idle: [8] } }), 'clip idle names cell 8, the sheet has 8'],
    ['half a cell', pack({ clips: { idle: [0.5] } }), 'clip idle names cell 0.5'],
    ['a rate of 0', pack({ clips: { idle: { cells: [0], fps: 0 } } }), 'fps must be above 0'],
    ['negative times', pack({ clips: { idle: { cells: [0], durations: [-1] } } }), 'durations must be'],
    ['too few times', pack({ clips: { idle: { cells: [0, 1], durations: [5] } } }), 'durations must be'],
    ['cells larger than the picture', pack({ cell: { w: 71, h: 16 } }), 'cells of 71 x 16 do not fit into 70 x 36'],
    ['cells of no size', pack({ cell: { w: 0, h: 16 } }), 'w must be a whole number from 1'],
    ['an unknown preset', pack({ preset: 'cat' }), 'the only preset is oneko'],
  ])('with %s is refused', async (_, files, reason) => {
    await expect(read(files)).rejects.toThrow(reason);
  });
});

describe("WindowPet's lists", () => {
  const states = { stand: { spriteLine: 2, frameMax: 3 }, walk: { start: 2, end: 4 } };
  const pet = { name: 'Slug', imageSrc: '/media/slug.png', states };

  test('count lines and cells from 1, in both their forms', async () => {
    const picture = makePng(64, 32);
    for (const size of [{ frameSize: 16 }, { width: 64, height: 32, highestFrameMax: 4, totalSpriteLine: 2 }]) {
      const draft = await read({ 'pets.json': JSON.stringify([{ ...pet, ...size }]), 'slug.png': picture });
      expect(regions(draft, 'idle')).toEqual([
        [0, 16],
        [16, 16],
        [32, 16],
      ]);
      expect(regions(draft, 'move')).toEqual([
        [16, 0],
        [32, 0],
        [48, 0],
      ]);
      expect(times(draft, 'move')).toEqual([111, 111, 111]);
    }
  });

  test('of several pets are several characters, each refused for what it lacks', async () => {
    const list = [
      { ...pet, frameSize: 16 },
      { ...pet, name: 'Snail', frameSize: 16, states: { stand: { spriteLine: 0, frameMax: 1 } } },
    ];
    const files = { 'pets.json': JSON.stringify(list), 'media/slug.png': makePng(64, 32) };
    const found = await findGrids(memoryTree(files), VERBS);
    expect(found.map(({ name }) => name)).toEqual(['Slug', 'Snail']);
    await expect(found[1]!.read(fakeLook())).rejects.toThrow('state stand names no cells');
  });

  test('without their picture are refused by its name', async () => {
    await expect(read({ 'pet.json.json': JSON.stringify({ ...pet, frameSize: 16 }) })).rejects.toThrow(
      'media/slug.png is missing',
    );
  });
});

describe('oneko', () => {
  test('is known by the name and size of its sheet', async () => {
    const gif = makeGif(256, 128, [{ paint: solid([0, 0, 0, 255]), delayMs: 0 }]);
    const draft = await read({ 'oneko.gif': gif });
    expect(regions(draft, 'idle')).toEqual([[96, 96]]);
    expect(regions(draft, 'sleep')).toEqual([
      [64, 0],
      [64, 32],
    ]);
    expect(told(draft)).toContain('clip tired was left out');
  });

  test('of another size is no oneko', async () => {
    expect(await findGrids(memoryTree({ 'oneko.png': makePng(8, 8) }), VERBS)).toEqual([]);
  });
});
