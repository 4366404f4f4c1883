import { describe, expect, it } from 'vitest';
import { makeLineGate, refusalOf } from './line-gate.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/** What comes through for `chunks`, and what is answered. */
async function pass(...chunks: readonly (string | Buffer)[]) {
  const refusals: object[] = [];
  const gate = makeLineGate((refusal) => refusals.push(refusal));
  let through = '';
  gate.on('data', (chunk: Buffer) => {
    through += chunk.toString('utf8');
  });
  for (const chunk of chunks) gate.write(chunk);
  gate.end();
  await new Promise((resolve) => gate.once('end', resolve));
  return { through, refusals };
}

describe('the gate', () => {
  it('lets messages through, however they are cut, and drops empty lines', async () => {
    const text = Buffer.from(`${CALL}\r\n\n  \n${CALL.replace('list', 'lïst')}\n`);
    const chunks = [...text].map((byte) => Buffer.from([byte]));
    expect(await pass(...chunks)).toEqual({ through: `${CALL}\r\n${CALL.replace('list', 'lïst')}\n`, refusals: [] });
  });

  it('answers the rest, in its place', async () => {
    const { through, refusals } = await pass(`junk\n${CALL}\n[]\n`);
    expect(through).toBe(`${CALL}\n`);
    expect(refusals).toMatchObject([{ error: { code: -32_700 } }, { error: { code: -32_600 } }]);
  });

  it('does not keep a line that has no end', async () => {
    const { through, refusals } = await pass(...Array(40).fill('x'.repeat(100_000)), `\n${CALL}\n`);
    expect(through).toBe(`${CALL}\n`);
    expect(refusals).toMatchObject([{ id: null, error: { code: -32_600 } }]);
  });

  it('forgets a last line that was never sent whole', async () => {
    expect(await pass(CALL)).toEqual({ through: '', refusals: [] });
  });

  it.each([
    ['{"jsonrpc":"2.0","id":"a"}', 'a'],
    ['{"id":7,"method":"ping"}', 7],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null],
    ['5', null],
    ['null', null],
  ])('names the call it refuses: %s', (line, id) => {
    expect(refusalOf(line)).toMatchObject({ id, error: { code: -32_600 } });
  });
});
