import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../protocol/limits.ts';
import { StoreError } from '../protocol/store.ts';
import { World } from '../scheduler/testing.ts';
import { createEngine, type Engine } from './engine.ts';
import { createManualClock, MemoryStore } from './testing.ts';
import { createWaits } from './waits.ts';

const world = new World();
let store: MemoryStore;
let engine: Engine;
let fatal: unknown[];
let reopened: MemoryStore | null;

beforeEach(async () => {
  store = new MemoryStore();
  fatal = [];
  reopened = null;
  engine = createEngine({
    store,
    clock: createManualClock(),
    limits: LIMITS,
    log: () => {},
    onFatal: (error) => fatal.push(error),
    reopen: () => {
      const previous = store;
      previous.close();
      const next = new MemoryStore();
      for (const [id, record] of previous.requests) next.requests.set(id, record);
      next.failUnfinished();
      reopened = next;
      return next;
    },
  });
  await engine.submit({ type: 'overlay', state: 'up' });
});
afterEach(() => engine.close());

const create = (kind: 'notice' | 'interaction' | 'progress' = 'interaction') => world.createEvent('a', kind);

describe('a turn of the loop', () => {
  it('puts the creates that arrive together into one commit', async () => {
    await Promise.all(Array.from({ length: 10 }, () => engine.submit(create('notice'))));
    expect(store.commits).toEqual([Array.from({ length: 10 }, () => 'insert')]);
  });

  it('splits more than 64 events over several commits and keeps their order', async () => {
    const outcomes = await Promise.all(Array.from({ length: 70 }, () => engine.submit({ type: 'tick' })));
    expect(outcomes).toHaveLength(70);
  });

  it('tells nobody before the commit: an announcement finds the record in the store', async () => {
    const seen: (number | undefined)[] = [];
    engine.onCommit(({ records }) => {
      for (const [id, { revision }] of records)
        seen.push(store.requests.get(id)?.revision === revision ? revision : undefined);
    });
    await engine.submit(create());
    expect(seen).toEqual([1]);
  });
});

describe('a commit that fails for want of room', () => {
  it('refuses the creates, keeps the answers, and goes on by itself when there is room', async () => {
    const open = create();
    await engine.submit(open);
    store.isFull = true;
    const refused = engine.submit(create());
    const answered = engine.submit({ type: 'answer', requestId: open.record.requestId, result: { selectedId: 'yes' } });
    await expect(refused).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE', details: { reason: 'storage' } });
    await answered;
    expect(store.requests.get(open.record.requestId)).toMatchObject({ status: 'completed' });
    store.isFull = false;
    await engine.submit(create());
  });

  it('leaves no trace of a refused create', async () => {
    store.isFull = true;
    const event = create();
    await expect(engine.submit(event)).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    expect(engine.state().entries.size).toBe(0);
    expect(store.requests.size).toBe(0);
  });
});

describe('a commit whose outcome is unknown', () => {
  it('acknowledges nothing, recovers in place, and ends what was open as runtime_restarted', async () => {
    const open = create();
    await engine.submit(open);
    const waits = createWaits(engine);
    const waiting = waits.wait(open.record.clientId, open.record.requestId, 1, 60_000, new AbortController().signal);
    store.failNext = new StoreError('broken', null);
    await expect(engine.submit(create())).rejects.toMatchObject({
      code: 'RUNTIME_UNAVAILABLE',
      details: { reason: 'storage' },
    });
    expect(reopened?.requests.get(open.record.requestId)).toMatchObject({
      status: 'failed',
      reason: 'runtime_restarted',
    });
    expect(await waiting).toBe(true);
    expect(engine.state().entries.size).toBe(0);
    await engine.submit(create());
    expect(reopened?.commits).toHaveLength(1);
    expect(fatal).toEqual([]);
  });

  it('is fatal when the store cannot be opened again', async () => {
    engine.close();
    engine = createEngine({
      store,
      clock: createManualClock(),
      limits: LIMITS,
      log: () => {},
      onFatal: (error) => fatal.push(error),
      reopen: () => {
        throw new Error('gone');
      },
    });
    await engine.submit({ type: 'overlay', state: 'up' });
    store.failNext = new StoreError('broken', null);
    await expect(engine.submit(create())).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    expect(fatal).toHaveLength(1);
    await expect(engine.submit(create())).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
  });
});

it('an error that is not the store’s rejects its batch and leaves state and store as they were', async () => {
  store.failNext = new Error('a bug');
  await expect(engine.submit(create())).rejects.toThrow('a bug');
  expect(engine.state().entries.size).toBe(0);
  expect(reopened).toBeNull();
  await engine.submit(create());
});

describe('a wait', () => {
  const signal = () => new AbortController().signal;

  it('wakes at once when its revision is passed, and sees nothing that is not committed', async () => {
    const event = create();
    await engine.submit(event);
    const waits = createWaits(engine);
    const waiting = waits.wait(event.record.clientId, event.record.requestId, 1, 60_000, signal());
    await engine.submit({ type: 'painted', requestIds: [event.record.requestId] });
    expect(await waiting).toBe(true);
  });

  it('does not wake for another request, gives up when its time is up, and when its caller is gone', async () => {
    const [mine, other] = [create(), world.createEvent('b', 'notice')];
    await Promise.all([engine.submit(mine), engine.submit(other)]);
    const waits = createWaits(engine);
    const { clientId, requestId } = mine.record;
    const short = waits.wait(clientId, requestId, 1, 0, signal());
    const gone = new AbortController();
    const abandoned = waits.wait(clientId, requestId, 1, 60_000, gone.signal);
    await engine.submit({
      type: 'cancel',
      clientId: other.record.clientId,
      requestId: other.record.requestId,
      reason: 'superseded',
    });
    expect(await short).toBe(false);
    gone.abort();
    expect(await abandoned).toBe(false);
  });

  it('ends with UNAUTHENTICATED when the key is revoked', async () => {
    const event = create();
    await engine.submit(event);
    const waits = createWaits(engine);
    const waiting = waits.wait(event.record.clientId, event.record.requestId, 1, 60_000, signal());
    const ended = expect(waiting).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await engine.submit({ type: 'revoke', clientId: event.record.clientId });
    await ended;
    expect(store.commits.at(-1)).toEqual(['update', 'revoke']);
  });
});
