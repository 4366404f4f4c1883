import { describe, expect, it } from 'vitest';
import type { Box } from '../../protocol/window.ts';
import { boxesOf, type Reserved, type Strut, strutsOf, workAreaOf } from './work-area.ts';

const A = { x: 0, y: 0, width: 1920, height: 1080 };
const B = { x: 1920, y: 0, width: 2560, height: 1440 };
const ROOT = { width: 4480, height: 1440 };
const none: Reserved = { struts: [], whole: null, each: [] };

const areas = (struts: readonly Strut[], more: Partial<Reserved> = {}): readonly Box[] =>
  [A, B].map((box) => workAreaOf(box, ROOT, false, { ...none, ...more, struts }));
const partial = (index: number, depth: number, from: number, to: number): readonly Strut[] => {
  const numbers = Array<number>(12).fill(0);
  numbers[index] = depth;
  numbers[4 + 2 * index] = from;
  numbers[5 + 2 * index] = to;
  return strutsOf(numbers, [], null);
};

describe('the work area of a monitor', () => {
  it('is the whole monitor while no panel is there', () => {
    expect(areas([])).toEqual([A, B]);
  });

  it.each<[string, readonly Strut[], Box, Box]>([
    ['a panel at the bottom of the low monitor', partial(3, 360 + 40, 0, 1919), { ...A, height: 1040 }, B],
    ['a panel at the bottom of the high monitor', partial(3, 48, 1920, 4479), A, { ...B, height: 1392 }],
    ['a panel at the top of one', partial(2, 30, 1920, 4479), A, { ...B, y: 30, height: 1410 }],
    ['a dock at the far right', partial(1, 64, 0, 1439), A, { ...B, width: 2496 }],
    ['a dock at the left', partial(0, 64, 0, 1079), { ...A, x: 64, width: 1856 }, B],
    ['a dock at the inner side of the right monitor', partial(0, 1984, 0, 1079), A, { ...B, x: 1984, width: 2496 }],
    ['a dock at the inner side of the left monitor', partial(1, 2624, 0, 1079), { ...A, width: 1856 }, B],
    ['nonsense', partial(3, 100_000, 0, 100_000), A, B],
  ])('with %s', (_what, struts, a, b) => {
    expect(areas(struts)).toEqual([a, b]);
  });

  it('is not touched by the panel of another monitor that does not say where along the side it is', () => {
    const plain = strutsOf([], [0, 0, 0, 400], { x: 0, y: 1040, width: 1920, height: 40 });
    expect(areas(plain)).toEqual([{ ...A, height: 1040 }, B]);
    expect(areas(strutsOf([], [0, 0, 0, 400], null))).toEqual([
      { ...A, height: 1040 },
      { ...B, height: 1040 },
    ]);
  });

  it('counts panels on all four sides', () => {
    const struts = [...partial(0, 10, 0, 1079), ...partial(2, 20, 0, 1919), ...partial(3, 400, 0, 1919)];
    expect(areas(struts)[0]).toEqual({ x: 10, y: 20, width: 1910, height: 1020 });
  });

  it('is never cut by the one box for the whole root while struts are known', () => {
    const whole = { x: 0, y: 0, width: 4480, height: 1040 };
    expect(areas(partial(3, 400, 0, 1919), { whole })).toEqual([{ ...A, height: 1040 }, B]);
    expect(areas([], { whole })).toEqual([
      { ...A, height: 1040 },
      { ...B, height: 1040 },
    ]);
  });

  it('of the only monitor is what the window manager says', () => {
    const whole = { x: 5, y: 5, width: 1910, height: 1030 };
    const struts = partial(3, 40, 0, 1919);
    expect(workAreaOf(A, A, true, { ...none, struts, whole })).toEqual(whole);
    expect(workAreaOf(A, A, true, { ...none, struts, whole: { x: 0, y: 0, width: 9, height: 9 } }).height).toBe(1040);
  });

  it('is what the window manager says for each monitor, if it does', () => {
    const each = [
      { ...B, y: 27, height: 1413 },
      { ...A, y: 32, height: 1048 },
    ];
    expect(areas(partial(3, 400, 0, 1919), { each })).toEqual([each[1], each[0]]);
  });
});

describe('boxes in a property', () => {
  it('may stand left of and above the root', () => {
    expect(boxesOf([0xffff_ff38, 0xffff_fffe, 10, 20, 1, 2, 3, 4, 9])).toEqual([
      { x: -200, y: -2, width: 10, height: 20 },
      { x: 1, y: 2, width: 3, height: 4 },
    ]);
  });
});
