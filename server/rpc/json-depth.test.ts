import { describe, expect, it } from 'vitest';
import { isDeeperThan } from './json-depth.ts';

describe('isDeeperThan', () => {
  it.each([
    [undefined, 0, false],
    ['text', 0, false],
    [null, 0, false],
    [{}, 0, true],
    [{}, 1, false],
    [{ a: 1, b: [2] }, 1, true],
    [{ a: 1, b: [2] }, 2, false],
    [[[[]]], 2, true],
    [[[[]]], 3, false],
  ])('%j against %i levels is %s', (value, max, expected) => {
    expect(isDeeperThan(value, max)).toBe(expected);
  });

  it('measures a value of a hundred thousand levels without exhausting the stack', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    expect(isDeeperThan(deep, 99_999)).toBe(true);
    expect(isDeeperThan(deep, 100_000)).toBe(false);
  });
});
