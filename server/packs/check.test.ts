/** A manifest is refused with the place and the rule, one fault at a time. */
import { describe, expect, test } from 'vitest';
import { checkManifest } from './check.ts';
import { TEST_MANIFEST } from './testing.ts';

/** The test manifest with one place changed; `undefined` takes the field away. */
function changed(path: string, value: unknown): unknown {
  const copy = structuredClone(TEST_MANIFEST) as unknown as Record<string, unknown>;
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
  test('finds nothing wrong with a good manifest', () => {
    expect(checkManifest(TEST_MANIFEST)).toEqual([]);
  });

  test.each<[string, string, unknown, string]>([
    ['another schema', '/schema', 'desktop-companion.character/2', '/schema'],
    ['a missing field', '/license', undefined, '/license: is missing'],
    ['an unknown field', '/script', 'x', '/script: is not a field of this format'],
    ['an ID with a slash', '/id', '../nib', '/id'],
    ['an ID of one name', '/id', 'nib', '/id'],
    ['a version that is none', '/version', '1', '/version'],
    ['an empty name', '/displayName/default', ' ', '/displayName/default'],
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
    ['a content box beyond the canvas', '/contentBox/x', 5, '/contentBox: reaches beyond the canvas'],
    ['an anchor outside', '/anchor/y', 1.5, '/anchor/y'],
    ['an image too wide', '/images/0/w', 8_193, '/images/0/w'],
    ['a text for a number', '/canvas/w', '16', '/canvas/w'],
  ])('names %s', (_, path, value, reason) => {
    expect(checkManifest(changed(path, value)).join('\n')).toContain(reason);
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
    const many = { ...finite, frames: Array.from({ length: 256 }, () => frame) };
    const clips = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`clip${index}`, many]));
    const crowded = { ...TEST_MANIFEST, clips: { ...TEST_MANIFEST.clips, ...clips } };
    expect(checkManifest(crowded)).toEqual(['/clips: have 2051 frames, at most 2048 are allowed']);
  });

  test.each([[null], [[]], ['text'], [7], [undefined]])('refuses %j as a whole', (value) => {
    expect(checkManifest(value)).toEqual(['/: must be an object']);
  });
});
