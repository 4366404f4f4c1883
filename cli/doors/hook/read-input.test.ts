import { expect, it } from 'vitest';
import { readInput } from './read-input.ts';

async function* pieces(...texts: readonly (string | Buffer)[]): AsyncIterable<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

it('puts together what came in pieces, letters cut in two included', async () => {
  const [head, tail] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
  expect(await readInput(pieces('caf', head, tail), 64)).toBe('café');
});

it('reads on to the end when it is too long, and keeps nothing', async () => {
  let read = 0;
  async function* long(): AsyncIterable<Buffer> {
    for (; read < 100; read += 1) yield Buffer.alloc(64);
  }
  expect(await readInput(long(), 100)).toBeNull();
  expect(read).toBe(100);
});

it.each([
  ['as long as may be', 'abcd', 'abcd'],
  ['one byte longer', 'abcde', null],
  ['nothing', '', ''],
  ['no text', Buffer.from([0xff, 0xfe]), null],
])('%s', async (_what, input, text) => {
  expect(await readInput(pieces(input), 4)).toBe(text);
});
