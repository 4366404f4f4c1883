import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { type Caller, createCaller, openRaw, wireBytes } from '../faults/caller.ts';
import { ask, get, question, reach, reachEnd } from '../faults/questions.ts';
import { cardOf, enableAccess, optionOf, pair, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

// Spec §3, §4 and §7: a connection is only a way to talk. Cutting it ends no request, and asking again asks nobody twice.
let companion: LaunchedCompanion;
let page: Page;
beforeAll(async () => {
  companion = await launchCompanion();
  page = companion.page;
  await enableAccess(page);
});
afterAll(() => companion.stop());

const newClient = (name: string): Promise<Caller> => pair(page, companion.socketPath, name);

/** Requests on screen now. */
const cards = (): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('[data-request-id]')].map((card) => card.dataset.requestId)`) as Promise<
    string[]
  >;

describe('a caller that dies', () => {
  it('leaves its question standing, and whoever comes back with its key gets the answer', async () => {
    const client = await newClient('dies waiting');
    const { requestId } = await ask(client, 'Still there?');
    const { revision } = await reach(client, requestId, 'awaiting_user');
    const waiting = await openRaw(companion.socketPath);
    waiting.socket.write(
      wireBytes(client.key, 'requests.wait', { requestId, afterRevision: revision, waitMs: 60_000 }),
    );
    client.close();
    waiting.socket.destroy();
    await waiting.closed;
    expect(waiting.text()).toBe('');

    const again = createCaller(companion.socketPath, client.key);
    expect(await get(again, requestId)).toMatchObject({ status: 'awaiting_user', revision });
    await press(page, optionOf(requestId, 'yes'));
    const end = await reachEnd(again, requestId);
    expect([end.reason, end.result]).toEqual(['user_answered', { selectedId: 'yes' }]);
    expect(await again.call('requests.wait', { requestId, afterRevision: 0, waitMs: 0 })).toMatchObject(end);
    again.close();
  });

  it('takes its other waits with it and no one else’s', async () => {
    const client = await newClient('one of two waiters');
    const { requestId } = await ask(client, 'Both of you?');
    const { revision } = await reach(client, requestId, 'awaiting_user');
    const bytes = wireBytes(client.key, 'requests.wait', { requestId, afterRevision: revision, waitMs: 60_000 });
    const [first, second] = [await openRaw(companion.socketPath), await openRaw(companion.socketPath)];
    first.socket.write(bytes);
    second.socket.write(bytes);
    first.socket.destroy();
    await press(page, optionOf(requestId, 'no'));
    await until('the other one hears', () => second.text().includes('"selectedId":"no"'));
    second.socket.destroy();
  });
});

describe('a create whose answer was lost', () => {
  const rounds = [
    ['before its last byte', (bytes: string) => bytes.slice(0, -1)],
    ['in the middle of its body', (bytes: string) => bytes.slice(0, -120)],
    ['in its headers', (bytes: string) => bytes.slice(0, 60)],
    ['right after it was sent', (bytes: string) => bytes],
  ] as const;

  it.each(rounds)('asks once when it is sent again under its key; cut %s', async (when, cut) => {
    const client = await newClient(`cut ${when}`);
    for (const round of [1, 2, 3]) {
      const params = question(`Cut ${when}?`, { idempotencyKey: `round ${round}` });
      const { socket, closed } = await openRaw(companion.socketPath);
      await new Promise<void>((resolve) =>
        socket.write(cut(wireBytes(client.key, 'requests.create', params)), () => resolve()),
      );
      socket.destroy();
      await closed;
      const retried = await Promise.all([1, 2, 3].map(() => client.call('requests.create', params)));
      const [{ requestId }] = retried as [Snapshot, ...Snapshot[]];
      expect(retried.map((snapshot) => snapshot.requestId)).toEqual([requestId, requestId, requestId]);
      await reach(client, requestId, 'awaiting_user');
      expect(await cards()).toEqual([requestId]);
      // A second question of one client would wait behind the first.
      expect(await page.$('[data-role="waiting"]')).toBeNull();
      await client.call('requests.cancel', { requestId });
      await until('its card is gone', async () => (await page.$(cardOf(requestId))) === null);
    }
  });

  it('gets the present state of the request, the end included', async () => {
    const client = await newClient('late retry');
    const params = question('Answered meanwhile?', { idempotencyKey: 'late' });
    const { requestId } = await client.call('requests.create', params);
    await press(page, optionOf(requestId, 'yes'));
    const end = await reachEnd(client, requestId);
    expect(await client.call('requests.create', params)).toEqual(end);
    expect(await client.refusal('requests.create', question('Something else?', { idempotencyKey: 'late' }))).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
  });
});

describe('half a connection', () => {
  it('holds no place: callers who close their sending side are let go or answered', async () => {
    const client = await newClient('half open');
    const { requestId } = await ask(client, 'Half?');
    const { revision } = await reach(client, requestId, 'awaiting_user');
    const bytes = wireBytes(client.key, 'requests.wait', { requestId, afterRevision: revision, waitMs: 60_000 });
    // More than the host admits at once.
    for (let group = 0; group < 5; group += 1) {
      const halves = await Promise.all(Array.from({ length: 60 }, () => openRaw(companion.socketPath)));
      for (const { socket } of halves) socket.end(bytes);
      await Promise.all(halves.map(({ closed }) => closed));
    }
    expect(await get(client, requestId)).toMatchObject({ status: 'awaiting_user', revision });
    await client.call('requests.cancel', { requestId });
  });
});
