import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../server/protocol/limits.ts';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { Client, connect, Progress } from './client.ts';
import { type FakeHandler, type FakeHost, snapshot, startFakeHost } from './fake-host.ts';

const opened: { host: FakeHost; client: Client }[] = [];

async function open(handler: FakeHandler): Promise<{ host: FakeHost; client: Client }> {
  const host = await startFakeHost(handler);
  const client = await connect({ env: host.env, key: 'cmp_test' });
  opened.push({ host, client });
  return { host, client };
}

afterEach(async () => {
  for (const { host, client } of opened.splice(0)) {
    client.close();
    await host.stop();
  }
});

const NOTICE = { capability: 'notice.show', params: { text: 'hi' } };

describe('connect', () => {
  it('sends version and key with each call, over one connection while calls follow each other', async () => {
    const { host, client } = await open(() => ({ result: snapshot() }));
    for (let round = 0; round < 3; round += 1) await client.get('r1');
    expect(host.calls.map(({ headers }) => [headers['companion-protocol'], headers.authorization])).toEqual(
      Array.from({ length: 3 }, () => ['0.1', 'Bearer cmp_test']),
    );
    expect(host.connections()).toBe(1);
  });

  it('does not let a long wait hold up another call', async () => {
    const { client } = await open(({ method }) => (method === 'requests.wait' ? 'silence' : { result: snapshot() }));
    const stop = new AbortController();
    const waiting = client.wait('r1', { afterRevision: 1, signal: stop.signal });
    expect(await client.get('r1')).toEqual(snapshot());
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(await client.get('r1')).toEqual(snapshot());
  });

  it('answers more calls at once than it has connections', async () => {
    const { host, client } = await open(() => ({ result: snapshot() }));
    await Promise.all(Array.from({ length: 200 }, () => client.get('r1')));
    expect(host.calls).toHaveLength(200);
    expect(host.connections()).toBeLessThanOrEqual(64);
  });

  it('says UNREACHABLE at once when there is no socket, or nobody behind it', async () => {
    const { host, client } = await open(() => 'silence');
    const elsewhere = await connect({ socketPath: join(host.home, 'none.sock'), key: null });
    await expect(elsewhere.describe()).rejects.toMatchObject({ code: 'UNREACHABLE', exitCode: 4, retryable: true });
    rmSync(host.socketPath);
    await expect(client.describe()).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });

  it('says UNREACHABLE after a read has had no answer for 1.5 s, long before a write would', async () => {
    const { client } = await open(() => 'silence');
    const before = process.uptime();
    await expect(client.describe()).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(process.uptime() - before).toBeLessThan(8);
  });

  it('never sends a key to a socket in a folder that others may enter, or in a linked one', async () => {
    const { host, client } = await open(() => ({ result: snapshot() }));
    const link = join(host.home, 'link');
    const room = join(host.home, 'room');
    mkdirSync(room);
    symlinkSync(host.home, link);
    const linked = await connect({ socketPath: join(link, 'companion.sock'), key: 'cmp_test' });
    await expect(linked.get('r1')).rejects.toMatchObject({ code: 'CREDENTIAL_UNSAFE', exitCode: 3 });
    chmodSync(host.home, 0o750);
    await expect(client.get('r1')).rejects.toMatchObject({ code: 'CREDENTIAL_UNSAFE' });
    expect(host.calls).toEqual([]);
  });

  it("passes on the host's own code, details and advice", async () => {
    const { client } = await open(() => ({ error: 'QUEUE_FULL', details: { limit: 'maxUnfinished', value: 256 } }));
    await expect(client.get('r1')).rejects.toMatchObject({
      code: 'QUEUE_FULL',
      retryable: true,
      exitCode: 5,
      details: { limit: 'maxUnfinished', value: 256 },
    });
  });
});

describe('create', () => {
  it('makes up an idempotency key and repeats a create whose answer was cut off under the same key', async () => {
    const { host, client } = await open((_call, calls) => (calls.length < 3 ? 'cut' : { result: snapshot() }));
    expect(await client.create(NOTICE)).toEqual(snapshot());
    const keys = host.calls.map(({ params }) => params.idempotencyKey);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^auto-.{12,}$/);
  });

  it('makes up another key for each create', async () => {
    const { host, client } = await open(() => ({ result: snapshot() }));
    await client.create(NOTICE);
    await client.create(NOTICE);
    expect(new Set(host.calls.map(({ params }) => params.idempotencyKey)).size).toBe(2);
  });

  it('keeps the key it was given', async () => {
    const { host, client } = await open(() => ({ result: snapshot() }));
    await client.create({ ...NOTICE, idempotencyKey: 'k' });
    expect(host.calls[0]?.params).toEqual({ ...NOTICE, idempotencyKey: 'k' });
  });

  it('tries again when the overlay is only coming up, after the time the host names', async () => {
    const down = { error: 'RUNTIME_UNAVAILABLE', details: { reason: 'overlay_down', retryAfterMs: 30 } } as const;
    const { host, client } = await open((_call, calls) => (calls.length < 3 ? down : { result: snapshot() }));
    expect(await client.create(NOTICE)).toEqual(snapshot());
    expect(new Set(host.calls.map(({ params }) => params.idempotencyKey)).size).toBe(1);
  });

  it.each(['hidden', 'paused', 'access_off', 'storage'])('does not insist when the reason is %s', async (reason) => {
    const { host, client } = await open(() => ({
      error: 'RUNTIME_UNAVAILABLE',
      details: { reason, retryAfterMs: 1 },
    }));
    await expect(client.create(NOTICE)).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE', details: { reason } });
    expect(host.calls).toHaveLength(1);
  });
});

describe('call', () => {
  it.each([
    ['requests.create', NOTICE],
    ['requests.update', { requestId: 'r1', expectedRevision: 1, params: { percent: 1 } }],
    ['pairing.request', { name: 'n', scopes: ['notify'] as const }],
    ['auth.revokeSelf', {}],
  ] as const)('does not repeat %s, which could act twice', async (method, params) => {
    const { host, client } = await open(() => 'cut');
    await expect(client.call(method, params)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(host.calls).toHaveLength(1);
  });

  it('repeats a read whose answer was cut off', async () => {
    const { client } = await open((_call, calls) => (calls.length === 1 ? 'cut' : { result: snapshot() }));
    expect(await client.get('r1')).toEqual(snapshot());
  });
});

describe('wait', () => {
  it('waits in steps the host allows until the request changes', async () => {
    const { host, client } = await open((_call, calls) => ({
      result: { ...snapshot({ revision: calls.length < 3 ? 4 : 5 }), unchanged: calls.length < 3 },
    }));
    expect(await client.wait('r1', { afterRevision: 4 })).toMatchObject({ revision: 5, unchanged: false });
    const step = { requestId: 'r1', afterRevision: 4, waitMs: LIMITS.maxWaitMs };
    expect(host.calls.map(({ params }) => params)).toEqual([step, step, step]);
  });

  it('asks once when the time is up at once', async () => {
    const { host, client } = await open(() => ({ result: { ...snapshot({ revision: 4 }), unchanged: true } }));
    expect(await client.wait('r1', { afterRevision: 4, waitMs: 0 })).toMatchObject({ unchanged: true });
    expect(host.calls).toHaveLength(1);
  });

  it('waits past every change until the end, over a cut line', async () => {
    const seen = [
      { ...snapshot({ status: 'queued', revision: 1 }), unchanged: false },
      'cut',
      { ...snapshot({ status: 'awaiting_user', revision: 3 }), unchanged: false },
      { ...snapshot({ status: 'completed', revision: 4, reason: 'user_answered' }), unchanged: false },
    ] as const;
    const { host, client } = await open((_call, calls) => {
      const next = seen[calls.length - 1]!;
      return next === 'cut' ? next : { result: next };
    });
    const end = await client.waitUntilEnd('r1');
    expect(end).toEqual(snapshot({ status: 'completed', revision: 4, reason: 'user_answered' }));
    expect(host.calls.map(({ params }) => params.afterRevision)).toEqual([0, 1, 1, 3]);
  });

  it('returns the newest snapshot when the time to wait is over before the end', async () => {
    const { client } = await open(() => ({ result: { ...snapshot({ revision: 2 }), unchanged: true } }));
    expect(await client.waitUntilEnd('r1', { timeoutMs: 0 })).toEqual(snapshot({ revision: 2 }));
  });
});

describe('helpers', () => {
  it('choose returns the ID picked, ask the text, and both null when there was no answer', async () => {
    const results = new Map<unknown, unknown>([
      ['interaction.choose', { selectedId: 'yes' }],
      ['interaction.ask', { text: 'blue' }],
    ]);
    let answering = true;
    let asked: unknown;
    const { client } = await open(({ method, params }) => {
      if (method === 'requests.create') {
        asked = params.capability;
        return { result: snapshot() };
      }
      const end = answering
        ? snapshot({ status: 'completed', result: results.get(asked) as never })
        : snapshot({ status: 'cancelled', reason: 'user_dismissed' });
      return { result: { ...end, unchanged: false } };
    });
    const options = [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No' },
    ];
    expect(await client.choose('Go?', options)).toBe('yes');
    expect(await client.ask('Colour?')).toBe('blue');
    answering = false;
    expect(await client.choose('Go?', options)).toBeNull();
    expect(await client.ask('Colour?')).toBeNull();
  });

  it('notify sends only what was said', async () => {
    const { host, client } = await open(() => ({ result: snapshot() }));
    await client.notify('done', { tone: 'success', idempotencyKey: 'k' });
    expect(host.calls[0]?.params).toEqual({
      capability: 'notice.show',
      params: { text: 'done', tone: 'success' },
      idempotencyKey: 'k',
    });
  });

  it('progress meets a conflict with the actual revision, once', async () => {
    const { host, client } = await open(({ method, params }, calls) => {
      if (method === 'requests.create') return { result: snapshot({ revision: 1 }) };
      if (params.expectedRevision === 7) return { result: snapshot({ revision: 8 }) };
      const actual = calls.length === 2 ? 7 : 99;
      return { error: 'REVISION_CONFLICT', details: { expected: params.expectedRevision, actual, status: 'running' } };
    });
    const card = await client.progress('Copying');
    expect(await card.update({ percent: 10 })).toMatchObject({ revision: 8 });
    await expect(card.done()).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
    expect(host.calls.map(({ params }) => params.expectedRevision)).toEqual([undefined, 1, 7, 8, 99]);
  });

  it('progress does not insist once its request has ended', async () => {
    const { host, client } = await open(({ method }) =>
      method === 'requests.create'
        ? { result: snapshot() }
        : { error: 'REVISION_CONFLICT', details: { expected: 1, actual: 3, status: 'cancelled' } },
    );
    const card = await client.progress('Copying');
    await expect(card.fail('disk full')).rejects.toMatchObject({ details: { status: 'cancelled' } });
    expect(host.calls).toHaveLength(2);
  });
});

describe('an AbortSignal', () => {
  const OPTIONS = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  const METHODS: Readonly<
    Record<string, (client: Client, options: { readonly signal: AbortSignal }) => Promise<unknown>>
  > = {
    call: (client, options) => client.call('runtime.describe', {}, options),
    describe: (client, options) => client.describe(options),
    create: (client, options) => client.create(NOTICE, options),
    get: (client, options) => client.get('r1', options),
    wait: (client, options) => client.wait('r1', options),
    waitUntilEnd: (client, options) => client.waitUntilEnd('r1', options),
    cancel: (client, options) => client.cancel('r1', undefined, options),
    update: (client, options) =>
      client.update({ requestId: 'r1', expectedRevision: 1, params: { percent: 1 } }, options),
    notify: (client, options) => client.notify('hi', options),
    choose: (client, options) => client.choose('Go?', OPTIONS, options),
    ask: (client, options) => client.ask('Name?', options),
    progress: (client, options) => client.progress('Copying', options),
    resumeProgress: (client, options) => client.resumeProgress('r1', options),
    'Progress.update': (client, options) => new Progress(client, snapshot()).update({ percent: 1 }, options),
    'Progress.done': (client, options) => new Progress(client, snapshot()).done({}, options),
    'Progress.fail': (client, options) => new Progress(client, snapshot()).fail('why', {}, options),
  };

  it('is taken by every method there is', () => {
    const methodsOf = (type: object): readonly string[] =>
      Object.entries(Object.getOwnPropertyDescriptors(type)).flatMap(([name, { value }]) =>
        typeof value === 'function' ? [name] : [],
      );
    const named = [
      ...methodsOf(Client.prototype).filter((name) => name !== 'constructor' && name !== 'close'),
      ...methodsOf(Progress.prototype).flatMap((name) => (name === 'constructor' ? [] : [`Progress.${name}`])),
    ];
    expect(Object.keys(METHODS).toSorted()).toEqual(named.toSorted());
  });

  it.each(Object.entries(METHODS))('ends %s at once, with its reason', async (_name, method) => {
    const { host, client } = await open(() => 'silence');
    const stop = new AbortController();
    const ending = expect(method(client, { signal: stop.signal })).rejects.toThrow('enough');
    while (host.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('enough'));
    await ending;
  });

  it.each(Object.entries(METHODS))('that is over keeps %s from asking at all', async (_name, method) => {
    const { host, client } = await open(() => ({ result: snapshot() }));
    await expect(method(client, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(host.calls).toEqual([]);
  });

  it('may stand for any number of calls, without a warning about it', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const { host, client } = await open(() => 'silence');
    const stop = new AbortController();
    const endings = Array.from({ length: 20 }, () =>
      expect(client.waitUntilEnd('r1', { signal: stop.signal })).rejects.toThrow('enough'),
    );
    while (host.calls.length < 20) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('enough'));
    await Promise.all(endings);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('ends a call that still waits for a free connection', async () => {
    const { host, client } = await open(() => 'silence');
    const others = Array.from({ length: 64 }, () => client.wait('r1').catch(() => {}));
    while (host.calls.length < 64) await new Promise((resolve) => setImmediate(resolve));
    const stop = new AbortController();
    const ending = expect(client.get('r1', { signal: stop.signal })).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await ending;
    client.close();
    await Promise.all(others);
  });

  it('a closed client does not try again', async () => {
    const { host, client } = await open(() => 'silence');
    const ending = expect(client.wait('r1')).rejects.toMatchObject({ code: 'UNREACHABLE' });
    while (host.calls.length < 1) await new Promise((resolve) => setImmediate(resolve));
    // Whoever waits before trying again waits for ever.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      client.close();
      await ending;
    } finally {
      vi.useRealTimers();
    }
    expect(host.connections()).toBe(1);
  });

  /** A host where every question stays open, and a client that has asked one. */
  async function openQuestion(options: object): Promise<{ host: FakeHost; client: Client; ending: Promise<void> }> {
    const { host, client } = await open(({ method }) =>
      method === 'requests.wait' ? 'silence' : { result: snapshot() },
    );
    const stop = new AbortController();
    const ending = expect(client.choose('Go?', OPTIONS, { signal: stop.signal, ...options })).rejects.toThrow('enough');
    while (!host.calls.some(({ method }) => method === 'requests.wait'))
      await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('enough'));
    return { host, client, ending };
  }

  it('withdraws a question that nobody could ask for again', async () => {
    const { host, client, ending } = await openQuestion({});
    await ending;
    // Who gives up a question often gives up everything: what is under way is still sent.
    client.close();
    while (host.calls.at(-1)?.method === 'requests.wait') await new Promise((resolve) => setImmediate(resolve));
    expect(host.calls.at(-1)).toMatchObject({ method: 'requests.cancel', params: { requestId: 'r1' } });
  });

  it('leaves a question open that has a key of the caller', async () => {
    const { host, ending } = await openQuestion({ idempotencyKey: 'k' });
    await ending;
    expect(host.calls.map(({ method }) => method)).toEqual(['requests.create', 'requests.wait']);
  });

  it('withdraws a question whose acceptance comes too late', async () => {
    let answer = (): void => {};
    const { host, client } = await open(async ({ method }) => {
      if (method === 'requests.create')
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      return { result: snapshot() };
    });
    const stop = new AbortController();
    const ending = expect(client.choose('Go?', OPTIONS, { signal: stop.signal })).rejects.toThrow('enough');
    while (host.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort(new Error('enough'));
    await ending;
    answer();
    while (host.calls.length === 1) await new Promise((resolve) => setImmediate(resolve));
    expect(host.calls[1]).toMatchObject({ method: 'requests.cancel', params: { requestId: 'r1' } });
  });
});

describe('a progress card whose answer was cut off', () => {
  it('is looked at, and updated once more where nothing of it is there', async () => {
    const { host, client } = await open(({ method }, calls) => {
      if (method === 'requests.get') return { result: snapshot({ revision: 4 }) };
      return calls.length === 1 ? 'cut' : { result: snapshot({ revision: 5 }) };
    });
    const card = new Progress(client, snapshot({ revision: 3 }));
    expect(await card.update({ percent: 50 })).toMatchObject({ revision: 5 });
    expect(host.calls.map(({ method, params }) => [method, params.expectedRevision])).toEqual([
      ['requests.update', 3],
      ['requests.get', undefined],
      ['requests.update', 4],
    ]);
  });

  it.each<[string, Partial<Snapshot>, (card: Progress) => Promise<Snapshot>]>([
    ['done', { status: 'completed', reason: 'owner_completed' }, (card) => card.done()],
    ['failed', { status: 'failed', reason: 'owner_failed' }, (card) => card.fail('why')],
  ])('is %s where the end has arrived', async (_what, end, finish) => {
    const ended = snapshot({ revision: 4, ...end });
    const { host, client } = await open(({ method }) => (method === 'requests.get' ? { result: ended } : 'cut'));
    expect(await finish(new Progress(client, snapshot({ revision: 3 })))).toEqual(ended);
    expect(host.calls.map(({ method }) => method)).toEqual(['requests.update', 'requests.get']);
  });

  it.each<[string, Partial<Snapshot>]>([
    ['restarted host', { status: 'failed', reason: 'runtime_restarted' }],
    ['card that the user closed', { status: 'cancelled', reason: 'user_dismissed' }],
  ])('tells of a %s as any update of one does', async (_what, end) => {
    const { client } = await open(({ method }) =>
      method === 'requests.get' ? { result: snapshot({ revision: 4, ...end }) } : 'cut',
    );
    await expect(new Progress(client, snapshot()).done()).rejects.toMatchObject({
      code: 'REVISION_CONFLICT',
      details: { actual: 4, status: end.status },
    });
  });

  it('says UNREACHABLE where there is no host any more', async () => {
    const { client } = await open(() => 'cut');
    await expect(new Progress(client, snapshot()).update({ percent: 1 })).rejects.toMatchObject({
      code: 'UNREACHABLE',
    });
  });
});
