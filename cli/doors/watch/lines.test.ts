import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Line } from './adapter.ts';
import { LineCutter, MAX_LINE_BYTES } from './lines.ts';

function cut(pieces: readonly (string | Buffer)[]): readonly Line[] {
  const lines: Line[] = [];
  const cutter = new LineCutter('stdout', (line) => lines.push(line));
  for (const piece of pieces) cutter.push(Buffer.from(piece));
  cutter.end();
  return lines;
}
const texts = (pieces: readonly (string | Buffer)[]): readonly string[] => cut(pieces).map(({ text }) => text);

describe('lines', () => {
  it.each([
    [['a\nb\n'], ['a', 'b']],
    [
      ['a', 'b', '\n', 'c'],
      ['ab', 'c'],
    ],
    [['\n\n'], ['', '']],
    [['a\r\nb\r'], ['a', 'b']],
    [[''], []],
    [['a\rb\n'], ['a\rb']],
  ])('%j are %j', (pieces, expected) => {
    expect(texts(pieces)).toEqual(expected);
  });

  it('are the same however the bytes arrive', () => {
    const bytes = fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '你', '\r', '{') }), { maxLength: 8 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 5 }), (parts, step) => {
        const whole = Buffer.from(parts.join(''));
        const pieces = Array.from({ length: Math.ceil(whole.length / step) }, (_, index) =>
          whole.subarray(index * step, (index + 1) * step),
        );
        expect(texts(pieces)).toEqual(texts([whole]));
      }),
    );
  });

  it('of 5 MB are cut, and the next one is whole', () => {
    const long = Buffer.alloc(5_000_000, 'x');
    for (const pieces of [
      [Buffer.concat([long, Buffer.from('\nnext\n')])],
      [...Array.from({ length: 50 }, (_, index) => long.subarray(index * 100_000, (index + 1) * 100_000)), '\nnext'],
    ]) {
      const [first, second] = cut(pieces);
      expect([first!.text.length, first!.cut]).toEqual([MAX_LINE_BYTES, true]);
      expect(second).toEqual({ text: 'next', stream: 'stdout', cut: false });
    }
  });

  it('that just fit are whole', () => {
    const fits = 'x'.repeat(MAX_LINE_BYTES);
    expect(cut([fits, '\n'])).toMatchObject([{ text: fits, cut: false }]);
    expect(cut([fits, 'y\n'])).toMatchObject([{ text: fits, cut: true }]);
  });

  it('keep nothing of the buffer they came in', () => {
    const buffer = Buffer.from('half');
    const lines: Line[] = [];
    const cutter = new LineCutter('stderr', (line) => lines.push(line));
    cutter.push(buffer);
    buffer.fill('z');
    cutter.push(Buffer.from('\n'));
    expect(lines).toEqual([{ text: 'half', stream: 'stderr', cut: false }]);
  });
});
