/** Spec §7, concurrent updates: one winner for each revision, one card for the whole task, and the user's presses reach its owner. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import { type Client, enableAccess, pairClient, Refusal, refusalOf } from './support.ts';
import { action, clickCard, gone, onCard, textOf } from './support-page.ts';

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
});
afterAll(() => companion.stop());

/** A progress card on screen. */
async function startProgress(client: Client, more: object = {}): Promise<Snapshot> {
  const { requestId } = await client.create('progress.show', { title: 'Copying', percent: 0, ...more });
  return client.shown(requestId);
}

const update = (client: Client, { requestId, revision }: Snapshot, params: object): Promise<Snapshot> =>
  client.call('requests.update', { requestId, expectedRevision: revision, params });

const cardText = (requestId: string): Promise<string> => textOf(companion.page, `[data-request-id="${requestId}"]`);
const cardSays = (requestId: string, text: string): Promise<unknown> =>
  until(`the card says ${text}`, async () => (await cardText(requestId)).includes(text));

describe('an update', () => {
  it('changes the same card in place, in one request, with a revision more each time', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client);
    const card = (await companion.page.$(onCard(started.requestId)))!;
    let snapshot = started;
    for (const [percent, phase, message] of [
      [10, 'reading', 'file one'],
      [55.5, 'writing', 'file two'],
      [null, 'checking', 'all files'],
    ] as const) {
      const before = snapshot;
      snapshot = await update(client, before, { percent, phase, message });
      expect(snapshot).toMatchObject({
        requestId: started.requestId,
        revision: before.revision + 1,
        status: 'running',
      });
      await cardSays(started.requestId, message);
      expect(await cardText(started.requestId)).toContain(phase);
    }
    expect(await card.evaluate((element) => element.isConnected)).toBe(true);
    expect(await companion.page.$$(`[data-request-id="${started.requestId}"]`)).toHaveLength(1);
    expect(snapshot.deadlineAt).toBe(started.deadlineAt);
    expect(snapshot.displayedAt).toBe(started.displayedAt);
  });

  it('shows the bar where it is told to be, for those who see it and those who do not', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client);
    const next = await update(client, started, { percent: 42, tone: 'warning' });
    const bar = `[data-request-id="${started.requestId}"] [role="progressbar"]`;
    await companion.page.waitForSelector(`${bar}[aria-valuenow="42"]`);
    await companion.page.waitForSelector(`${onCard(started.requestId)}[data-tone="warning"]`);
    await update(client, next, { percent: null });
    await companion.page.waitForSelector(`${bar}:not([aria-valuenow])`);
  });

  it('with a stale revision is refused with the newest one, and changes nothing', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client);
    const newest = await update(client, started, { percent: 1 });
    const refusal = await refusalOf(update(client, started, { percent: 99 }));
    expect([refusal.code, refusal.rpcCode, refusal.retryable]).toEqual(['REVISION_CONFLICT', -32008, true]);
    expect(refusal.details).toEqual({ expected: started.revision, actual: newest.revision, status: 'running' });
    expect(await client.get(started.requestId)).toEqual(newest);
    const ahead = { ...newest, revision: newest.revision + 7 };
    expect((await refusalOf(update(client, ahead, { percent: 99 }))).code).toBe('REVISION_CONFLICT');
  });

  it('of ten at once with one revision is exactly one', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => update(client, started, { message: `number ${index}` })),
    );
    const won = outcomes.filter(({ status }) => status === 'fulfilled');
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(won).toHaveLength(1);
    for (const error of lost) expect(error).toMatchObject({ code: 'REVISION_CONFLICT' });
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect((await client.get(started.requestId)).revision).toBe(started.revision + 1);
    await cardSays(started.requestId, `number ${winner}`);
  });

  it.each([
    ['nothing', {}],
    ['a field that is not declared', { title: 'Another' }],
    ['a percentage over 100', { percent: 101 }],
    ['done and failed together', { done: true, failed: 'no' }],
    ['done: false', { done: false }],
    ['failed without words', { failed: '' }],
    ['a longer time', { timeoutMs: 60_000 }],
  ])('with %s is INVALID_PARAMS', async (_what, params) => {
    const client = await pairClient(companion);
    const started = await startProgress(client);
    await expect(update(client, started, params)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await client.get(started.requestId)).toEqual(started);
  });

  it.each([
    ['a notice', 'notice.show', { text: 'Fixed', durationMs: 60_000 }],
    ['an animation', 'animation.think', { loops: 20 }],
    ['a question', 'interaction.ask', { title: 'Fixed?' }],
  ] as const)('of %s is refused: what it shows stays', async (_what, capability, params) => {
    const client = await pairClient(companion);
    const { requestId } = await client.create(capability, params);
    const shown = await client.shown(requestId);
    for (const patch of [{ title: 'Other' }, { text: 'Other' }, { percent: 1 }, {}]) {
      await expect(update(client, shown, patch)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    }
    expect(await client.get(requestId)).toEqual(shown);
  });
});

describe('the end of progress', () => {
  it('is said by its owner: done, with last words', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client);
    const ended = await update(client, started, { done: true, percent: 100, message: 'all copied' });
    expect(ended).toMatchObject({ status: 'completed', reason: 'owner_completed', result: null, failure: null });
    await gone(companion.page, `[data-request-id="${started.requestId}"]`);
  });

  it('is said by its owner: failed, with the reason in its own words', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client);
    const ended = await update(client, started, { failed: 'the disk is full' });
    expect(ended).toMatchObject({
      status: 'failed',
      reason: 'owner_failed',
      failure: 'the disk is full',
      result: null,
    });
  });

  it('is for good: later updates are refused and tell how it ended', async () => {
    const client = await pairClient(companion);
    const ended = await update(client, await startProgress(client), { done: true });
    const refusal = await refusalOf(update(client, ended, { percent: 1 }));
    expect([refusal.code, refusal.details]).toEqual([
      'REVISION_CONFLICT',
      { expected: ended.revision, actual: ended.revision, status: 'completed' },
    ]);
    expect(await client.call('requests.cancel', { requestId: ended.requestId })).toEqual(ended);
  });
});

describe('presses on a progress card', () => {
  it('pause is a wish to the owner, told with the next revision and shown as asked until the owner acts', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client, { controls: ['pause', 'cancel'] });
    const { requestId } = started;
    const asked = `[data-request-id="${requestId}"] [data-role="asked"]`;
    const waiting = client.call('requests.wait', { requestId, afterRevision: started.revision, waitMs: 30_000 });
    await clickCard(companion.page, requestId, action('pause'));
    const pressed = await waiting;
    expect(pressed).toMatchObject({
      status: 'running',
      revision: started.revision + 1,
      control: { action: 'pause', seq: 1, at: expect.stringMatching(/Z$/) },
    });
    await companion.page.waitForSelector(asked);
    const paused = await update(client, await client.get(requestId), { paused: true });
    expect(paused.control).toEqual(pressed.control);
    await gone(companion.page, asked);
    await clickCard(companion.page, requestId, action('resume'));
    const resumed = await client.settled(requestId, ({ control }) => control?.action === 'resume');
    expect(resumed.control?.seq).toBe(2);
    await update(client, resumed, { paused: false });
    await companion.page.waitForSelector(onCard(requestId, action('pause')));
  });

  it('makes an update that was on its way conflict, so that its owner sees it first', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client, { controls: ['cancel'] });
    await clickCard(companion.page, started.requestId, action('cancel'));
    const pressed = await client.settled(started.requestId, ({ control }) => control !== null);
    const refusal = await refusalOf(update(client, started, { percent: 50 }));
    expect(refusal.details).toMatchObject({ actual: pressed.revision });
    expect(refusal).toBeInstanceOf(Refusal);
  });

  it('cancel ends nothing by itself; the owner does', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client, { controls: ['cancel'] });
    await clickCard(companion.page, started.requestId, action('cancel'));
    const pressed = await client.settled(started.requestId, ({ control }) => control?.action === 'cancel');
    expect(pressed.status).toBe('running');
    await update(client, pressed, { message: 'cleaning up' });
    await cardSays(started.requestId, 'cleaning up');
    const ended = await client.call('requests.cancel', { requestId: started.requestId });
    expect(ended).toMatchObject({ status: 'cancelled', reason: 'client_cancelled' });
  });

  it('closing ends the card only, and says so', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client, { controls: ['cancel'] });
    await clickCard(companion.page, started.requestId, action('dismiss'));
    expect(await client.ended(started.requestId)).toMatchObject({
      status: 'cancelled',
      reason: 'user_dismissed',
      control: null,
    });
  });

  it('are offered only where the owner asked for them', async () => {
    const client = await pairClient(companion);
    const bare = await startProgress(client);
    const full = await startProgress(client, { controls: ['pause'] });
    const offered = (requestId: string) =>
      companion.page.$$eval(`[data-request-id="${requestId}"] [data-action]`, (all) =>
        all.map(({ dataset }) => dataset.action),
      );
    expect(await offered(bare.requestId)).toEqual(['dismiss']);
    expect(await offered(full.requestId)).toEqual(['dismiss', 'pause']);
  });
});

describe('requests.cancel', () => {
  it('ends a request for the reason its owner gives', async () => {
    const client = await pairClient(companion);
    const { requestId } = await startProgress(client);
    const ended = await client.call('requests.cancel', { requestId, reason: 'superseded' });
    expect(ended).toMatchObject({ status: 'cancelled', reason: 'superseded' });
    expect(await client.call('requests.cancel', { requestId })).toEqual(ended);
  });
});

describe('requests.wait', () => {
  it('tells at once what is newer, and says unchanged when the time is up, without ending or making anything', async () => {
    const client = await pairClient(companion);
    const started = await startProgress(client);
    const { requestId, revision } = started;
    const newer = await client.call('requests.wait', { requestId, afterRevision: revision - 1, waitMs: 30_000 });
    expect(newer).toEqual({ ...started, unchanged: false });
    const same = await client.call('requests.wait', { requestId, afterRevision: revision, waitMs: 50 });
    expect(same).toEqual({ ...started, unchanged: true });
    expect(await client.get(requestId)).toEqual(started);
    const ended = await client.call('requests.cancel', { requestId });
    const after = await client.call('requests.wait', { requestId, afterRevision: ended.revision, waitMs: 30_000 });
    expect(after).toEqual({ ...ended, unchanged: true });
  });
});
