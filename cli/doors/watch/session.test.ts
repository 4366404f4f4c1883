import { describe, expect, it } from 'vitest';
import { CompanionError } from '../../companion-error.ts';
import { fakeClock, settle } from '../../interface/testing.ts';
import type { Adapter } from './adapter.ts';
import { ndjson } from './adapters/ndjson.ts';
import { Session } from './session.ts';
import { fakeCompanion } from './testing.ts';

const PROGRESS = 'progress.show';
const CHOICE = 'interaction.choose';

/** A session whose program is the test. */
function open({ adapters = [ndjson], isSure = false, pauseSignals = false, takesInput = true } = {}) {
  const companion = fakeCompanion();
  const clock = fakeClock();
  const did: string[] = [];
  const settled: (Adapter | null)[] = [];
  const refused: unknown[] = [];
  const session = new Session({
    companion,
    clock,
    title: 'job',
    args: [],
    adapters,
    isSure,
    pauseSignals,
    answerWithinMs: 60_000,
    hands: {
      send: (line) => {
        if (takesInput) did.push(line);
        return takesInput;
      },
      closeInputIfOver: () => {},
      closeInput: () => did.push('input closed'),
      kill: (signal) => did.push(signal),
    },
    onSettled: (adapter) => settled.push(adapter),
    onRefused: (error) => refused.push(error),
  });
  const pass = async (ms: number): Promise<void> => {
    for (let leftMs = ms; leftMs > 0; leftMs -= 100) {
      await clock.advance(Math.min(100, leftMs));
      for (let turn = 0; turn < 4; turn += 1) await settle();
    }
  };
  const say = async (...lines: readonly (object | string)[]): Promise<void> => {
    for (const line of lines) {
      session.take({ text: typeof line === 'string' ? line : JSON.stringify(line), stream: 'stdout', cut: false });
    }
    await pass(200);
  };
  const card = () => companion.of(PROGRESS).at(-1)!;
  const question = () => companion.of(CHOICE).at(-1)!;
  return { session, companion, pass, did, settled, refused, say, card, question };
}

const progress = (percent: number, message = 'm') => ({ kind: 'progress', phase: 'p', percent, message });
const prompt = { kind: 'prompt', id: 'q', question: 'Go on?', options: ['y', 'n'], defaultValue: 'y' };
const beat = { kind: 'heartbeat', ts: 'now' };
const result = (exitCode: number) => ({ kind: 'result', exitCode });
const away = () => new CompanionError('UNREACHABLE');
const unavailable = (reason: string) =>
  new CompanionError('RUNTIME_UNAVAILABLE', { retryable: true, details: { reason } });

describe('the card', () => {
  it('goes up as soon as the format is known, with the controls that format has words for', async () => {
    const { say, card, settled } = open();
    await say('plain text', progress(42));
    expect(settled).toEqual([ndjson]);
    expect(card().params).toMatchObject({ title: 'job', percent: 42, controls: ['pause', 'cancel'] });
  });

  it('goes up without a known format after a second; then there is no pause', async () => {
    const { pass, card, companion } = open();
    await pass(900);
    expect(companion.requests).toEqual([]);
    await pass(200);
    expect(card().params.controls).toEqual(['cancel']);
  });

  it('is brought up to date at most ten times a second, and ends with the last that was said', async () => {
    const { session, pass, card } = open({ isSure: true });
    await settle();
    for (let index = 0; index < 2_000; index += 1) {
      session.take({ text: JSON.stringify(progress(50, `step ${index}`)), stream: 'stdout', cut: false });
      await pass(1);
    }
    const during = card().updates.length;
    expect(during).toBeGreaterThan(10);
    expect(during).toBeLessThanOrEqual(20);
    session.take({ text: JSON.stringify(result(0)), stream: 'stdout', cut: false });
    await session.end({ code: 0, signal: null });
    expect(card().updates.at(-1)).toMatchObject({ done: true });
    expect(
      card()
        .updates.map(({ message }) => message)
        .findLast((message) => message),
    ).toContain('step 1999');
  });

  it('asks for nothing when there is nothing new', async () => {
    const { say, pass, companion } = open();
    await say(progress(1));
    await pass(1_000);
    const before = companion.calls();
    await pass(5_000);
    expect(companion.calls() - before).toBeLessThanOrEqual(4);
  });

  it('tells of silence when the format promises signs of life, and takes it back with the next', async () => {
    const { say, pass, card } = open();
    await say(beat);
    for (let second = 0; second < 12; second += 1) {
      await pass(5_000);
      await say(beat);
    }
    expect(card().updates.every(({ tone }) => tone !== 'warning')).toBe(true);
    await pass(20_000);
    const { message, tone } = card().updates.findLast((update) => update.tone !== undefined)!;
    expect([tone, message]).toEqual(['warning', expect.stringContaining('No sign of life')]);
    await say(beat);
    await pass(15_000);
    expect(card().updates.findLast((update) => update.tone !== undefined)).toMatchObject({ tone: 'information' });
  });

  it('comes back when the companion was away, and not when the user has closed it', async () => {
    const { say, pass, companion, card } = open();
    await say(progress(10));
    await card().end('failed', 'runtime_restarted');
    await pass(5_000);
    expect(companion.of(PROGRESS)).toHaveLength(2);
    await card().end('cancelled', 'user_dismissed');
    await say(progress(20));
    await pass(60_000);
    expect(companion.of(PROGRESS)).toHaveLength(2);
  });

  it('goes up late when the companion is there late', async () => {
    const { say, pass, companion, card, refused } = open();
    companion.fail(away());
    await say(progress(10));
    await pass(4_000);
    expect(refused).not.toEqual([]);
    companion.fail(null);
    await pass(4_000);
    expect(card().params.percent).toBe(10);
  });

  it('is not put up by a key that may not, which is told once a cause', async () => {
    const { say, pass, companion, refused } = open();
    companion.fail(new CompanionError('FORBIDDEN'));
    await say(progress(10));
    await pass(60_000);
    expect(refused).toHaveLength(1);
    expect(companion.requests).toEqual([]);
  });
});

describe('a prompt', () => {
  it('is answered once, and an answer after it was closed is not written', async () => {
    const { say, question, did, session } = open();
    await say(prompt);
    await question().end('completed', 'user_answered', { selectedId: 'y' });
    expect(did).toEqual(['{"action":"prompt-reply","id":"q","value":"y"}']);
    await say({ ...prompt, id: 'q2' });
    session.hearCaller('{"action":"prompt-reply","id":"q2","value":"n"}');
    await settle();
    expect(question().snapshot()).toMatchObject({ status: 'cancelled', reason: 'superseded' });
    expect(did).toHaveLength(1);
  });

  it.each([
    ['cancelled', 'user_dismissed'],
    ['cancelled', 'user_declined'],
    ['cancelled', 'hidden'],
    ['cancelled', 'paused'],
    ['expired', 'deadline'],
  ] as const)('that ends as %s, %s tells the program to cancel', async (status, reason) => {
    const { say, question, did, pass } = open();
    await say(prompt);
    await question().end(status, reason);
    await settle();
    expect(did).toEqual(['{"action":"cancel"}']);
    await pass(25_000);
    expect(did).toEqual(['{"action":"cancel"}', 'SIGINT', 'SIGTERM']);
  });

  it.each(['hidden', 'paused'])('while the figure is %s tells the program to cancel', async (reason) => {
    const { say, companion, did } = open();
    companion.fail(unavailable(reason));
    await say(prompt);
    expect(did).toEqual(['{"action":"cancel"}']);
  });

  it.each(['access_off', 'key_revoked'] as const)('that ends by %s is left to the terminal', async (reason) => {
    const { say, question, did, refused } = open();
    await say(prompt);
    await question().end('cancelled', reason);
    await settle();
    expect([did, refused]).toEqual([[], [expect.objectContaining({ code: 'REQUEST_CANCELLED' })]]);
  });

  it('that the companion has lost is asked again; while it is away nothing is answered', async () => {
    const { say, companion, question, did, pass } = open();
    await say(prompt);
    companion.fail(away());
    await question().end('failed', 'runtime_restarted');
    await pass(10_000);
    companion.fail(null);
    await pass(5_000);
    expect(companion.of(CHOICE).length).toBeGreaterThanOrEqual(2);
    expect(did).toEqual([]);
    await question().end('completed', 'user_answered', { selectedId: 'n' });
    expect(did).toEqual([expect.stringContaining('"value":"n"')]);
  });

  it.each([
    ['its result', { kind: 'result', exitCode: 0 }],
    ['the same prompt anew', prompt],
  ])('is taken down by %s', async (_what, line) => {
    const { say, companion, did } = open();
    await say(prompt);
    const [first] = companion.of(CHOICE);
    await say(line);
    expect(first!.snapshot()).toMatchObject({ status: 'cancelled', reason: 'superseded' });
    expect(did.filter((text) => text.includes('reply'))).toEqual([]);
  });

  it('is taken down by the end of the program', async () => {
    const { say, question, session } = open();
    await say(prompt);
    await session.end({ code: 1, signal: null });
    expect(question().snapshot()).toMatchObject({ status: 'cancelled', reason: 'superseded' });
  });
});

describe('controls', () => {
  it('are said in the words of the format, and the card says what came of them', async () => {
    const { say, card, did, pass } = open();
    await say(progress(1));
    await card().control('pause');
    await pass(300);
    await card().control('resume');
    await pass(300);
    await card().control('cancel');
    await pass(300);
    expect(did).toEqual(['{"action":"pause"}', '{"action":"resume"}', '{"action":"cancel"}']);
    expect(card().updates.flatMap(({ paused }) => (paused === undefined ? [] : [paused]))).toEqual([true, false]);
  });

  it('are signals where there are no words, pause only when that was asked for', async () => {
    const plain = open();
    await plain.pass(1_100);
    await plain.card().control('pause');
    await plain.card().control('cancel');
    await plain.pass(15_000);
    expect(plain.did).toEqual(['SIGINT', 'SIGTERM']);
    const signals = open({ pauseSignals: true });
    await signals.pass(1_100);
    await signals.card().control('pause');
    await signals.card().control('cancel');
    // A stopped program would not hear of it.
    expect(signals.did).toEqual(['SIGSTOP', 'SIGINT', 'SIGCONT']);
  });

  it('are signals where the program no longer listens', async () => {
    const { say, card, did } = open({ takesInput: false });
    await say(progress(1));
    await card().control('cancel');
    expect(did).toEqual(['SIGINT']);
  });

  it('wait as long as the format needs', async () => {
    const patient = open({ adapters: [{ ...ndjson, patienceMs: null }] });
    await patient.say(progress(1));
    await patient.card().control('cancel');
    await patient.pass(600_000);
    expect(patient.did).toEqual(['{"action":"cancel"}']);
  });
});

describe('the end', () => {
  it('is cancelled when the user has cancelled, however badly the program takes it', async () => {
    const { say, card, session } = open();
    await say(progress(1));
    await card().control('cancel');
    expect(await session.end({ code: null, signal: 'SIGINT' })).toMatchObject({
      outcome: 'cancelled',
      tone: 'information',
    });
    expect(card().snapshot()).toMatchObject({ status: 'cancelled' });
  });

  it('of a program that stays after its last line is brought about; one that goes on is left alone', async () => {
    const stays = open();
    await stays.say(result(0));
    await stays.pass(3_000);
    await stays.say('got SIGTERM');
    await stays.pass(3_000);
    expect(stays.did).toEqual(['input closed', 'SIGTERM', 'SIGKILL']);
    const goesOn = open();
    await goesOn.say(result(0));
    await goesOn.say('and another thing');
    await goesOn.pass(10_000);
    expect(goesOn.did).toEqual(['input closed']);
  });

  it('without a known format is that of the exit code', async () => {
    const { session, say } = open();
    await say('hello');
    expect(await session.end({ code: 3, signal: null })).toMatchObject({
      outcome: 'failed',
      text: expect.stringContaining('exit code 3'),
    });
  });

  it('comes as always when a format breaks over a line', async () => {
    const broken = (): never => {
      throw new Error('not foreseen');
    };
    const { say, session, card } = open({
      adapters: [{ ...ndjson, start: () => ({ read: broken, verdict: broken }) }],
    });
    await say(progress(1), result(0));
    expect(card().params.title).toBe('job');
    expect(await session.end({ code: 0, signal: null })).toMatchObject({ outcome: 'done' });
  });

  it('does not wait for a card that never came', async () => {
    const { session, companion, say } = open();
    companion.fail(away());
    await say(progress(1));
    expect(await session.end({ code: 0, signal: null })).toMatchObject({ outcome: 'abnormal' });
  });
});
