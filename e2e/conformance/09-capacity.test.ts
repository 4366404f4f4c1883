/** Spec §7, capacity: published bounds hold for each program and for all, what is full is refused and nothing accepted is dropped unsaid. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import type { Contract } from '../../server/registry/contract.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import {
  type Client,
  describeRuntime,
  enableAccess,
  pairClient,
  Refusal,
  rawPost,
  refusalOf,
  requestPairing,
  takeKey,
  uniqueName,
} from './support.ts';
import { action, click, clickCard, closePage, confirm, onCard, openPage, option } from './support-page.ts';

/** Small enough to be reached, each by its own test. */
const LIMITS = {
  maxUnfinished: 16,
  maxUnfinishedPerClient: 9,
  maxWaitingNoticesPerClient: 2,
  createsPerSecond: 2,
  createBurst: 20,
  updatesPerSecond: 2,
  updateBurst: 10,
};

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion({ config: { limits: LIMITS } });
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
const progress = (client: Client): Promise<Snapshot> => client.create('progress.show', { title: 'Work', percent: 0 });
const ask = (client: Client): Promise<Snapshot> => client.create('interaction.choose', CHOICE);

async function times<Result>(count: number, run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let left = count; left > 0; left -= 1) results.push(await run());
  return results;
}

/** What the contract of a capability says one program may have unfinished. */
async function boundOf(client: Client, id: string): Promise<number> {
  const { limits } = await client.call<Contract>('capabilities.describe', { id });
  return limits.maxUnfinishedPerClient;
}

/** Clients of the cards on screen. */
const sources = (): Promise<(string | undefined)[]> =>
  companion.page.$$eval('[data-request-id]', (cards) => cards.map(({ dataset }) => dataset.client));
const waitingCount = (): Promise<number> =>
  companion.page.$$eval('[data-role="waiting"]', ([badge]) => Number(badge?.getAttribute('data-count') ?? 0));

async function assertFull(attempt: Promise<unknown>, limit: string, value: number): Promise<void> {
  const refusal = await refusalOf(attempt);
  expect([refusal.code, refusal.rpcCode, refusal.retryable]).toEqual(['QUEUE_FULL', -32005, true]);
  expect(refusal.details).toMatchObject({ limit, value });
}

it('the bounds in force are the ones that are published', async () => {
  expect((await describeRuntime(companion)).limits).toMatchObject(LIMITS);
});

describe('full', () => {
  it('for one program: the next is refused, an end makes room, and other programs are served', async () => {
    const client = await pairClient(companion);
    const other = await pairClient(companion);
    const open = await times(LIMITS.maxUnfinishedPerClient, () => progress(client));
    await assertFull(progress(client), 'maxUnfinishedPerClient', LIMITS.maxUnfinishedPerClient);
    expect((await progress(other)).status).toBe('queued');
    await client.call('requests.cancel', { requestId: open[0]!.requestId });
    expect((await progress(client)).status).toBe('queued');
    for (const { requestId } of open.slice(1)) expect((await client.get(requestId)).reason).toBeNull();
  });

  it('for all programs together: the next is refused, whoever asks, and nothing accepted is touched', async () => {
    const one = await pairClient(companion);
    const two = await pairClient(companion);
    const three = await pairClient(companion);
    const open = [
      ...(await times(9, () => progress(one))).map((snapshot) => [one, snapshot] as const),
      ...(await times(7, () => progress(two))).map((snapshot) => [two, snapshot] as const),
    ];
    for (const client of [two, three]) await assertFull(progress(client), 'maxUnfinished', LIMITS.maxUnfinished);
    for (const [client, { requestId }] of open) expect((await client.get(requestId)).reason).toBeNull();
  });

  it('of questions: the next is refused, none is dropped, and notices still pass', async () => {
    const client = await pairClient(companion);
    const bound = await boundOf(client, 'interaction.choose');
    const open = await times(bound, () => ask(client));
    await assertFull(ask(client), 'maxInteractionsPerClient', bound);
    await client.create('notice.show', { text: 'Still here' });
    for (const { requestId } of open) expect((await client.get(requestId)).reason).toBeNull();
  });

  it('of animations: the next is refused', async () => {
    const client = await pairClient(companion);
    const bound = await boundOf(client, 'animation.think');
    await times(bound, () => client.create('animation.think', { loops: 20 }));
    await assertFull(client.create('animation.think', {}), 'maxAnimationsPerClient', bound);
  });

  it('a contract states the bound that holds for its capability, as the published limits do', async () => {
    const client = await pairClient(companion);
    const { limits } = await describeRuntime(companion);
    expect(await boundOf(client, 'interaction.choose')).toBe(limits.maxInteractionsPerClient);
    expect(await boundOf(client, 'animation.think')).toBe(limits.maxAnimationsPerClient);
    expect(await boundOf(client, 'progress.show')).toBe(LIMITS.maxUnfinishedPerClient);
  });
});

describe('a notice too many', () => {
  it('evicts the oldest of that program which nobody has seen, and says so; what is on screen stays', async () => {
    const client = await pairClient(companion);
    const other = await pairClient(companion);
    const question = await ask(other);
    const notice = (text: string) => client.create('notice.show', { text, durationMs: 60_000 });
    const shown = [await notice('a'), await notice('b')];
    for (const { requestId } of shown) await client.shown(requestId);
    const waiting = [await notice('c'), await notice('d')];
    const newest = await notice('e');
    expect(await client.ended(waiting[0]!.requestId)).toMatchObject({
      status: 'cancelled',
      reason: 'queue_evicted',
      displayedAt: null,
    });
    for (const { requestId } of [...shown, waiting[1]!, newest]) {
      expect((await client.get(requestId)).reason).toBeNull();
    }
    expect((await other.get(question.requestId)).reason).toBeNull();
  });
});

describe('too fast', () => {
  const createBody = (id: number, text: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'requests.create',
    params: { capability: 'notice.show', params: { text } },
  });

  it('creates beyond the burst are RATE_LIMITED with the time after which one passes', async () => {
    const client = await pairClient(companion);
    const other = await pairClient(companion);
    const calls = Array.from({ length: 30 }, (_, id) => createBody(id, `number ${id}`));
    const headers = { authorization: `Bearer ${client.key}` };
    const { text } = await rawPost(companion.socketPath, JSON.stringify(calls), { headers });
    const answers = JSON.parse(text) as { error?: ConstructorParameters<typeof Refusal>[0] }[];
    const refusals = answers.flatMap(({ error }) => (error === undefined ? [] : [new Refusal(error)]));
    expect(answers.length - refusals.length).toBe(LIMITS.createBurst);
    for (const refusal of refusals) {
      expect([refusal.code, refusal.rpcCode, refusal.retryable]).toEqual(['RATE_LIMITED', -32006, true]);
      expect(refusal.details?.retryAfterMs).toBeGreaterThan(0);
      expect(refusal.details?.retryAfterMs).toBeLessThanOrEqual(1_000 / LIMITS.createsPerSecond);
    }
    expect((await other.create('notice.show', { text: 'Another program' })).status).toBe('queued');
    await until('the rate has recovered', () =>
      client.create('notice.show', { text: 'Now' }).then(
        () => true,
        ({ code }) => code !== 'RATE_LIMITED',
      ),
    );
  });

  it('updates beyond the burst are RATE_LIMITED and change nothing', async () => {
    const client = await pairClient(companion);
    const { requestId } = await progress(client);
    const shown = await client.shown(requestId);
    const calls = Array.from({ length: 20 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'requests.update',
      params: { requestId, expectedRevision: shown.revision + id, params: { percent: id } },
    }));
    const headers = { authorization: `Bearer ${client.key}` };
    const { text } = await rawPost(companion.socketPath, JSON.stringify(calls), { headers });
    const codes = (JSON.parse(text) as { error?: { data: { code: string } } }[]).map(({ error }) => error?.data.code);
    const passed = codes.filter((code) => code === undefined).length;
    expect(passed).toBe(LIMITS.updateBurst);
    expect(codes.slice(passed).every((code) => code === 'RATE_LIMITED')).toBe(true);
    expect((await client.get(requestId)).revision).toBe(shown.revision + passed);
  });

  it('is refused before full is', async () => {
    const client = await pairClient(companion);
    const calls = Array.from({ length: 30 }, (_, id) => ({
      ...createBody(id, ''),
      params: { capability: 'progress.show', params: { title: `number ${id}`, percent: 0 } },
    }));
    const headers = { authorization: `Bearer ${client.key}` };
    const { text } = await rawPost(companion.socketPath, JSON.stringify(calls), { headers });
    const codes = (JSON.parse(text) as { error?: { data: { code: string } } }[]).map(({ error }) => error?.data.code);
    expect(codes.filter((code) => code === undefined)).toHaveLength(LIMITS.maxUnfinishedPerClient);
    expect(codes.slice(LIMITS.maxUnfinishedPerClient, LIMITS.createBurst).every((code) => code === 'QUEUE_FULL')).toBe(
      true,
    );
    expect(codes.slice(LIMITS.createBurst).every((code) => code === 'RATE_LIMITED')).toBe(true);
  });
});

describe('the screen', () => {
  it('holds three cards at most and counts the rest; the badge leads through them', async () => {
    const client = await pairClient(companion);
    const all = await times(5, () => progress(client));
    await until('three cards and two waiting', async () => (await waitingCount()) === 2);
    expect(await sources()).toHaveLength(3);
    const waiting = all[3]!.requestId;
    expect(await companion.page.$(`[data-request-id="${waiting}"]`)).toBeNull();
    expect((await client.get(waiting)).status).toBe('queued');
    await click(companion.page, '[data-role="waiting"]');
    await companion.page.waitForSelector(onCard(waiting));
    expect(await sources()).toHaveLength(3);
    expect(await waitingCount()).toBe(2);
    for (const { requestId } of all.slice(0, 3)) expect((await client.get(requestId)).status).toBe('running');
  });

  it('shows one question of a program at a time; an answer brings the next', async () => {
    const client = await pairClient(companion);
    const [first, second] = [await ask(client), await ask(client)];
    await companion.page.waitForSelector(onCard(first.requestId));
    expect(await companion.page.$(`[data-request-id="${second.requestId}"]`)).toBeNull();
    expect(await waitingCount()).toBe(1);
    await clickCard(companion.page, first.requestId, option('yes'));
    await clickCard(companion.page, second.requestId, option('no'));
    expect((await client.ended(second.requestId)).result).toEqual({ selectedId: 'no' });
  });

  it('is shared: whoever comes late gets a place at once, and nobody more than one while others wait', async () => {
    const greedy = await pairClient(companion, { name: 'greedy' });
    const late = await pairClient(companion, { name: 'late' });
    const later = await pairClient(companion, { name: 'later' });
    await times(6, () => progress(greedy));
    await until('the greedy one has all', async () => (await sources()).length === 3);
    const one = await progress(late);
    await late.shown(one.requestId);
    const two = await progress(later);
    await later.shown(two.requestId);
    await until('each has one', async () => new Set(await sources()).size === 3);
    expect((await sources()).sort()).toEqual([greedy.name, late.name, later.name].sort());
  });

  it('gives questions the first place, then notices, then progress', async () => {
    const worker = await pairClient(companion, { name: 'worker' });
    const asker = await pairClient(companion, { name: 'asker' });
    await times(4, () => progress(worker));
    await until('three are shown', async () => (await sources()).length === 3);
    const question = await ask(asker);
    await asker.shown(question.requestId);
    const notice = await worker.create('notice.show', { text: 'Before progress', durationMs: 60_000 });
    await worker.shown(notice.requestId);
    await companion.page.waitForSelector(onCard(question.requestId));
  });
});

it('a full store of results refuses new requests and gives none of the old up, until the user erases', async () => {
  const own = await launchCompanion({ config: { limits: { maxKeptResults: 3 } } });
  try {
    await enableAccess(own);
    const pairing = await requestPairing(own, { name: uniqueName('keeper'), scopes: ['notify'] });
    await click(own.page, `[data-pairing-id="${pairing.pairingId}"] ${action('approve')}`);
    const client = await takeKey(own, pairing);
    const kept = await times(3, async () => {
      const { requestId } = await progress(client);
      return client.call('requests.cancel', { requestId });
    });
    await assertFull(progress(client), 'maxKeptResults', 3);
    for (const snapshot of kept) expect(await client.get(snapshot.requestId)).toEqual(snapshot);
    await openPage(own.page, 'access');
    await confirm(own.page, `[data-panel="access"] > * > .confirm ${action('erase')}`);
    await until('there is room again', () =>
      progress(client).then(
        () => true,
        ({ code }) => code !== 'QUEUE_FULL',
      ),
    );
    await closePage(own.page);
  } finally {
    await own.stop();
  }
});

it('a hundred calls at once, each on a connection of its own, are all answered', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'runtime.describe' });
  const all = await Promise.all(Array.from({ length: 100 }, () => rawPost(companion.socketPath, body)));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
});
