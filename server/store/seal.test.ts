import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeal } from './seal.ts';

const seal = createSeal(randomBytes(32));

test('a digest holds for the row it was made of', () => {
  expect(seal.holds(seal.row('t', 'a', 1, null), 't', 'a', 1, null)).toBe(true);
});

test.each([
  ['another table', ['u', 'a', 'b', null]],
  ['another value', ['t', 'a', 'c', null]],
  ['text moved from one column to the next', ['t', 'ab', '', null]],
  ['null and the text that stands for it', ['t', 'a', 'b', '-']],
  ['a column less', ['t', 'a', 'b']],
] as [string, [string, ...(string | null)[]]][])('it does not hold for %s', (_, [table, ...columns]) => {
  expect(seal.holds(seal.row('t', 'a', 'b', null), table, ...columns)).toBe(false);
});

test('what is not a digest holds for nothing', () => {
  for (const value of [null, undefined, 'x', 1, Buffer.alloc(0), Buffer.alloc(32)])
    expect(seal.holds(value, 't', 'a')).toBe(false);
});

test('another secret gives other digests, and texts never pass for rows', () => {
  const other = createSeal(randomBytes(32));
  expect(other.row('t', 'a').equals(seal.row('t', 'a'))).toBe(false);
  expect(other.text('a')).not.toBe(seal.text('a'));
  expect(seal.text('a')).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(seal.text('a')).toBe(seal.text('a'));
});
