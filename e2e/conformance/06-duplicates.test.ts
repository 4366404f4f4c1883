/** Spec §7, repeated creation: one key is one request, whatever happens in between, and checks come in one order. */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { type LaunchedCompanion, launchCompanion } from '../harness.ts';
import { type Client, callRpc, described, enableAccess, pairClient, rawPost, refusalOf } from './support.ts';
import { clickCard, onCard, option, pressMenu } from './support-page.ts';

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
});
afterAll(() => companion.stop());

const CHOICE = {
  title: 'Go on?',
  options: [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ],
};

interface BatchAnswer {
  readonly id: number;
  readonly result?: Snapshot;
  readonly error?: { readonly data: { readonly code: string } };
}

/** Sends calls as one batch. */
async function batch(client: Client, calls: readonly object[]): Promise<readonly BatchAnswer[]> {
  const body = JSON.stringify(calls.map((call, index) => ({ jsonrpc: '2.0', id: index, ...call })));
  const headers = { authorization: `Bearer ${client.key}` };
  return JSON.parse((await rawPost(companion.socketPath, body, { headers })).text);
}

const cardsOf = ({ name }: Client): Promise<number> =>
  companion.page.$$eval(`[data-request-id][data-client="${name}"]`, (cards) => cards.length);

/** Pauses outside requests until the test is over. */
async function pause(): Promise<void> {
  await pressMenu(companion.page, 'pause-access');
  onTestFinished(async () => {
    await pressMenu(companion.page, 'resume-access');
    await described(companion, 'it accepts again', ({ accepting }) => accepting.ok);
  });
  await described(companion, 'it is paused', ({ accepting }) => accepting.reason === 'paused');
}

describe('the same key', () => {
  it('with the same parameters, in whatever order they are written, is the same request and one card', async () => {
    const client = await pairClient(companion);
    const { title, options } = CHOICE;
    const first = await client.create('interaction.choose', { title, options }, { idempotencyKey: 'k', taskId: 't' });
    await client.shown(first.requestId);
    const again = await client.call('requests.create', {
      taskId: 't',
      idempotencyKey: 'k',
      params: { options: options.map(({ id, label }) => ({ label, id })), title },
      capability: 'interaction.choose',
    });
    expect(again).toEqual(await client.get(first.requestId));
    expect(await cardsOf(client)).toBe(1);
  });

  it('after the end gives the end, and asks nobody again', async () => {
    const client = await pairClient(companion);
    const { requestId } = await client.create('interaction.choose', CHOICE, { idempotencyKey: 'k' });
    await clickCard(companion.page, requestId, option('no'));
    const ended = await client.ended(requestId);
    expect(ended.result).toEqual({ selectedId: 'no' });
    expect(await client.create('interaction.choose', CHOICE, { idempotencyKey: 'k' })).toEqual(ended);
    expect(await cardsOf(client)).toBe(0);
  });

  it.each([
    ['other text', { params: { ...CHOICE, title: 'Stop?' } }],
    ['another order of options', { params: { ...CHOICE, options: [...CHOICE.options].reverse() } }],
    ['another label of the task', { taskId: 'other' }],
    ['another time-out', { timeoutMs: 60_000 }],
    ['a style', { style: 'plain' }],
    ['another capability', { capability: 'interaction.ask', params: { title: 'Go on?' } }],
  ])('with %s is a conflict, and the first request stays as it is', async (_what, other) => {
    const client = await pairClient(companion);
    const call = { capability: 'interaction.choose', params: CHOICE, idempotencyKey: 'k' };
    const { requestId } = await client.call('requests.create', call);
    await client.shown(requestId);
    const refusal = await refusalOf(client.call('requests.create', { ...call, ...other }));
    expect([refusal.code, refusal.rpcCode, refusal.retryable]).toEqual(['IDEMPOTENCY_CONFLICT', -32009, false]);
    expect(refusal.text).not.toContain(CHOICE.title);
    expect(await cardsOf(client)).toBe(1);
  });

  it('of two programs are two requests', async () => {
    const one = await pairClient(companion);
    const two = await pairClient(companion);
    const first = await one.create('progress.show', { title: 'Mine', percent: 0 }, { idempotencyKey: 'k' });
    const second = await two.create('progress.show', { title: 'Mine', percent: 0 }, { idempotencyKey: 'k' });
    expect(first.requestId).not.toBe(second.requestId);
  });

  it('twenty times at once, each on a connection of its own, is one request and one card', async () => {
    const client = await pairClient(companion);
    const created = await Promise.all(
      Array.from({ length: 20 }, () => client.create('interaction.choose', CHOICE, { idempotencyKey: 'k' })),
    );
    expect(new Set(created.map(({ requestId }) => requestId)).size).toBe(1);
    await client.shown(created[0]!.requestId);
    expect(await cardsOf(client)).toBe(1);
    expect(await companion.page.$('[data-role="waiting"]')).toBeNull();
  });

  it('twice in one batch is one request; with other parameters there, one of the two is refused', async () => {
    const client = await pairClient(companion);
    const create = (title: string, idempotencyKey: string) => ({
      method: 'requests.create',
      params: { capability: 'progress.show', params: { title, percent: 0 }, idempotencyKey },
    });
    const [a, b, c, d] = await batch(client, [
      create('A', 'k1'),
      create('A', 'k1'),
      create('A', 'k2'),
      create('B', 'k2'),
    ]);
    expect(a!.result!.requestId).toBe(b!.result!.requestId);
    expect([c!.result !== undefined, d!.error?.data.code]).toEqual([true, 'IDEMPOTENCY_CONFLICT']);
  });

  it('costs nothing: any number of retries leaves the rate untouched', async () => {
    const client = await pairClient(companion);
    const { limits } = await client.call<{ limits: Record<string, number> }>('runtime.describe');
    const create = {
      method: 'requests.create',
      params: { capability: 'progress.show', params: { title: 'A', percent: 0 } },
    };
    const retry = { ...create, params: { ...create.params, idempotencyKey: 'k' } };
    for (let sent = 0; sent < limits.createBurst! * 2; sent += 32) {
      const answers = await batch(
        client,
        Array.from({ length: 32 }, () => retry),
      );
      expect(answers.every(({ result }) => result !== undefined)).toBe(true);
    }
    expect((await batch(client, [create]))[0]!.result).toBeDefined();
  });
});

it('without a key every call is a request of its own', async () => {
  const client = await pairClient(companion);
  const [first, second] = [
    await client.create('progress.show', { title: 'Twice', percent: 0 }),
    await client.create('progress.show', { title: 'Twice', percent: 0 }),
  ];
  expect(first.requestId).not.toBe(second.requestId);
});

describe('order of checks', () => {
  const code = async (promise: Promise<unknown>): Promise<string> => (await refusalOf(promise)).code;

  it('frame, version, key, method, parameters of the method', async () => {
    const { socketPath } = companion;
    const send = async (body: string, headers: Record<string, string>): Promise<string> =>
      JSON.parse((await rawPost(socketPath, body, { headers })).text).error.data.code;
    const unknownMethod = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'no.method', params: [] });
    const badKey = { authorization: 'Bearer nonsense' };
    expect(await send('{', { ...badKey, 'companion-protocol': '9' })).toBe('PARSE_ERROR');
    expect(await send(unknownMethod, { ...badKey, 'companion-protocol': '9' })).toBe('UNSUPPORTED_PROTOCOL_VERSION');
    expect(await send(unknownMethod, badKey)).toBe('UNAUTHENTICATED');
    expect(await send(unknownMethod, {})).toBe('METHOD_NOT_FOUND');
  });

  it('parameters of the method, capability, scope, parameters of the capability', async () => {
    const client = await pairClient(companion, { scopes: ['notify'] });
    const create = (params: unknown) => code(client.call('requests.create', params));
    expect(await create({ capability: 'no.such', params: {}, timeoutMs: 1 })).toBe('INVALID_PARAMS');
    expect(await create({ capability: 'no.such', params: {} })).toBe('UNSUPPORTED_CAPABILITY');
    expect(await create({ capability: 'interaction.choose', params: {} })).toBe('FORBIDDEN');
    expect(await create({ capability: 'notice.show', params: {} })).toBe('INVALID_PARAMS');
    const { details } = await refusalOf(client.create('interaction.choose', CHOICE));
    expect(details).toEqual({ requiredScopes: ['interact'] });
  });

  it('parameters of the capability, idempotency, style and character, availability', async () => {
    const client = await pairClient(companion);
    const create = (params: object, more: object) => code(client.create('notice.show', params, more));
    const first = await client.create('notice.show', { text: 'A' }, { idempotencyKey: 'k' });
    await pause();
    expect(await create({ text: '' }, { idempotencyKey: 'k' })).toBe('INVALID_PARAMS');
    expect(await create({ text: 'B' }, { idempotencyKey: 'k', style: 'no-such' })).toBe('IDEMPOTENCY_CONFLICT');
    expect(await create({ text: 'B' }, { idempotencyKey: 'new', style: 'no-such' })).toBe('UNSUPPORTED_STYLE');
    expect(await create({ text: 'B' }, { idempotencyKey: 'new', character: 'no.such' })).toBe('INVALID_PARAMS');
    expect(await create({ text: 'B' }, { idempotencyKey: 'new' })).toBe('RUNTIME_UNAVAILABLE');
    const again = await client.create('notice.show', { text: 'A' }, { idempotencyKey: 'k' });
    expect(again.requestId).toBe(first.requestId);
  });

  it('a refused key is free again', async () => {
    const client = await pairClient(companion);
    await refusalOf(client.create('notice.show', { text: 'A' }, { idempotencyKey: 'k', style: 'no-such' }));
    const created = await client.create('notice.show', { text: 'B' }, { idempotencyKey: 'k' });
    await companion.page.waitForSelector(onCard(created.requestId));
  });
});

describe('batch', () => {
  it('answers in the order of the calls, each for itself', async () => {
    const client = await pairClient(companion);
    const answers = await batch(client, [
      { method: 'requests.create', params: { capability: 'progress.show', params: { title: 'A', percent: 0 } } },
      { method: 'no.method' },
      { method: 'requests.get', params: { requestId: 'none' } },
      { method: 'runtime.describe' },
    ]);
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
    expect(answers.map(({ error }) => error?.data.code ?? null)).toEqual([null, 'METHOD_NOT_FOUND', 'NOT_FOUND', null]);
  });

  it('takes no call that waits, none at all, or more than the limit', async () => {
    const client = await pairClient(companion);
    const { limits } = await client.call<{ limits: Record<string, number> }>('runtime.describe');
    const wait = { method: 'requests.wait', params: { requestId: 'none', afterRevision: 0, waitMs: 0 } };
    expect((await batch(client, [wait]))[0]!.error!.data.code).toBe('INVALID_REQUEST');
    for (const calls of [
      [],
      Array.from({ length: limits.maxBatchCalls! + 1 }, () => ({ method: 'runtime.describe' })),
    ]) {
      const answer = (await batch(client, calls)) as unknown as { error: { data: { code: string } } };
      expect(answer.error.data.code).toBe('INVALID_REQUEST');
    }
  });

  it('of notifications only is answered by nothing', async () => {
    const body = JSON.stringify([{ jsonrpc: '2.0', method: 'runtime.describe' }]);
    const { status, text } = await rawPost(companion.socketPath, body);
    expect([status, text]).toEqual([204, '']);
    await callRpc(companion.socketPath, null, 'runtime.describe');
  });
});
