import { describe, expect, it } from 'vitest';
import { decodeRuns, type Outline, rectanglesOf, roundedBox } from './outline.ts';

const runs = (...bytes: number[]): string => Buffer.from(bytes).toString('base64');
const drawn = ({ width, height, alpha }: Outline): string[] =>
  Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, x) => (alpha[row * width + x]! >= 128 ? '#' : '.')).join(''),
  );

describe('run lengths', () => {
  it('fill a picture row by row', () => {
    expect([...decodeRuns(3, 2, runs(2, 255, 1, 0, 3, 128))!.alpha]).toEqual([255, 255, 0, 128, 128, 128]);
  });

  it.each([
    ['too few', runs(5, 255)],
    ['too many', runs(7, 255)],
    ['none', ''],
    ['noise', '!!!'],
  ])('that are %s are no picture', (_, text) => {
    expect(decodeRuns(3, 2, text)).toBeNull();
  });
});

describe('a rounded box', () => {
  it('is round where it is told to be', () => {
    expect(drawn(roundedBox(6, 4, [2, 0, 0, 2]))).toEqual(['.#####', '######', '######', '.#####']);
  });

  it('has soft edges and is solid inside', () => {
    const { alpha, width } = roundedBox(20, 20, [8, 8, 8, 8]);
    expect(alpha[0]).toBe(0);
    expect([...alpha].some((value) => value > 0 && value < 255)).toBe(true);
    expect(alpha[10 * width + 10]).toBe(255);
    expect(alpha[8]).toBe(255);
  });

  it('is never rounder than its shorter side', () => {
    expect(drawn(roundedBox(4, 4, [90, 90, 90, 90]))).toEqual(drawn(roundedBox(4, 4, [2, 2, 2, 2])));
  });
});

describe('the rectangles of an outline', () => {
  it('cover exactly the solid pixels, each once', () => {
    const outline = roundedBox(37, 23, [9, 3, 0, 11]);
    const seen = new Uint8Array(37 * 23);
    for (const [x, y, width, height] of rectanglesOf(outline))
      for (let row = y; row < y + height; row += 1)
        for (let column = x; column < x + width; column += 1) seen[row * 37 + column]! += 1;
    expect([...seen]).toEqual([...outline.alpha].map((value) => (value >= 128 ? 1 : 0)));
  });

  it('join equal rows', () => {
    expect(rectanglesOf(roundedBox(10, 10, [0, 0, 0, 0]))).toEqual([[0, 0, 10, 10]]);
  });

  it('of nothing are none', () => {
    expect(rectanglesOf({ width: 2, height: 2, alpha: new Uint8Array(4) })).toEqual([]);
  });
});
