/** A manifest is refused with the place and the rule, one fault at a time. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkManifest } from './check.ts';
import { FULL_MANIFEST } from './full-manifest.fixture.ts';
import { TEST_MANIFEST } from './testing.ts';

/** A manifest with one place changed; `undefined` takes the field away. */
function changed(path: string, value: unknown, manifest = TEST_MANIFEST): unknown {
  const copy = structuredClone(manifest) as unknown as Record<string, unknown>;
  const names = path.split('/').slice(1);
  const last = names.pop() ?? '';
  const parent = names.reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

const frame = { image: 'main', cell: 0, duration: 100 };
const finite = { frames: [frame], loop: false, stillFrame: 0 };

describe('checkManifest', () => {
  test('finds nothing wrong with a good manifest, or with one that uses every field', () => {
    expect(checkManifest(TEST_MANIFEST)).toEqual([]);
    expect(checkManifest(FULL_MANIFEST)).toEqual([]);
  });

  test.each([
    ['right to left', 'شبح صغير'],
    ['right to left with vowel marks', 'רוּחַ קְטַנָּה'],
    ['joined emoji', '👩‍👩‍👧‍👦🏳️‍🌈'],
    ['Japanese', 'お化け｜ゴースト'],
    ['marks of other formats', 'Pepper | Pepper&Carrot <b>"\''],
  ])('lets a name in any script pass: %s', (_, name) => {
    expect(checkManifest(changed('/displayName/default', name))).toEqual([]);
  });

  test.each<[string, string, unknown, string]>([
    ['another schema', '/schema', 'desktop-companion.character/2', '/schema'],
    ['a missing field', '/license', undefined, '/license: is missing'],
    ['an unknown field', '/script', 'x', '/script: is not a field of this format'],
    ['an ID with a slash', '/id', '../nib', '/id'],
    ['an ID of one name', '/id', 'nib', '/id'],
    ['a version that is none', '/version', '1', '/version'],
    ['an ID that another file system would spell otherwise', '/id', 'test.Dot', '/id'],
    ['an ID that ends in a dot', '/id', 'test.dot.', '/id'],
    ['an ID with an odd part', '/id', 'test.-dot', '/id'],
    ['a version with leading zeros', '/version', '01.0.0', '/version'],
    ['a licence that is a sentence', '/license', 'free for all, see http://example.org', '/license'],
    ['an empty name', '/displayName/default', ' ', '/displayName/default'],
    ['a name that turns the text around it', '/displayName/default', 'a\u202eb', '/displayName/default'],
    ['a name with an isolate', '/displayName/default', 'a\u2066b', '/displayName/default'],
    ['a name nobody can see', '/displayName/default', '\u200b\u2060', '/displayName/default'],
    ['a name with a line separator', '/displayName/default', 'a\u2028b', '/displayName/default'],
    ['a name with a line break', '/displayName/default', 'a\nb', '/displayName/default'],
    ['an unknown language', '/displayName/fr', 'x', '/displayName/fr: is not a field of this format'],
    ['a file outside the folder', '/images/0/file', '../sheet.png', '/images/0/file'],
    ['an address for a file', '/images/0/file', 'https://example.org/a.png', '/images/0/file'],
    ['vector images', '/images/0/file', 'sheet.svg', '/images/0/file'],
    ['a duration of 19 ms', '/clips/hop/frames/0/duration', 19, '/clips/hop/frames/0/duration'],
    ['a duration of 60001 ms', '/clips/hop/frames/0/duration', 60_001, '/clips/hop/frames/0/duration'],
    ['a broken duration', '/clips/hop/frames/0/duration', 20.5, '/clips/hop/frames/0/duration'],
    ['a clip without frames', '/clips/hop/frames', [], '/clips/hop/frames'],
    ['no loop at all', '/clips/hop/loop', 0, '/clips/hop/loop'],
    ['a cell past the grid', '/clips/hop/frames/0/cell', 2, '/clips/hop/frames/0/cell: is 2, the image has 2'],
    ['an unknown image', '/clips/hop/frames/0/image', 'other', '/clips/hop/frames/0/image: there is no such image'],
    ['a still frame past the end', '/clips/hop/stillFrame', 2, '/clips/hop/stillFrame: is 2, the clip has 2 frames'],
    ['an unknown fallback', '/clips/hop/fallback', 'sit', '/clips/hop/fallback: there is no such clip'],
    ['a fallback that is an inherited name', '/clips/hop/fallback', 'constructor', '/clips/hop/fallback'],
    ['a clip that falls back to itself', '/clips/hop/fallback', 'hop', '/clips/hop/fallback: goes round in a circle'],
    ['no idle clip', '/clips/idle', undefined, '/clips/idle: must be there'],
    ['an idle clip that ends', '/clips/idle/loop', 3, '/clips/idle: must be there and loop for ever'],
    ['a clip name with capitals', '/clips/Hop', finite, '/clips: names are lower case'],
    ['a capability without clip', '/capabilities/animation.greet/clip', 'wave', '/capabilities/animation.greet/clip'],
    ['an unknown basis', '/capabilities/animation.greet/basis', 'hoped', '/capabilities/animation.greet/basis'],
    [
      'a substitute of nothing',
      '/substitutes/animation.celebrate/capability',
      'animation.fly',
      '/substitutes/animation.celebrate',
    ],
    [
      'a grid larger than its image',
      '/images/0/grid/columns',
      3,
      '/images/0/grid: 3 x 1 cells do not fit into 32 x 16',
    ],
    [
      'cells of another size than the canvas',
      '/canvas/scale',
      2,
      '/images/0/grid: a cell must be the canvas times its scale',
    ],
    ['zero for a duration', '/clips/hop/frames/0/duration', 0, '/clips/hop/frames/0/duration'],
    ['a negative duration', '/clips/hop/frames/0/duration', -100, '/clips/hop/frames/0/duration'],
    ['a start of the loop past the end', '/clips/hop/loopStart', 2, '/clips/hop/loopStart: is 2, the clip has 2'],
    ['a sound that is not there', '/clips/hop/sound', 'boo', '/clips/hop/sound: there is no such sound'],
    ['an image of 30000 x 30000', '/images/0', { id: 'main', file: 'a.png', w: 30_000, h: 30_000 }, '/images/0/w'],
    ['cells that margins push out', '/images/0/grid/margin', 1, '/images/0/grid: 2 x 1 cells do not fit into 32 x 16'],
    ['cells that gaps push out', '/images/0/grid/spacing', 1, '/images/0/grid: 2 x 1 cells do not fit into 32 x 16'],
    ['a hit area beyond the canvas', '/hitArea', { x: 0, y: 1, w: 16, h: 16 }, '/hitArea: reaches beyond the canvas'],
    ['a pack that needs itself', '/requires', ['test.dot@0.1'], '/requires: a pack cannot need itself'],
    ['a pack needed in two versions', '/requires', ['a.b@1', 'a.b@2'], '/requires: names one pack twice'],
    ['a needed version that is none', '/requires', ['a.b@latest'], '/requires/0'],
    ['a style that is not known', '/styles', ['shiny'], '/styles/0'],
    ['somebody else’s data under a plain name', '/vendor', { data: 1 }, '/vendor: keys are'],
    ['a core capability that is declared', '/declares', { 'animation.greet': {} }, '/declares: only vendor.'],
    ['a content box beyond the canvas', '/contentBox/x', 5, '/contentBox: reaches beyond the canvas'],
    ['an anchor outside', '/anchor/y', 1.5, '/anchor/y'],
    ['an image too wide', '/images/0/w', 8_193, '/images/0/w'],
    ['a text for a number', '/canvas/w', '16', '/canvas/w'],
  ])('names %s', (_, path, value, reason) => {
    expect(checkManifest(changed(path, value)).join('\n')).toContain(reason);
  });

  test.each<[string, string, unknown, string]>([
    ['cell and rectangle in one', '/clips/float/frames/1/cell', 0, ': must have either cell or frame'],
    ['neither cell nor rectangle', '/clips/float/frames/2/frame', undefined, ': must have either cell or frame'],
    ['a turned cell', '/clips/float/frames/0/rotated', true, '/rotated: needs frame beside it'],
    ['half of the trimming', '/clips/float/frames/1/sourceSize', undefined, '/spriteSourceSize: needs sourceSize'],
    ['the other half', '/clips/float/frames/1/spriteSourceSize', undefined, '/sourceSize: needs spriteSourceSize'],
    ['a cell of an image without cells', '/clips/float/frames/0/image', 'loose', '/cell: the image has no grid'],
    [
      'a turned rectangle laid straight',
      '/clips/float/frames/1/rotated',
      false,
      '120 x 90 pixels from 10, 0 reach beyond',
    ],
    ['a rectangle beyond its image', '/clips/float/frames/2/frame/x', 100, '1 x 1 pixels from 100, 0 reach beyond'],
    ['an empty rectangle', '/clips/float/frames/2/frame/w', 0, '/frame/w'],
    [
      'a trimmed frame of another size',
      '/clips/float/frames/1/spriteSourceSize/w',
      119,
      'is 119 x 90, the frame is 120 x 90',
    ],
    [
      'a trimmed frame outside of the whole',
      '/clips/float/frames/1/spriteSourceSize/x',
      9,
      'reaches beyond the sourceSize',
    ],
    [
      'a frame larger than the canvas',
      '/clips/float/frames/1/sourceSize/w',
      129,
      'is 129 x 96 pixels, the canvas holds 128 x 96',
    ],
    [
      'a clip of a style that is not there',
      '/capabilities/animation.greet/styles/comic',
      'x',
      '/styles/comic: there is no such clip',
    ],
    ['a style beside the character’s own', '/styles', ['plain'], '/styles/comic: is not among the styles'],
    [
      'a vendor’s capability not declared',
      '/declares',
      {},
      '/capabilities/vendor.org.example.boo: must be under declares too',
    ],
    ['a declared one not mapped', '/capabilities/vendor.org.example.boo', undefined, 'must be under capabilities too'],
    ['a checksum in capitals', '/images/0/sha256', 'A0'.repeat(32), '/images/0/sha256'],
    ['two files that differ in case', '/images/1/file', 'GRID.webp', '/images: two file names differ only in case'],
    [
      'two sounds with one id',
      '/sounds',
      [
        { id: 'boo', file: 'a.ogg' },
        { id: 'boo', file: 'b.ogg' },
      ],
      '/sounds: two have',
    ],
    ['a sound of a strange kind', '/sounds/0/file', 'boo.mid', '/sounds/0/file'],
  ])('names %s in a manifest that uses every field', (_, path, value, reason) => {
    expect(checkManifest(changed(path, value, FULL_MANIFEST)).join('\n')).toContain(reason);
  });

  test('refuses two images with one id', () => {
    const images = [...TEST_MANIFEST.images, ...TEST_MANIFEST.images];
    expect(checkManifest({ ...TEST_MANIFEST, images })).toEqual(['/images: two have the same id']);
  });

  test('refuses a circle of several finite clips, but not one that meets an endless clip', () => {
    const { idle } = TEST_MANIFEST.clips;
    const circle = { a: { ...finite, fallback: 'b' }, b: { ...finite, fallback: 'a' } };
    const chain = { a: { ...finite, fallback: 'b' }, b: { ...finite, fallback: 'idle' } };
    const bare = { ...TEST_MANIFEST, capabilities: {}, substitutes: {} };
    expect(checkManifest({ ...bare, clips: { idle, ...circle } })).toHaveLength(2);
    expect(checkManifest({ ...bare, clips: { idle, ...chain } })).toEqual([]);
  });

  test('refuses a sheet of too many pixels and a pack of too many frames', () => {
    const images = [{ ...TEST_MANIFEST.images[0], w: 8_000, h: 8_000 }];
    expect(checkManifest({ ...TEST_MANIFEST, images }).join()).toContain('has 64000000 pixels');
    const three = ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.png`, w: 6_000, h: 5_000 }));
    const heavy = checkManifest({ ...TEST_MANIFEST, images: [...TEST_MANIFEST.images, ...three] });
    expect(heavy).toEqual(['/images: have 90000512 pixels, at most 64000000 are allowed']);
    const many = { ...finite, frames: Array.from({ length: 256 }, () => frame) };
    const clips = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`clip${index}`, many]));
    const crowded = { ...TEST_MANIFEST, clips: { ...TEST_MANIFEST.clips, ...clips } };
    expect(checkManifest(crowded)).toEqual(['/clips: have 2051 frames, at most 2048 are allowed']);
  });

  test.each([[null], [[]], ['text'], [7], [undefined]])('refuses %j as a whole', (value) => {
    expect(checkManifest(value)).toEqual(['/: must be an object']);
  });

  test('refuses what nests deeper than 16, however deep, and names that touch what objects inherit', () => {
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    const within = { ...TEST_MANIFEST, vendor: { 'vendor.org.example': nested(14) } };
    expect(checkManifest(within)).toEqual([]);
    for (const depth of [15, 1_000, 30_000]) {
      const vendor = { 'vendor.org.example': nested(depth) };
      expect(checkManifest({ ...TEST_MANIFEST, vendor })).toEqual(['/: is nested deeper than 16']);
      expect(checkManifest(nested(depth + 2))).toEqual(['/: is nested deeper than 16']);
    }
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const text = JSON.stringify(FULL_MANIFEST).replace('"anything"', `"${name}"`);
      expect(checkManifest(JSON.parse(text))).toEqual([`/: has a field named ${name}, which is never allowed`]);
    }
  });

  test('never throws, and never lets anything but a manifest pass', () => {
    const frames = fc.array(fc.record({ image: fc.string(), cell: fc.integer(), duration: fc.integer() }));
    const clips = fc.dictionary(fc.string(), fc.record({ frames, loop: fc.jsonValue(), fallback: fc.string() }));
    const half = fc.record({ schema: fc.constant('desktop-companion.character/1'), id: fc.string(), clips });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), half), (value) => {
        expect(checkManifest(JSON.parse(JSON.stringify(value)))).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('never throws on a good manifest with any JSON in one place', () => {
    const places = Object.keys(FULL_MANIFEST).flatMap((name) => {
      const value = FULL_MANIFEST[name as keyof typeof FULL_MANIFEST];
      return [`/${name}`, ...(typeof value === 'object' ? Object.keys(value).map((each) => `/${name}/${each}`) : [])];
    });
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, value) => {
        expect(Array.isArray(checkManifest(changed(place, value, FULL_MANIFEST)))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
