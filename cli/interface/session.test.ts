import { describe, expect, it } from 'vitest';
import { PackError } from '../../server/packs/types.ts';
import { type Conversation, done, failed, refused } from './define.ts';
import { ends, settle, startSession, testCapability } from './testing.ts';

const QUESTION = { id: 'confirm-remove', question: 'Remove it?', options: ['yes', 'no'], defaultValue: 'no' };
const forever = (): Promise<never> => new Promise(() => {});
/** Asks once and gives the answer as its data. */
const asks = testCapability(async (conversation) => done({ answer: await conversation.ask(QUESTION) }));
/** Asks when `ask` is called, once it has begun. */
function asksWhenTold() {
  let ask = (): void => {};
  const told = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const capability = testCapability(async (conversation) => {
    await told;
    return done({ answer: await conversation.ask(QUESTION) });
  });
  return { capability, ask };
}
/** Goes on until it is cancelled, and then ends in good order. */
const waits = testCapability(
  ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
);
const reply = (value: unknown, id: unknown = 'confirm-remove') => ({ action: 'prompt-reply', id, value });

describe('the end of a session', () => {
  it('is one result with the data, and nothing after it', async () => {
    let late: Conversation | null = null;
    const session = await startSession(
      testCapability(async (conversation) => {
        late = conversation;
        conversation.log('info', 'at work');
        return done({ a: 1 });
      }),
    );
    expect(await session.exitCode).toBe(0);
    late!.log('info', 'too late');
    await session.clock.advance(20_000);
    expect(session.lines).toEqual([
      { kind: 'log', level: 'info', message: 'at work' },
      { kind: 'result', exitCode: 0, data: { a: 1 } },
    ]);
  });

  it('says why when something was thrown', async () => {
    const session = await startSession(testCapability(() => Promise.reject(new TypeError('boom'))));
    expect(await session.exitCode).toBe(1);
    expect(session.lines).toEqual([
      { kind: 'error', code: 'E_INTERNAL', message: 'internal: boom', recoverable: false },
      { kind: 'result', exitCode: 1 },
    ]);
  });

  it('keeps code and hint of a refusal, which is exit code 2', async () => {
    const error = new PackError('E_PERMISSION', 'needed', 'force it');
    const session = await startSession(testCapability(async () => refused(error)));
    expect(await session.exitCode).toBe(2);
    expect(session.lines).toEqual([
      { kind: 'error', code: 'E_PERMISSION', message: 'needed', recoverable: false, hint: 'force it' },
      { kind: 'result', exitCode: 2 },
    ]);
  });

  it('never fails without an error before it', async () => {
    const silent = await startSession(testCapability(async () => failed(null)));
    expect(await silent.exitCode).toBe(1);
    expect(silent.of('error')).toMatchObject([{ code: 'E_INTERNAL' }]);
    const told = await startSession(
      testCapability(async (conversation) => {
        conversation.error(new PackError('E_NETWORK', 'one of two'));
        return failed(null);
      }),
    );
    expect(await told.exitCode).toBe(1);
    expect(told.of('error')).toEqual([{ kind: 'error', code: 'E_NETWORK', message: 'one of two', recoverable: true }]);
  });

  it('comes with E_INTERNAL when something breaks where nobody could catch it', async () => {
    const session = await startSession(testCapability(forever));
    session.ears.onCrash(new Error('elsewhere'));
    expect(await session.exitCode).toBe(1);
    expect(session.lines).toMatchObject([{ code: 'E_INTERNAL', message: 'internal: elsewhere' }, { exitCode: 1 }]);
  });
});

describe('a sign of life', () => {
  it('comes after every five seconds of silence, and has the second it was sent in', async () => {
    const session = await startSession(testCapability(forever));
    await session.clock.advance(4_999);
    expect(session.lines).toEqual([]);
    await session.clock.advance(1);
    expect(session.lines).toEqual([{ kind: 'heartbeat', ts: '2026-01-02T03:04:10Z' }]);
    await session.clock.advance(5_000);
    expect(session.of('heartbeat')).toHaveLength(2);
  });

  it('does not come while there is something to say', async () => {
    const session = await startSession(
      testCapability(async (conversation, { clock }) => {
        const tick = (): void => {
          conversation.progress('working', -1, '');
          clock.after(1_000, tick);
        };
        tick();
        return forever();
      }),
    );
    await session.clock.advance(12_000);
    expect(session.of('progress').length).toBeGreaterThanOrEqual(12);
    expect(session.of('heartbeat')).toEqual([]);
  });

  it('comes while a question is open, and no answer is taken from silence', async () => {
    const session = await startSession(asks);
    await session.clock.advance(60_000);
    expect(session.of('heartbeat')).toHaveLength(12);
    expect(session.of('result')).toEqual([]);
  });
});

describe('a question', () => {
  it('is asked once and takes one of its options', async () => {
    const session = await startSession(asks);
    expect(session.lines).toEqual([{ kind: 'prompt', ...QUESTION }]);
    await session.send(reply('yes'));
    expect(await session.exitCode).toBe(0);
    expect(session.lines.slice(1)).toEqual([{ kind: 'result', exitCode: 0, data: { answer: 'yes' } }]);
  });

  it('stays open for a reply outside its options, and says which they are', async () => {
    const session = await startSession(asks);
    await session.send(reply('YES'));
    expect(session.lines.slice(1)).toEqual([
      {
        kind: 'error',
        code: 'E_INVALID_INPUT',
        message: 'the reply to confirm-remove must be one of: yes, no',
        recoverable: true,
      },
    ]);
    await session.send(reply('no'));
    expect(session.of('result')).toMatchObject([{ data: { answer: 'no' } }]);
  });

  it.each([
    ['a boolean', reply(true)],
    ['no value', { action: 'prompt-reply', id: 'confirm-remove' }],
    ['a number for an ID', reply('yes', 5)],
    ['another ID', reply('yes', 'confirm')],
  ])('stays open for %s, and says so', async (_, control) => {
    const session = await startSession(asks);
    await session.send(control);
    expect(session.of('log')).toHaveLength(1);
    expect(session.of('result')).toEqual([]);
    await session.send(reply('yes'));
    expect(await session.exitCode).toBe(0);
  });

  it('takes a reply from before it was asked, once', async () => {
    let ask = (): void => {};
    const session = await startSession(
      testCapability(async (conversation) => {
        await new Promise<void>((resolve) => {
          ask = resolve;
        });
        const first = await conversation.ask(QUESTION);
        return done({ first, second: await conversation.ask(QUESTION) });
      }),
    );
    await session.send(reply('yes'));
    expect(session.of('log')).toMatchObject([{ level: 'info' }]);
    ask();
    await settle();
    expect(session.of('prompt').map(({ id }) => id)).toEqual(['confirm-remove', 'confirm-remove#2']);
    expect(session.of('result')).toEqual([]);
    await session.send(reply('no', 'confirm-remove#2'));
    expect(session.of('result')).toMatchObject([{ data: { first: 'yes', second: 'no' } }]);
  });

  it('looks at an early reply as at any other, and gives up when no better one can come', async () => {
    const { capability, ask } = asksWhenTold();
    const session = await startSession(capability);
    await session.send(reply('maybe'));
    session.ears.onInputEnd();
    ask();
    expect(await session.exitCode).toBe(130);
    expect(session.of('error')).toMatchObject([
      { code: 'E_INVALID_INPUT', recoverable: true },
      { code: 'E_CANCELLED', recoverable: false },
    ]);
  });

  it('keeps only so many early replies', async () => {
    const session = await startSession(waits);
    for (let count = 0; count < 17; count += 1) await session.send(reply('yes', `q${count}`));
    expect(session.of('log').map(({ level }) => level)).toEqual([...Array(16).fill('info'), 'warn']);
  });

  it('has an ID of its own when it is asked again', async () => {
    const session = await startSession(
      testCapability(async (conversation) => {
        const first = await conversation.ask(QUESTION);
        return done({ first, second: await conversation.ask(QUESTION) });
      }),
    );
    await session.send(reply('no'));
    await session.send(reply('no'));
    expect(session.of('log')).toMatchObject([{ level: 'warn' }]);
    await session.send(reply('yes', 'confirm-remove#2'));
    expect(session.of('prompt').map(({ id }) => id)).toEqual(['confirm-remove', 'confirm-remove#2']);
    expect(session.of('result')).toMatchObject([{ data: { first: 'no', second: 'yes' } }]);
  });

  it('without options takes any text', async () => {
    const session = await startSession(
      testCapability(async (conversation) => done({ answer: await conversation.ask({ ...QUESTION, options: [] }) })),
    );
    await session.send(reply('anything'));
    expect(session.of('result')).toMatchObject([{ data: { answer: 'anything' } }]);
  });

  it('ends the session as cancelled when the input is closed', async () => {
    const open = await startSession(asks);
    open.ears.onInputEnd();
    expect(await open.exitCode).toBe(130);
    expect(open.lines.slice(1)).toMatchObject([{ kind: 'error', code: 'E_CANCELLED' }, { exitCode: 130 }]);
    const { capability, ask } = asksWhenTold();
    const early = await startSession(capability);
    early.ears.onInputEnd();
    ask();
    expect(await early.exitCode).toBe(130);
    expect(early.lines).toMatchObject([
      { kind: 'error', code: 'E_CANCELLED', hint: 'pass "yes": true' },
      { exitCode: 130 },
    ]);
  });

  it('takes what is left of the input before it minds the end of it', async () => {
    const session = await startSession(asks);
    session.ears.onInput(Buffer.from(JSON.stringify(reply('yes'))));
    session.ears.onInputEnd();
    expect(await session.exitCode).toBe(0);
  });

  it('ends with a cancel', async () => {
    const session = await startSession(asks);
    await session.send({ action: 'cancel' });
    expect(await session.exitCode).toBe(130);
    expect(session.lines.slice(1)).toMatchObject([{ code: 'E_CANCELLED', recoverable: false }, { exitCode: 130 }]);
  });
});

describe('cancel', () => {
  it('waits until what must not be dropped has ended, and is then a cancel', async () => {
    const session = await startSession(waits);
    await session.send({ action: 'cancel' });
    expect(await session.exitCode).toBe(130);
    expect(session.lines).toMatchObject([{ code: 'E_CANCELLED', message: 'operation cancelled' }, { exitCode: 130 }]);
  });

  it('does not wait for what may be dropped', async () => {
    const session = await startSession(testCapability(forever, { droppable: true }));
    await session.send({ action: 'cancel' });
    expect(await session.exitCode).toBe(130);
  });

  it('waits ten seconds for what does not end, and no longer', async () => {
    const session = await startSession(testCapability(forever));
    await session.send({ action: 'cancel' });
    await session.clock.advance(9_999);
    expect(session.of('result')).toEqual([]);
    await session.clock.advance(1);
    expect(await session.exitCode).toBe(130);
  });

  it('that comes too late changes nothing: what is done is done', async () => {
    let finish = (): void => {};
    const session = await startSession(
      testCapability(async () => {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return done({ a: 1 });
      }),
    );
    await session.send({ action: 'cancel' });
    finish();
    expect(await session.exitCode).toBe(0);
    expect(session.of('error')).toEqual([]);
  });

  it.each(['onSignal', 'onGone'] as const)('is also what %s means', async (news) => {
    const session = await startSession(waits);
    session.ears[news]();
    expect(await session.exitCode).toBe(130);
  });

  it('ends a pause', async () => {
    const session = await startSession(
      testCapability(async (conversation) => {
        for (;;) {
          await settle();
          await conversation.unpaused();
        }
      }),
    );
    await session.send({ action: 'pause' });
    await session.send({ action: 'cancel' });
    expect(await session.exitCode).toBe(130);
  });
});

describe('pause', () => {
  it('holds the capability until resume, with signs of life', async () => {
    let steps = 0;
    const session = await startSession(
      testCapability(async (conversation) => {
        for (; steps < 1_000; steps += 1) {
          await settle();
          await conversation.unpaused();
        }
        return done({});
      }),
    );
    await session.send({ action: 'pause' });
    await settle();
    const before = steps;
    await session.clock.advance(7_000);
    expect(steps).toBe(before);
    expect(session.of('heartbeat')).toHaveLength(1);
    await session.send({ action: 'resume' });
    expect(await session.exitCode).toBe(0);
  });

  it('where it is not possible is a warning', async () => {
    const session = await startSession(testCapability(forever, { pausable: false }));
    await session.send({ action: 'pause' });
    await session.send({ action: 'resume' });
    expect(session.lines).toMatchObject([
      { kind: 'log', level: 'warn', message: 'interface: test_capability cannot be paused' },
    ]);
  });
});

describe('what comes in', () => {
  it('may be nonsense: there are warnings, but not for ever', async () => {
    const session = await startSession(waits);
    await session.write('\n  \r\nnot json\n[1]\nnull\n{"x":1}\n{"action":7}\n{"action":"dance"}\n');
    expect(session.of('log').map(({ message }) => message)).toEqual([
      'interface: a stdin line is not JSON',
      'interface: a stdin line is not a JSON object',
      'interface: a stdin line is not a JSON object',
      'interface: a stdin line has no action that is a string',
      'interface: a stdin line has no action that is a string',
      'interface: unknown stdin action: dance',
    ]);
    await session.write('nonsense\n'.repeat(1_000));
    expect(session.of('log')).toHaveLength(21);
    await session.send({ action: 'cancel' });
    expect(await session.exitCode).toBe(130);
  });

  it('is heard line by line, however it is cut', async () => {
    const session = await startSession(waits);
    await session.write('{"action":"a1"}\n{"action":"a2"}\r\n{"act');
    await session.write('ion":"a3"}\n');
    expect(session.of('log').map(({ message }) => message)).toEqual([
      'interface: unknown stdin action: a1',
      'interface: unknown stdin action: a2',
      'interface: unknown stdin action: a3',
    ]);
  });

  it('does not matter once the session is over', async () => {
    const session = await startSession(testCapability(ends));
    await session.exitCode;
    await session.send({ action: 'dance' });
    session.ears.onInputEnd();
    expect(session.lines).toHaveLength(1);
  });
});
