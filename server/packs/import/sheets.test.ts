/** Sheets of Aseprite and TexturePacker: order by tag, pieces upright and untrimmed, pictures only beside their description. */
import { describe, expect, test } from 'vitest';
import type { Draft } from './draft.ts';
import { makePng } from './pictures.fixture.ts';
import { findSheets } from './sheets.ts';
import { type Files, fakeLook, memoryTree, taken, times, told } from './source.fixture.ts';

const SHEET = makePng(64, 32);
const cell = (index: number, more: object = {}) => ({
  frame: { x: index * 16, y: 0, w: 16, h: 16 },
  rotated: false,
  trimmed: false,
  sourceSize: { w: 16, h: 16 },
  duration: 100 + index,
  ...more,
});
const aseprite = (frameTags: readonly object[] | null, more: object = {}): object => ({
  frames: Object.fromEntries([0, 1, 2].map((index) => [`cat ${index}.aseprite`, cell(index)])),
  meta: { app: 'https://www.aseprite.org/', image: 'cat.png', scale: '1', ...(frameTags && { frameTags }), ...more },
});
const pack = (json: object, more: Files = {}): Files => ({
  'cat.json': JSON.stringify(json),
  'cat.png': SHEET,
  ...more,
});

async function read(files: Files): Promise<Draft> {
  return (await findSheets(memoryTree(files)))[0]!.read(fakeLook());
}

describe('a sheet of Aseprite', () => {
  test.each<[string, readonly number[]]>([
    ['forward', [100, 101, 102]],
    ['reverse', [102, 101, 100]],
    ['pingpong', [100, 101, 102, 101]],
    ['pingpong_reverse', [102, 101, 100, 101]],
  ])('plays a tag %s', async (direction, ms) => {
    const draft = await read(pack(aseprite([{ name: 'Idle', from: 0, to: 2, direction }])));
    expect(times(draft, 'idle')).toEqual(ms);
    expect(draft.format).toBe('aseprite');
  });

  test('takes tags by their words, repeats as they say, and tells which are left', async () => {
    const tags = [
      { name: 'Loop', from: 0, to: 0, direction: 'forward' },
      { name: 'Walk', from: 1, to: 2, direction: 'forward' },
      { name: 'Wave', from: 2, to: 2, direction: 'forward', repeat: '2' },
      { name: 'Zzyzx', from: 1, to: 1, direction: 'forward' },
    ];
    const draft = await read(pack(aseprite(tags)));
    expect(taken(draft)).toEqual({ idle: 'Loop (guessed)', move: 'Walk (named)', greet: 'Wave (named)' });
    expect(draft.takes.find(({ target }) => target === 'greet')?.loop).toBe(2);
    expect(told(draft)).toContain('animation Zzyzx was left out');
  });

  test('without tags is one animation, as a list too', async () => {
    const frames = [0, 1, 2].map((index) => ({ filename: `cat ${index}`, ...cell(index) }));
    for (const draft of [await read(pack(aseprite(null))), await read(pack({ ...aseprite(null), frames }))])
      expect(times(draft, 'idle')).toEqual([100, 101, 102]);
  });

  test('whose picture has a path of its author is read from beside it', async () => {
    for (const image of ['/home/someone/cat.png', 'C:\\art\\cat.png', '../../cat.png']) {
      const draft = await read(pack(aseprite(null, { image })));
      expect([...draft.pictures.keys()]).toEqual(['cat.png']);
      expect(told(draft)).toContain('names its picture by a path; cat.png beside it was taken');
    }
  });

  test('stands on the pivot of its slice', async () => {
    const slices = [{ name: 'Pivot', keys: [{ frame: 0, bounds: { x: 2, y: 3, w: 8, h: 8 }, pivot: { x: 4, y: 5 } }] }];
    const draft = await read(pack(aseprite(null, { slices })));
    expect(draft.takes[0]?.poses[0]?.anchor).toEqual({ x: 6, y: 8 });
  });
});

describe('a sheet of TexturePacker', () => {
  const packed = (frames: object, more: object = {}, meta: object = {}): object => ({
    frames,
    meta: { app: 'https://www.codeandweb.com/texturepacker', image: 'cat.png', scale: '1', ...meta },
    ...more,
  });

  test.each([
    [64, 'pixelated'],
    [65, 'smooth'],
  ])('is pixel art when its pictures are small: %i px', async (side, scaling) => {
    const frame = { frame: { x: 0, y: 0, w: 10, h: 10 }, sourceSize: { w: side, h: 10 } };
    expect((await read(pack(packed({ 'idle_1.png': frame })))).scaling).toBe(scaling);
  });

  test('has pieces that are turned and trimmed', async () => {
    const frame = {
      frame: { x: 4, y: 2, w: 10, h: 20 },
      rotated: true,
      trimmed: true,
      spriteSourceSize: { x: 3, y: 5, w: 10, h: 20 },
      sourceSize: { w: 24, h: 30 },
      anchor: { x: 0.25, y: 0.5 },
    };
    const [pose] = (await read(pack(packed({ 'idle_1.png': frame })))).takes[0]!.poses;
    expect(pose).toMatchObject({
      region: { x: 4, y: 2, w: 10, h: 20 },
      rotated: true,
      offset: { x: 3, y: 5 },
      size: { w: 24, h: 30 },
      anchor: { x: 6, y: 15 },
      durationMs: 125,
    });
  });

  test('names its animations, or has them in its frames names', async () => {
    const { duration: _, ...plain } = cell(0);
    const frames = { 'idle1.png': plain, 'idle2.png': plain, 'walk1.png': plain };
    const grouped = await read(pack(packed(frames)));
    expect([times(grouped, 'idle').length, times(grouped, 'move').length]).toEqual([2, 1]);
    expect(told(grouped)).toContain('says no times; each frame is shown for 125 ms');
    const listed = await read(pack(packed(frames, { animations: { idle: ['walk1.png', 'gone.png'] } })));
    expect(times(listed, 'idle')).toHaveLength(1);
    expect(told(listed)).toContain('animation idle: 1 of its frames are in no sheet');
  });

  test('spread over several is put together, and a further sheet that is not there is told', async () => {
    const { duration: _, ...plain } = cell(0);
    const first = packed({ 'idle1.png': plain }, {}, { related_multi_packs: ['cat-1.json', 'gone.json', 7] });
    const second = packed({ 'idle2.png': plain }, {}, { image: 'other.png' });
    const files = pack(first, { 'cat-1.json': JSON.stringify(second), 'other.png': SHEET });
    expect(await findSheets(memoryTree(files))).toHaveLength(1);
    const draft = await read(files);
    expect(draft.takes[0]?.poses.map(({ picture }) => picture)).toEqual(['cat.png', 'other.png']);
    expect(draft.notes.filter(({ text }) => text.includes('is not there and was ignored'))).toHaveLength(2);
    expect(told(await read(pack(packed({ a: plain }, {}, { related_multi_packs: 'x' }))))).toContain('is no list');
  });

  test('drawn at half its size says so', async () => {
    expect((await read(pack(packed({ a: cell(0) }, {}, { scale: '0.5' })))).scale).toBe(0.5);
  });
});

test.each<[string, Files, string]>([
  ['whose picture is missing', { 'cat.json': JSON.stringify(aseprite(null)) }, 'cat.png is missing: cat.json names it'],
  [
    'with a frame beyond its picture',
    pack({ ...aseprite(null), frames: { a: cell(4) } }),
    'frame a reaches beyond cat.png, which is 64 x 32',
  ],
  ['with a negative frame', pack({ ...aseprite(null), frames: { a: cell(-1) } }), 'reaches beyond'],
  [
    'with a frame of nothing',
    pack({ ...aseprite(null), frames: { a: cell(0, { frame: { x: 0, y: 0, w: 0, h: 4 } }) } }),
    'reaches beyond',
  ],
  [
    'with a tag past the last frame',
    pack(aseprite([{ name: 'Idle', from: 0, to: 3 }])),
    'tag Idle names frames that are not there; the sheet has 3',
  ],
  ['of a vector image', pack(aseprite(null), { 'cat.png': '<svg xmlns="x"/>' }), 'vector image'],
  [
    'with too many frames',
    pack({ ...aseprite(null), frames: Array.from({ length: 2_049 }, () => cell(0)) }),
    'has 2049 frames, at most 2048',
  ],
  ['with no frames', pack({ frames: {}, meta: {} }), 'has no frames'],
])('a sheet %s is refused', async (_, files, reason) => {
  await expect(read(files)).rejects.toThrow(reason);
});

test('a name like __proto__ is a frame like any other', async () => {
  const text = `{"frames":{"__proto__":${JSON.stringify(cell(0))}},"meta":{"image":"cat.png"}}`;
  expect((await read({ 'cat.json': text, 'cat.png': SHEET })).takes[0]?.poses).toHaveLength(1);
});
