import { describe, expect, it } from 'vitest';
import type { RequestId } from '../protocol/ids.ts';
import { nextDeadline } from './deadline.ts';
import type { Refusal } from './events.ts';
import { World } from './testing.ts';

const refusalOf = (outcome: ReturnType<World['run']>): Refusal | null =>
  outcome.kind === 'refused' ? outcome.refusal : null;

describe('a question', () => {
  it('is queued at revision 1 and awaits the user at revision 3, in one commit, once painted', () => {
    const world = new World();
    const id = world.create('a', 'interaction');
    expect(world.record(id)).toMatchObject({ status: 'queued', revision: 1, displayedAt: null });
    world.nowMs = 40;
    world.paint();
    expect(world.record(id)).toMatchObject({ status: 'awaiting_user', revision: 3, displayedAt: world.now().wallMs });
    expect(world.last?.writes.get(id)).toMatchObject({ fromRevision: 1 });
  });

  it('is completed by its first answer; a second answer to it changes nothing', () => {
    const world = new World();
    const id = world.create('a', 'interaction');
    world.paint();
    const outcomes = world.batch([
      { type: 'answer', requestId: id, result: { selectedId: 'yes' } },
      { type: 'answer', requestId: id, result: { selectedId: 'no' } },
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['request', 'stale']);
    expect(world.record(id)).toMatchObject({
      status: 'completed',
      reason: 'user_answered',
      result: { selectedId: 'yes' },
      revision: 4,
    });
  });

  it('takes an answer that overtakes the report of its painting', () => {
    const world = new World();
    const id = world.create('a', 'interaction');
    world.run({ type: 'answer', requestId: id, result: { text: 'x' } });
    expect(world.record(id)).toMatchObject({ status: 'completed', revision: 4 });
    expect(world.record(id).displayedAt).not.toBeNull();
  });

  it('cannot be answered while it is not on stage', () => {
    const world = new World();
    world.create('a', 'interaction');
    const second = world.create('a', 'interaction');
    expect(world.onStage()).not.toContain(second);
    expect(world.run({ type: 'answer', requestId: second, result: null }).kind).toBe('stale');
    expect(world.state.entries.get(second)?.record.status).toBe('queued');
  });

  it('closed is cancelled, declined is cancelled, and neither invents an answer', () => {
    const world = new World();
    const closed = world.create('a', 'interaction');
    world.paint();
    world.run({ type: 'dismiss', requestId: closed });
    expect(world.record(closed)).toMatchObject({ status: 'cancelled', reason: 'user_dismissed', result: null });
    const declined = world.create('a', 'interaction');
    world.paint();
    world.run({ type: 'decline', requestId: declined });
    expect(world.record(declined)).toMatchObject({ status: 'cancelled', reason: 'user_declined', result: null });
  });

  it('expires by a deadline that counts from acceptance, queueing included, and an answer in that instant is too late', () => {
    const world = new World();
    world.create('a', 'interaction');
    const id = world.create('a', 'interaction', { timeoutMs: 5_000 });
    world.nowMs = 5_000;
    const outcome = world.run({ type: 'answer', requestId: id, result: { text: 'late' } });
    expect(outcome.kind).toBe('stale');
    expect(world.record(id)).toMatchObject({ status: 'expired', reason: 'deadline', result: null });
  });
});

describe('of answer, cancel, update and time-out exactly one wins', () => {
  const events = (id: RequestId) =>
    [
      { type: 'answer', requestId: id, result: { text: 'x' } },
      { type: 'cancel', clientId: 'a', requestId: id, reason: 'client_cancelled' },
      { type: 'dismiss', requestId: id },
      { type: 'revoke', clientId: 'a' },
      { type: 'settings', patch: { hidden: true } },
    ] as const;
  for (const first of [0, 1, 2, 3, 4]) {
    it(`when event ${first} comes first, its end stays`, () => {
      const world = new World();
      const id = world.create('a', 'interaction');
      world.paint();
      const all = events(id);
      const order = [all[first]!, ...all.filter((_, index) => index !== first)];
      world.batch(order as never);
      const reasons = ['user_answered', 'client_cancelled', 'user_dismissed', 'key_revoked', 'hidden'];
      expect(world.record(id)).toMatchObject({ reason: reasons[first], revision: 4 });
      expect(world.state.entries.size).toBe(0);
    });
  }
});

describe('a notice', () => {
  it('is completed as displayed after its display time, counted from painting', () => {
    const world = new World();
    const id = world.create('a', 'notice');
    world.pass(10_000);
    expect(world.record(id).status).toBe('queued');
    world.paint();
    expect(world.record(id).status).toBe('running');
    world.pass(5_999);
    expect(world.record(id).status).toBe('running');
    world.pass(1);
    expect(world.record(id)).toMatchObject({ status: 'completed', reason: 'displayed' });
  });

  it('does not lose display time under the pointer, but still expires', () => {
    const world = new World();
    const id = world.create('a', 'notice', { timeoutMs: 60_000 });
    world.paint();
    world.pass(5_000);
    world.run({ type: 'hold', requestId: id });
    world.pass(50_000);
    expect(world.record(id).status).toBe('running');
    world.run({ type: 'hold', requestId: null });
    world.pass(999);
    expect(world.record(id).status).toBe('running');
    world.pass(1);
    expect(world.record(id)).toMatchObject({ status: 'completed', reason: 'displayed' });
    const held = world.create('a', 'notice', { timeoutMs: 20_000 });
    world.paint();
    world.run({ type: 'hold', requestId: held });
    world.pass(20_000);
    expect(world.record(held)).toMatchObject({ status: 'expired', reason: 'deadline' });
  });

  it('closed by the user ends well', () => {
    const world = new World();
    const id = world.create('a', 'notice');
    world.paint();
    world.run({ type: 'dismiss', requestId: id });
    expect(world.record(id)).toMatchObject({ status: 'completed', reason: 'user_dismissed' });
  });

  it('is suppressed at once while do-not-disturb is on, and questions still arrive', () => {
    const world = new World();
    world.run({ type: 'settings', patch: { doNotDisturb: true } });
    const notice = world.create('a', 'notice');
    expect(world.record(notice)).toMatchObject({ status: 'cancelled', reason: 'suppressed', displayedAt: null });
    expect(world.last?.writes.get(notice)?.fromRevision).toBeNull();
    const question = world.create('a', 'interaction');
    expect(world.onStage()).toEqual([question]);
  });

  it('evicts the oldest of its own client when a ninth waits, and nobody else', () => {
    const world = new World();
    const question = world.create('b', 'interaction');
    const all = Array.from({ length: 10 }, () => world.create('a', 'notice'));
    // Two slots are left beside the other client's question; eight wait.
    expect(all.map((id) => world.record(id).status)).not.toContain('cancelled');
    world.create('a', 'notice');
    const ended = all.filter((id) => world.record(id).status === 'cancelled');
    expect(ended).toHaveLength(1);
    expect(world.record(ended[0]!)).toMatchObject({ reason: 'queue_evicted' });
    expect(world.record(question).status).toBe('queued');
  });
});

describe('idempotency', () => {
  it('makes two creates with one key in one batch one request', () => {
    const world = new World();
    const [first, second] = world.batch([
      world.createEvent('a', 'notice', { key: 'k' }),
      world.createEvent('a', 'notice', { key: 'k' }),
    ]);
    expect(second).toEqual(first);
    expect(world.state.entries.size).toBe(1);
  });

  it('refuses the same key with other parameters, and keeps clients apart', () => {
    const world = new World();
    world.create('a', 'notice', { key: 'k' });
    const [first, conflict, other] = world.batch([
      world.createEvent('a', 'notice', { key: 'j' }),
      world.createEvent('a', 'notice', { key: 'j', digest: 'other' }),
      world.createEvent('b', 'notice', { key: 'j', digest: 'other' }),
    ]);
    expect(first?.kind).toBe('request');
    expect(refusalOf(conflict!)?.code).toBe('IDEMPOTENCY_CONFLICT');
    expect(other?.kind).toBe('request');
  });

  it('answers a retry with the original while hidden, rate-limited, full, and after a change of character', () => {
    const world = new World({ createBurst: 1, maxUnfinishedPerClient: 1 });
    const original = world.createEvent('a', 'interaction', { key: 'k' });
    world.run(original);
    const retry = { known: original.idempotency, key: 'k', unresolved: { code: 'UNSUPPORTED_STYLE' } } as const;
    expect(world.run(world.createEvent('a', 'interaction', retry))).toEqual({
      kind: 'request',
      requestId: original.record.requestId,
    });
    world.run({ type: 'settings', patch: { hidden: true } });
    expect(world.run(world.createEvent('a', 'interaction', retry)).kind).toBe('request');
  });
});

describe('refusals', () => {
  it.each([
    ['access_off', { access: false }],
    ['hidden', { hidden: true }],
    ['paused', { paused: true }],
  ] as const)('while %s a create is refused and what was accepted ends with that reason', (reason, patch) => {
    const world = new World();
    const ids = (['notice', 'progress', 'interaction', 'animation'] as const).map((kind) => world.create('a', kind));
    world.run({ type: 'settings', patch });
    expect(ids.map((id) => world.record(id))).toEqual(
      ids.map(() => expect.objectContaining({ status: 'cancelled', reason })),
    );
    expect(refusalOf(world.run(world.createEvent('a', 'notice')))).toEqual({
      code: 'RUNTIME_UNAVAILABLE',
      details: { reason },
    });
    expect(world.last?.writes.size).toBe(0);
  });

  it("the host's own requests are not bound by access and pause, but by hiding", () => {
    const world = new World();
    world.run({ type: 'settings', patch: { access: false, paused: true } });
    expect(world.run(world.createEvent('host', 'notice', { internal: true })).kind).toBe('request');
    world.run({ type: 'settings', patch: { hidden: true } });
    expect(refusalOf(world.run(world.createEvent('host', 'notice', { internal: true })))?.details).toEqual({
      reason: 'hidden',
    });
  });

  it('limits the rate of one client and not of another, and tells when to come again', () => {
    const world = new World({ createsPerSecond: 20, createBurst: 2 });
    world.create('a', 'notice');
    world.create('a', 'notice');
    expect(refusalOf(world.run(world.createEvent('a', 'notice')))).toEqual({
      code: 'RATE_LIMITED',
      details: { retryAfterMs: 50 },
    });
    world.create('b', 'notice');
    world.pass(50);
    world.create('a', 'notice');
  });

  it.each([
    ['maxInteractionsPerClient', 'interaction', 8],
    ['maxAnimationsPerClient', 'animation', 8],
    ['maxUnfinishedPerClient', 'progress', 32],
  ] as const)('answers QUEUE_FULL at %s', (limit, kind, value) => {
    const world = new World({ createBurst: 1_000 });
    for (let count = 0; count < value; count += 1) world.create('a', kind);
    expect(refusalOf(world.run(world.createEvent('a', kind)))).toMatchObject({
      code: 'QUEUE_FULL',
      details: { limit, value },
    });
    expect(world.run(world.createEvent('b', kind)).kind).toBe('request');
  });

  it('answers QUEUE_FULL when as many results are kept as may be, and evicts none', () => {
    const world = new World({ maxKeptResults: 1 });
    const id = world.create('a', 'notice');
    world.run({ type: 'cancel', clientId: id as never, requestId: id, reason: 'client_cancelled' });
    expect(refusalOf(world.run(world.createEvent('a', 'notice')))?.details).toMatchObject({ limit: 'maxKeptResults' });
  });
});

describe('updates', () => {
  const update = (world: World, requestId: RequestId, expectedRevision: number, patch = {}, clientId = 'a') =>
    world.run({ type: 'update', clientId: clientId as never, requestId, expectedRevision, patch, end: null });

  it('keep the request and raise its revision by one; a stale one conflicts and tells the actual revision', () => {
    const world = new World();
    const id = world.create('a', 'progress');
    world.paint();
    expect(update(world, id, 2, { percent: 10 }).kind).toBe('request');
    expect(world.record(id)).toMatchObject({ revision: 3, status: 'running', params: { percent: 10 } });
    expect(refusalOf(update(world, id, 2, { percent: 20 }))).toEqual({
      code: 'REVISION_CONFLICT',
      details: { expected: 2, actual: 3, status: 'running' },
    });
  });

  it("of another client's request are as of a missing one", () => {
    const world = new World();
    const id = world.create('a', 'progress');
    expect(update(world, id, 1, {}, 'b').kind).toBe('absent');
    expect(world.run({ type: 'cancel', clientId: 'b' as never, requestId: id, reason: 'client_cancelled' }).kind).toBe(
      'absent',
    );
  });

  it('end a progress well or not, in the words of its owner', () => {
    const world = new World();
    const done = world.create('a', 'progress');
    const end = { status: 'completed', reason: 'owner_completed' } as const;
    world.run({
      type: 'update',
      clientId: 'a' as never,
      requestId: done,
      expectedRevision: 1,
      patch: { percent: 100 },
      end,
    });
    expect(world.record(done)).toMatchObject({
      status: 'completed',
      reason: 'owner_completed',
      params: { percent: 100 },
      revision: 2,
    });
  });

  it('conflict with a press of the user, which the owner then sees as control', () => {
    const world = new World();
    const id = world.create('a', 'progress');
    world.paint();
    world.run({ type: 'control', requestId: id, action: 'cancel' });
    expect(world.record(id)).toMatchObject({ status: 'running', control: { action: 'cancel', seq: 1 } });
    expect(refusalOf(update(world, id, 2))?.code).toBe('REVISION_CONFLICT');
    expect(update(world, id, 3).kind).toBe('request');
  });
});

describe('an animation', () => {
  it('runs alone, ends with its clip, and the next one takes the sprite', () => {
    const world = new World();
    const first = world.create('a', 'animation');
    const second = world.create('a', 'animation');
    world.paint();
    expect(world.record(first).status).toBe('running');
    expect(world.record(second).status).toBe('queued');
    world.run({ type: 'clipEnded', requestId: first });
    expect(world.record(first)).toMatchObject({ status: 'completed', reason: 'clip_ended' });
    expect(world.state.sprite).toBe(second);
  });

  it('never runs longer than the limit, whatever the page says', () => {
    const world = new World();
    const id = world.create('a', 'animation');
    world.paint();
    world.pass(world.limits.maxAnimationMs);
    expect(world.record(id)).toMatchObject({ status: 'completed', reason: 'clip_ended' });
  });
});

describe('the overlay', () => {
  it('down keeps what was accepted, refuses new ones with a time to come again, and shows all again afterwards', () => {
    const world = new World();
    const notice = world.create('a', 'notice');
    const question = world.create('a', 'interaction');
    world.paint();
    world.pass(4_000);
    world.run({ type: 'overlay', state: 'starting' });
    expect(world.onStage()).toEqual([]);
    expect(refusalOf(world.run(world.createEvent('a', 'notice')))).toEqual({
      code: 'RUNTIME_UNAVAILABLE',
      details: { reason: 'overlay_down', retryAfterMs: 2_000 },
    });
    world.pass(100_000);
    world.run({ type: 'overlay', state: 'up' });
    world.paint();
    expect(world.record(question)).toMatchObject({ status: 'awaiting_user', revision: 3 });
    expect(world.record(notice).revision).toBe(2);
    world.pass(1_999);
    expect(world.record(notice).status).toBe('running');
    world.pass(1);
    expect(world.record(notice)).toMatchObject({ status: 'completed', reason: 'displayed' });
  });

  it('given up fails everything unfinished', () => {
    const world = new World();
    const id = world.create('a', 'interaction');
    world.run({ type: 'overlay', state: 'failed' });
    expect(world.record(id)).toMatchObject({ status: 'failed', reason: 'display_failed' });
    expect(refusalOf(world.run(world.createEvent('a', 'notice')))?.details).toEqual({ reason: 'overlay_down' });
  });
});

describe('nextDeadline', () => {
  it('is null when nothing changes by time alone', () => {
    const world = new World();
    expect(nextDeadline(world.state, world.now(), world.limits)).toBeNull();
  });

  it('is the end of the display time, or the deadline, whichever is first', () => {
    const world = new World();
    world.create('a', 'notice', { timeoutMs: 600_000 });
    expect(nextDeadline(world.state, world.now(), world.limits)).toBe(600_000);
    world.paint();
    expect(nextDeadline(world.state, world.now(), world.limits)).toBe(6_000);
  });
});

describe('what was missed', () => {
  it('counts the suppressed, those that waited when do-not-disturb came on too, until the user looks', () => {
    const world = new World();
    for (let made = 0; made < 4; made += 1) world.create('a', 'notice');
    world.paint();
    world.run({ type: 'settings', patch: { doNotDisturb: true } });
    expect(world.state.missed).toBe(1);
    world.create('a', 'notice');
    world.create('a', 'interaction');
    expect(world.state.missed).toBe(2);
    world.run({ type: 'settings', patch: { doNotDisturb: false } });
    world.create('a', 'notice');
    expect(world.state.missed).toBe(2);
    world.run({ type: 'looked' });
    expect(world.state.missed).toBe(0);
  });
});
