import { describe, expect, it } from 'vitest';
import { encodeRuns, nameMask, opacities, solidify } from './mask.ts';

const decode = (runs: string): number[] => {
  const bytes = [...atob(runs)].map((char) => char.charCodeAt(0));
  return Array.from({ length: bytes.length / 2 }, (_, at) => Array(bytes[at * 2]).fill(bytes[at * 2 + 1])).flat();
};

describe('run lengths', () => {
  it.each([
    ['nothing', []],
    ['one pixel', [7]],
    ['edges', [0, 0, 0, 12, 200, 255, 255, 0]],
    ['more than one run may count', Array(700).fill(255)],
    ['no two alike', Array.from({ length: 40_000 }, (_, at) => at % 251)],
  ])('give back %s', (_, alpha: number[]) => {
    expect(decode(encodeRuns(Uint8Array.from(alpha)))).toEqual(alpha);
  });

  it('are short for what is alike', () => {
    expect(atob(encodeRuns(new Uint8Array(510)))).toHaveLength(4);
  });
});

describe('pixels', () => {
  const rgba = () => Uint8ClampedArray.from([1, 2, 3, 0, 4, 5, 6, 1, 7, 8, 9, 255]);

  it('give their opacities', () => {
    expect([...opacities(rgba())]).toEqual([0, 1, 255]);
  });

  it('become opaque in their own colour unless they are clear', () => {
    const pixels = rgba();
    solidify(pixels);
    expect([...pixels]).toEqual([1, 2, 3, 0, 4, 5, 6, 255, 7, 8, 9, 255]);
  });
});

describe('the name of an outline', () => {
  it('is one for equal ones, and another for every other one and every other size', () => {
    const name = nameMask(Uint8Array.from([0, 1, 2, 3]), 2, 2);
    expect(nameMask(Uint8Array.from([0, 1, 2, 3]), 2, 2)).toBe(name);
    expect(nameMask(Uint8Array.from([0, 1, 2, 4]), 2, 2)).not.toBe(name);
    expect(nameMask(Uint8Array.from([0, 1, 2, 3]), 4, 1)).not.toBe(name);
  });
});
