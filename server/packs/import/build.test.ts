/** From draft to pack: cells share their anchor, guesses are not offered, substitutes have reasons, and a second import is the next version. */
import { describe, expect, test } from 'vitest';
import { UNKNOWN_AUTHOR } from '../../protocol/character.ts';
import { checkManifest } from '../check.ts';
import type { InstalledPack } from '../types.ts';
import { buildPack } from './build.ts';
import { type Draft, type Pose, plainPose, type Take } from './draft.ts';
import { layOut } from './layout.ts';
import { readPicture } from './picture.ts';
import { makePng } from './pictures.fixture.ts';
import { versioned } from './reimport.ts';
import { tellReport } from './report.ts';
import { CAPABILITY_IDS, fakeAtlas, options } from './source.fixture.ts';

const pose = (w: number, h: number, more: Partial<Pose> = {}): Pose => ({
  ...plainPose('a.png', { x: 0, y: 0, w, h }, 100),
  ...more,
});
const take = (target: string, more: Partial<Take> = {}): Take => ({
  target,
  source: target,
  basis: 'declared',
  poses: [pose(100, 100)],
  loop: true,
  ...more,
});
const draft = (takes: readonly Take[], more: Partial<Draft> = {}): Draft => ({
  format: 'grid',
  name: 'Cat',
  sourceId: 'cat',
  description: '',
  authors: [],
  license: null,
  version: null,
  facing: 'right',
  scaling: 'smooth',
  scale: 1,
  colourKey: null,
  pictures: new Map([['a.png', readPicture('a.png', makePng(100, 100))]]),
  takes,
  notes: [],
  evidence: [Buffer.from('x')],
  ...more,
});

describe('the report', () => {
  test.each([
    [1, '1 of these is a guess, which no program is offered; to accept it, import with'],
    [2, '2 of these are guesses, which no program is offered; to accept them, import with'],
  ])('counts %i as one would say it', async (count, said) => {
    const guesses = ['greet', 'work'].slice(0, count).map((target) => take(target, { basis: 'guessed' }));
    const { report } = await buildPack(
      draft([take('idle'), take('wait'), ...guesses]),
      options(),
      fakeAtlas().makeAtlas,
    );
    expect(tellReport(report)).toContain(said);
  });
});

describe('cells', () => {
  test('are as large as it takes for all anchors to meet', () => {
    const { plan, anchor, canvas } = layOut(
      draft([
        take('idle', {
          poses: [pose(40, 60, { anchor: { x: 10, y: 60 } }), pose(30, 80, { anchor: { x: 20, y: 40 } })],
        }),
      ]),
    );
    expect([plan.cellW, plan.cellH]).toEqual([50, 100]);
    expect(plan.cells.map(({ x, y }) => [x, y])).toEqual([
      [10, 0],
      [0, 20],
    ]);
    expect(anchor).toEqual({ x: 0.4, y: 0.6 });
    expect(canvas).toEqual({ w: 50, h: 100, scale: 1 });
  });

  test('hold a trimmed piece where it was', () => {
    const trimmed = pose(10, 10, { size: { w: 100, h: 100 }, offset: { x: 30, y: 70 }, anchor: { x: 50, y: 100 } });
    expect(layOut(draft([take('idle', { poses: [trimmed] })])).plan.cells[0]).toMatchObject({ x: 30, y: 70 });
  });

  test('of the same piece are one', () => {
    const { plan, cellOf } = layOut(draft([take('idle', { poses: [pose(100, 100), pose(100, 50), pose(100, 100)] })]));
    expect(plan.cells).toHaveLength(2);
    expect([pose(100, 100), pose(100, 50)].map(cellOf)).toEqual([0, 1]);
  });

  test.each<[string, Partial<Draft>, Pose, object]>([
    [
      'small pixels are magnified by a whole number',
      { scaling: 'pixelated' },
      pose(40, 30),
      { cellW: 120, cellH: 90, zoom: 3, smooth: false },
    ],
    ['a picture drawn at half its size is doubled', { scale: 0.5 }, pose(40, 40), { cellW: 80, zoom: 2 }],
    [
      'a speck is padded, its feet at the edge',
      {},
      pose(4, 4),
      { cellW: 16, cellH: 16, cells: [expect.objectContaining({ x: 6, y: 12 })] },
    ],
    ['a huge picture is made smaller', {}, pose(4_000, 2_000), { cellW: 1_024, cellH: 512, smooth: true }],
  ])('%s', (_, more, one, plan) => {
    expect(layOut(draft([take('idle', { poses: [one] })], more)).plan).toMatchObject(plan);
  });

  test('of a large picture have finer pixels instead of a larger figure', () => {
    expect(layOut(draft([take('idle', { poses: [pose(500, 300)] })])).canvas).toEqual({ w: 250, h: 150, scale: 2 });
  });

  test('that would make too large a sheet are shrunk until it fits', () => {
    const poses = Array.from({ length: 250 }, (_, x) => pose(400, 400, { region: { x, y: 0, w: 400, h: 400 } }));
    const { plan } = layOut(draft([take('idle', { poses })]));
    expect(plan.cellW * plan.cellH * plan.cells.length).toBeLessThanOrEqual(16_000_000);
  });

  test('of more frames than a character may have are refused', () => {
    const poses = Array.from({ length: 250 }, () => pose(4, 4));
    const takes = Array.from({ length: 9 }, (_, index) => take(`t${index}`, { poses }));
    expect(() => layOut(draft(takes))).toThrow('the clips have 2250 frames, at most 2048 are allowed');
  });
});

describe('a pack', () => {
  const takes = [
    take('idle'),
    take('greet', { loop: 3, poses: [pose(100, 100), pose(100, 50), pose(50, 50)] }),
    take('fail', { basis: 'guessed' }),
    take('wait', { basis: 'named' }),
    take('fly'),
  ];

  test('is a manifest that passes the check, with its files', async () => {
    const { makeAtlas } = fakeAtlas();
    const { manifest, files, report } = await buildPack(draft(takes, { name: '小猫 Cat' }), options(), makeAtlas);
    expect(checkManifest(manifest)).toEqual([]);
    expect([...files.keys()]).toEqual(['character.json', 'sheet.png']);
    expect(JSON.parse(Buffer.from(files.get('character.json')!).toString())).toEqual(manifest);
    expect(manifest.displayName.default).toBe('小猫 Cat');
    expect(manifest.license).toBe('LicenseRef-unknown');
    expect(manifest.authors).toEqual([{ name: UNKNOWN_AUTHOR }]);
    expect(manifest.description).toEqual({ default: 'Imported from grid.', zh: '由 grid 导入。' });
    expect(manifest.origin).toMatchObject({ importer: 'grid', importerVersion: 1, sourceId: 'cat' });
    expect(manifest.contentBox).toEqual({ x: 1, y: 2, w: 98, h: 98 });
    expect(manifest.clips.greet).toMatchObject({ loop: 3, fallback: 'idle', stillFrame: 1 });
    expect(Object.keys(manifest.clips)).not.toContain('fly');
    expect(report.taken.map(({ capability, clip }) => capability ?? clip)).toEqual([
      'idle',
      'animation.greet',
      'animation.fail',
      'animation.wait',
    ]);
  });

  test('does not offer what is guessed until the user says yes, and substitutes only by what it offers', async () => {
    const { makeAtlas } = fakeAtlas();
    const cautious = (await buildPack(draft(takes), options(), makeAtlas)).manifest;
    expect(cautious.capabilities['animation.fail']).toEqual({ clip: 'fail', basis: 'guessed' });
    expect(cautious.substitutes['animation.celebrate']).toEqual({
      capability: 'animation.greet',
      reason: 'This character has no clip for celebrate; greet is shown instead.',
    });
    expect(cautious.substitutes['animation.fail']?.capability).toBe('animation.wait');
    const trusting = (await buildPack(draft(takes), options({ acceptGuesses: true }), makeAtlas)).manifest;
    expect(trusting.capabilities['animation.fail']?.basis).toBe('declared');
    expect(trusting.substitutes['animation.fail']).toBeUndefined();
  });

  test('that can only stand there may be waiting, as a guess', async () => {
    const { manifest, report } = await buildPack(draft([take('move')]), options(), fakeAtlas().makeAtlas);
    expect(manifest.clips.idle?.loop).toBe(true);
    expect(manifest.capabilities).toEqual({ 'animation.wait': { clip: 'idle', basis: 'guessed' } });
    expect(manifest.substitutes).toEqual({});
    expect(tellReport(report)).toContain('animation.wait <- move (a guess), 1 frame, 0.1 s');
    expect(tellReport(report)).toContain('--accept-guesses');
  });

  test('keeps a sheet that is taken as it is, byte for byte', async () => {
    const { plans, makeAtlas } = fakeAtlas();
    const bytes = makePng(200, 200);
    const own = draft([take('idle', { poses: [pose(100, 100, { region: { x: 100, y: 100, w: 100, h: 100 } })] })], {
      pictures: new Map([['a.png', readPicture('a.png', bytes)]]),
      asIs: { columns: 2, rows: 2, cellW: 100, cellH: 100 },
    });
    const { manifest, files } = await buildPack(own, options(), makeAtlas);
    expect(plans).toEqual([]);
    expect(files.get('sheet.png')).toBe(bytes);
    expect(manifest.clips.idle?.frames[0]?.cell).toBe(3);
    expect(checkManifest(manifest)).toEqual([]);
  });

  test('of which nothing shows, or nothing was taken, is refused', async () => {
    const blank = async (plan: { readonly cells: readonly unknown[] }) => ({
      png: Buffer.alloc(1),
      w: 100,
      h: 100,
      boxes: plan.cells.map(() => null),
    });
    await expect(buildPack(draft([take('idle')]), options(), blank)).rejects.toThrow('nothing can be seen');
    await expect(buildPack(draft([]), options(), fakeAtlas().makeAtlas)).rejects.toThrow('there is no animation');
  });

  test('of many frames is written tightly, and of too many refused', async () => {
    const long = (clips: number) =>
      draft(
        ['idle', 'move', 'rest', 'drag', 'fall', 'look', 'enter', 'sleep']
          .slice(0, clips)
          .map((target) =>
            take(target, { poses: Array.from({ length: 250 }, (_, index) => pose(100, 100 - (index % 2))) }),
          ),
      );
    const { files } = await buildPack(long(4), options(), fakeAtlas().makeAtlas);
    expect(files.get('character.json')!.length).toBeLessThanOrEqual(65_536);
    await expect(buildPack(long(7), options(), fakeAtlas().makeAtlas)).rejects.toThrow(
      'would be longer than 65536 bytes',
    );
  });

  test('imported again unchanged is the same version, and changed the next one', async () => {
    const pack = await buildPack(draft(takes), options(), fakeAtlas().makeAtlas);
    const other = await buildPack(draft(takes), options({ acceptGuesses: true }), fakeAtlas().makeAtlas);
    const installed = (version: string): InstalledPack => ({
      id: pack.manifest.id,
      version,
      folder: '',
      manifest: { ...pack.manifest, version },
      reason: null,
    });
    expect(versioned(pack, []).manifest.version).toBe('1.0.0');
    expect(versioned(pack, [installed('1.0.4')]).manifest.version).toBe('1.0.4');
    const next = versioned(other, [installed('1.0.9'), installed('1.0.10'), installed('1.0.0')]);
    expect([next.manifest.version, next.report.version]).toEqual(['1.0.11', '1.0.11']);
    expect(JSON.parse(Buffer.from(next.files.get('character.json')!).toString()).version).toBe('1.0.11');
  });
});

test('every capability is spoken of once: taken, or missing with what stands in for it', async () => {
  const { report } = await buildPack(draft([take('idle'), take('think')]), options(), fakeAtlas().makeAtlas);
  const spoken = [
    ...report.taken.map(({ capability }) => capability),
    ...report.missing.map(({ capability }) => capability),
  ];
  expect(spoken.filter((id) => id !== null).toSorted()).toEqual(CAPABILITY_IDS.toSorted());
});
