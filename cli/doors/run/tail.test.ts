import { describe, expect, it } from 'vitest';
import { Tail } from './tail.ts';

function tailOf(...pieces: readonly (string | Buffer)[]): string {
  const tail = new Tail();
  for (const piece of pieces) tail.push(Buffer.from(piece));
  return tail.text();
}

describe('the last lines', () => {
  it.each([
    [[], ''],
    [['one\n', 'two\n'], 'one\ntwo'],
    [['no end'], 'no end'],
    [['10 %\r20 %\r30 %\r\nnext\n'], '30 %\nnext'],
  ])('of %j are %j', (pieces, expected) => {
    expect(tailOf(...pieces)).toBe(expected);
  });

  it('of a long output are the newest, all of them whole', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index} é你`);
    for (const step of [7, 1_000, 10_000_000]) {
      const tail = new Tail();
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      for (let at = 0; at < bytes.length; at += step) tail.push(bytes.subarray(at, at + step));
      expect(tail.text()).toBe(lines.slice(-40).join('\n'));
    }
  });

  it('of one endless line are its end', () => {
    expect(tailOf('x'.repeat(100_000), 'end')).toMatch(/^x+end$/);
  });
});
