import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Actor } from '../../protocol/actor.ts';
import type { Card } from '../../protocol/link.ts';
import { CLIENT_SCOPES } from '../../protocol/words.ts';
import { vendorHook } from '../../registry/methods/vendor.internal.companion.hook.ts';
import { addClient, bootRuntime, type TestRuntime } from '../runtime.fixture.ts';
import { MemoryStore } from '../testing.ts';
import { bash, claude, codex } from './events.fixture.ts';

const MINUTE_MS = 60_000;
const ALLOWED = '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}';

let store: MemoryStore;
let test: TestRuntime;
let agent: Actor;
let other: Actor;
let notes: Actor;
beforeEach(async () => {
  store = new MemoryStore();
  const keys = [
    addClient(store, 'hooks', ['interact']),
    addClient(store, 'other', CLIENT_SCOPES),
    addClient(store, 'notes', ['notify']),
  ];
  test = bootRuntime(store);
  [agent, other, notes] = keys.map((header) => test.runtime.door.authenticate(header)) as [Actor, Actor, Actor];
  await test.ready();
});
afterEach(() => test.runtime.close());

interface Call {
  readonly answer: Promise<string>;
  hangUp(): void;
}

/** One hook; `hangUp` ends its connection. */
function call(event: string, actor = agent, of = 'claude-code', origin = {}): Call {
  const connection = new AbortController();
  const params = { agent: of, event, origin };
  const answer = test.runtime.door.call(actor, vendorHook.name, params, connection.signal) as Promise<string>;
  return { answer, hangUp: () => connection.abort() };
}
const say = (event: string, of = 'claude-code', actor = agent): Promise<string> => call(event, actor, of).answer;
const ask = (command: string, fields = {}): Call => call(claude('PermissionRequest', { ...bash(command), ...fields }));

const eventually = <Value>(look: () => Value): Promise<Value> => vi.waitFor(look, { timeout: 2_000, interval: 5 });
const cards = (): readonly Card[] => test.lastScene().cards;
const theCard = (): Promise<Card> =>
  eventually(() => {
    expect(cards()).toHaveLength(1);
    return cards()[0]!;
  });
const noCard = (): Promise<void> => eventually(() => expect(cards()).toHaveLength(0));
const states = (): Promise<string[]> =>
  test.settled().then(() => test.lastScene().sessions.map(({ project, state }) => `${project} ${state}`));
const shows = (...lines: string[]): Promise<void> =>
  vi.waitFor(async () => expect(await states()).toEqual(lines), { timeout: 2_000, interval: 5 });
const press = async (selectedId: string): Promise<Card> => {
  const card = await theCard();
  test.page({ type: 'answer', requestId: card.requestId, result: { selectedId } });
  await eventually(() => expect(cards()[0]?.requestId).not.toBe(card.requestId));
  return card;
};
const recordOf = ({ requestId }: Card) => store.requests.get(requestId)!;

describe('a permission request', () => {
  it('is a question of that client with the exact command, and the press is the answer', async () => {
    const { answer } = ask('git push --force');
    const { presentation, client, elsewhere } = await theCard();
    expect(client).toBe('hooks');
    expect(elsewhere).toBe(true);
    expect(presentation).toMatchObject({ view: 'choice', details: 'git push --force', suggestedId: null });
    await shows('api needs-you');
    await press('allow');
    expect(await answer).toBe(ALLOWED);
    await shows('api working');
  });

  it('that is denied says so', async () => {
    const { answer } = ask('git push');
    await press('deny');
    expect(JSON.parse(await answer).hookSpecificOutput.decision.behavior).toBe('deny');
  });

  it('that is closed abstains, and the session still needs its user', async () => {
    const { answer } = ask('git push');
    test.page({ type: 'dismiss', requestId: (await theCard()).requestId });
    expect(await answer).toBe('');
    await shows('api needs-you');
  });

  it('whose time is up abstains', async () => {
    const { answer } = ask('git push');
    const card = await theCard();
    test.clock.monoMs += 600_001;
    test.page({ type: 'hold', requestId: null });
    expect(await answer).toBe('');
    expect(recordOf(card)).toMatchObject({ status: 'expired', reason: 'deadline' });
  });

  it.each([{ hidden: true }, { paused: true }, { access: false }])(
    'abstains once %j, at once and before',
    async (patch) => {
      const before = ask('git push');
      await theCard();
      test.page({ type: 'settings', patch });
      expect(await before.answer).toBe('');
      expect(await ask('git pull').answer).toBe('');
      await shows();
    },
  );

  it('whose caller has gone is withdrawn, and delivers nothing', async () => {
    const { answer, hangUp } = ask('git push');
    const card = await theCard();
    hangUp();
    expect(await answer).toBe('');
    await noCard();
    expect(recordOf(card)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
    await shows('api working');
  });

  it('whose caller had gone before it came makes no card', async () => {
    const connection = new AbortController();
    connection.abort();
    const params = { agent: 'claude-code', event: claude('PermissionRequest', bash('git push')) };
    expect(await test.runtime.door.call(agent, vendorHook.name, params, connection.signal)).toBe('');
    expect(store.requests.size).toBe(0);
  });

  it.each([
    ['has run', claude('PostToolUse', { ...bash('git push'), tool_use_id: 'toolu_1', tool_response: {} })],
    ['has failed', claude('PostToolUseFailure', { ...bash('git push'), tool_use_id: 'toolu_1', error: 'x' })],
    ['was refused', claude('PermissionDenied', { ...bash('git push'), tool_use_id: 'toolu_1', reason: 'x' })],
    ['is over with its turn', claude('Stop')],
    ['is over with its turn, badly', claude('StopFailure')],
    ['was spoken over', claude('UserPromptSubmit', { prompt: 'no' })],
    ['was interrupted', claude('Interrupt')],
    ['is over with its session', claude('SessionEnd')],
  ])('that %s was answered in the terminal', async (_what, event) => {
    await say(claude('PreToolUse', { ...bash('git push'), tool_use_id: 'toolu_1' }));
    const { answer } = ask('git push');
    const card = await theCard();
    await say(event);
    expect(await answer).toBe('');
    await noCard();
    expect(recordOf(card)).toMatchObject({ status: 'cancelled', reason: 'superseded' });
  });

  it.each([
    ['another use that ends', claude('PostToolUse', { ...bash('ls'), tool_use_id: 'toolu_2' })],
    ['another use that begins', claude('PreToolUse', { ...bash('ls'), tool_use_id: 'toolu_2' })],
    ['the same one of a subagent', claude('PostToolUse', { ...bash('git push'), agent_id: 'a1', tool_use_id: 'x' })],
    ['a subagent that ends', claude('SubagentStop', { agent_id: 'a1' })],
    ['a notification', claude('Notification', { notification_type: 'permission_prompt' })],
    ['another session that ends', claude('SessionEnd', { session_id: 'another' })],
    ['junk', '{'],
  ])('stays open for %s', async (_what, event) => {
    await say(claude('PreToolUse', { ...bash('git push'), tool_use_id: 'toolu_1' }));
    const { answer } = ask('git push');
    const { requestId } = await theCard();
    await say(event);
    await test.settled();
    expect(cards().map((card) => card.requestId)).toEqual([requestId]);
    await press('allow');
    expect(await answer).toBe(ALLOWED);
  });

  it('stays open for the end of a session of that name with another program or agent', async () => {
    const { answer } = ask('git push');
    await theCard();
    await say(claude('SessionEnd'), 'codex');
    await say(claude('SessionEnd'), 'claude-code', other);
    await press('allow');
    expect(await answer).toBe(ALLOWED);
  });

  it('that is told twice has one card', async () => {
    const [first, second] = [ask('git push'), ask('git push')];
    expect(await second.answer).toBe('');
    await press('allow');
    expect(await first.answer).toBe(ALLOWED);
    expect(store.requests.size).toBe(1);
  });

  it('for the same command in two uses has two cards, each with its own answer', async () => {
    for (const id of ['toolu_1', 'toolu_2']) await say(claude('PreToolUse', { ...bash('make'), tool_use_id: id }));
    const [first, second] = [ask('make'), ask('make')];
    await press('allow');
    expect(await first.answer).toBe(ALLOWED);
    await press('deny');
    expect(await second.answer).toContain('"deny"');
  });

  it('of each of several sessions gets the answer that was pressed for it', async () => {
    const calls = ['a', 'b', 'c'].map((id) => ask(`run ${id}`, { session_id: id, cwd: `/work/${id}` }));
    for (let at = 0; at < calls.length; at += 1) {
      const { details } = (await theCard()).presentation as { details: string };
      await press(details.endsWith('b') ? 'deny' : 'allow');
    }
    const behaviours = (await Promise.all(calls.map(({ answer }) => answer))).map(
      (text) => JSON.parse(text).hookSpecificOutput.decision.behavior,
    );
    expect(behaviours).toEqual(['allow', 'deny', 'allow']);
  });

  it('beyond what one program may have open abstains; the others are answered', async () => {
    const calls = Array.from({ length: 10 }, (_, at) => ask(`run ${at}`));
    await Promise.all(calls.slice(8).map(async ({ answer }) => expect(await answer).toBe('')));
    for (let at = 0; at < 8; at += 1) await press('allow');
    expect(await Promise.all(calls.slice(0, 8).map(({ answer }) => answer))).toEqual(Array(8).fill(ALLOWED));
  });

  it('needs the scope, and says nothing of it in the log', async () => {
    await expect(call(claude('PermissionRequest', bash('s3cret')), notes).answer).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(test.lines.join()).not.toContain('s3cret');
  });

  it('of a program that is sent away abstains or is refused, and its session goes', async () => {
    const { answer } = ask('git push');
    await theCard();
    test.page({ type: 'revoke', clientId: 'hooks' });
    expect(await answer.catch(() => '')).toBe('');
    await shows();
  });

  it('whose answer cannot be stored stays open', async () => {
    const { answer } = ask('git push');
    const { requestId } = await theCard();
    store.isFull = true;
    store.failNext = new Error('bug');
    test.page({ type: 'answer', requestId, result: { selectedId: 'allow' } });
    await eventually(() => expect(test.sent).toContainEqual({ type: 'notStored', requestId }));
    store.isFull = false;
    await press('allow');
    expect(await answer).toBe(ALLOWED);
  });
});

describe('sessions', () => {
  it('are listed by urgency, both agents side by side', async () => {
    await say(claude('UserPromptSubmit'));
    await say(codex('UserPromptSubmit'), 'codex');
    await say(codex('Stop'), 'codex');
    await say(claude('StopFailure', { session_id: 'x', cwd: '/work/web' }));
    await say(claude('Notification', { session_id: 'y', cwd: '/work/cli', notification_type: 'permission_prompt' }));
    await shows('cli needs-you', 'web failed', 'api working', 'shop done');
  });

  it('lose a state that nobody has confirmed for long enough', async () => {
    await say(claude('UserPromptSubmit'));
    await say(codex('Stop'), 'codex');
    const later = async (ms: number): Promise<void> => {
      test.clock.monoMs += ms;
      await say(claude('SessionEnd', { session_id: 'somebody' }));
    };
    await later(3 * MINUTE_MS - 1);
    await shows('api working', 'shop done');
    await later(1);
    await shows('shop done', 'api idle');
    await later(60 * MINUTE_MS);
    await shows('shop done');
    await later(7 * 24 * 60 * MINUTE_MS);
    await shows();
  });

  it('are not kept without end', async () => {
    for (let at = 0; at < 40; at += 1) {
      test.clock.monoMs += 1;
      await say(claude('UserPromptSubmit', { session_id: `s${at}`, cwd: `/work/p${at}` }));
    }
    await vi.waitFor(async () => expect(await states()).toHaveLength(32));
  });

  it('give the figure its mood only while no program does', async () => {
    const mood = (name: string): Promise<void> => eventually(() => expect(test.lastScene().mood.name).toBe(name));
    await say(claude('UserPromptSubmit'));
    await mood('work');
    await say(claude('StopFailure'));
    await mood('fail');
    const progress = { capability: 'progress.show', params: { title: 'Build', percent: 1 } };
    await test.call(other, 'requests.create', progress);
    await mood('work');
    await say(claude('Notification', { notification_type: 'permission_prompt' }));
    await test.settled();
    await mood('work');
    test.page({ type: 'settings', patch: { paused: true } });
    await mood('idle');
    test.page({ type: 'settings', patch: { paused: false } });
    await mood('wait');
  });

  it('that have ended well are cheered once, however often it is told', async () => {
    await say(claude('UserPromptSubmit'));
    for (let times = 0; times < 3; times += 1) await say(claude('Stop'));
    const clip = await eventually(() => {
      const [played, ...more] = [...store.requests.values()];
      expect(more).toEqual([]);
      expect(played).toMatchObject({ clientId: 'host', capability: 'animation.celebrate' });
      return played!;
    });
    await eventually(() => expect(test.lastScene().clip?.requestId).toBe(clip.requestId));
  });

  it.each([{ paused: true }, { hidden: true }, { access: false }])('are not cheered while %j', async (patch) => {
    await say(claude('UserPromptSubmit'));
    test.page({ type: 'settings', patch });
    await eventually(() => expect(store.current).toMatchObject(patch));
    await say(claude('Stop'));
    await test.settled();
    expect(store.requests.size).toBe(0);
  });

  it('that are pressed bring up their terminal, or say that they cannot', async () => {
    await call(claude('UserPromptSubmit'), agent, 'claude-code', { tmuxPane: '%3' }).answer;
    await call(codex('UserPromptSubmit'), agent, 'codex').answer;
    await shows('api working', 'shop working');
    const [one, two] = test.lastScene().sessions;
    expect([one!.raises, two!.raises]).toEqual([true, false]);
    for (const { key } of [one!, two!]) test.page({ type: 'session', key });
    await eventually(() => expect(test.sent).toContainEqual({ type: 'notRaised', key: two!.key }));
    expect(test.raised).toEqual([{ tmuxPane: '%3' }, {}]);
    expect(test.sent).not.toContainEqual({ type: 'notRaised', key: one!.key });
  });
});
