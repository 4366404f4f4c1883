import { describe, expect, it } from 'vitest';
import { toCounts, toElapsed, toLine, toProse } from './text.ts';

describe('a line', () => {
  it.each([
    ['plain', 'plain'],
    ['\x1b[31mred\x1b[0m \x1b]0;title\x07text', 'red text'],
    ['a\tb\r\nc', 'a b c'],
    ['safe\u202egpj.exe\u2066', 'safegpj.exe'],
    ['half \ud800 pair', 'half pair'],
    ['\u0000\u0007x', 'x'],
    ['你好 é', '你好 é'],
    ['x'.repeat(50), `${'x'.repeat(39)}…`],
    ['😀'.repeat(41), `${'😀'.repeat(39)}…`],
  ])('%j is shown as %j', (text, expected) => {
    expect(toLine(text, 40)).toBe(expected);
  });

  it.each([[''], ['   '], ['\u200b\u202e'], ['\x1b[0m'], [undefined]])('%j is not shown', (text) => {
    expect(toLine(text, 40)).toBeUndefined();
    expect(toProse(text, 40)).toBeUndefined();
  });

  it('of 10 MB costs no more than one of 20 kB', () => {
    expect(toLine('x'.repeat(10_000_000), 280)).toHaveLength(280);
  });
});

it('prose keeps its line breaks and its beginning', () => {
  expect(toProse('  one\r\n\ttwo\u0007\rthree\n\n', 40)).toBe('  one\n\ttwo\nthree');
});

it.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_600_000, '1 h 0 min'],
])('%d ms are told as %s', (ms, expected) => {
  expect(toElapsed(ms)).toBe(expected);
});

it.each([
  [5_100_000, 20_000_000, 'bytes', '5.1 of 20 MB'],
  [0, 512, 'bytes', '0 of 512 B'],
  [2_048, null, 'bytes', '2.05 kB'],
  [3, 12, 'items', '3 of 12'],
  [3, null, undefined, '3'],
] as const)('%d of %j %s are told as %s', (done, total, unit, expected) => {
  expect(toCounts(done, total, unit)).toBe(expected);
});
