import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Actor, ANONYMOUS, HOST } from '../protocol/actor.ts';
import type { ClientId } from '../protocol/ids.ts';
import type { PageMessage } from '../protocol/link.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import type { Scope } from '../protocol/words.ts';
import { addClient, bootRuntime, type TestRuntime } from './runtime.fixture.ts';
import { MemoryStore } from './testing.ts';

let store: MemoryStore;
let test: TestRuntime;

/** A paired client and the header it presents. */
function pair(name: string, scopes: readonly Scope[]): { actor: () => Actor; clientId: ClientId } {
  const header = addClient(store, name, scopes);
  return { actor: () => test.runtime.door.authenticate(header), clientId: name as ClientId };
}

const page = (message: PageMessage) => test.page(message);
const scenes = () => test.scenes();
const call = <Result>(actor: Actor, method: string, params?: unknown) => test.call<Result>(actor, method, params);
const refused = (code: string, details?: unknown) => (details === undefined ? { code } : { code, details });

const question = {
  capability: 'interaction.choose',
  params: {
    title: 'Go?',
    options: [
      { id: 'y', label: 'Yes' },
      { id: 'n', label: 'No' },
    ],
  },
};

beforeEach(() => {
  store = new MemoryStore();
});
afterEach(() => test.runtime.close());

async function ready(): Promise<void> {
  test = bootRuntime(store);
  await test.ready();
}

describe('the order of checks', () => {
  it('is method, key, parameters, capability, scope, capability parameters', async () => {
    const weak = pair('weak', ['discover']);
    await ready();
    await expect(call(ANONYMOUS, 'nothing.such', [])).rejects.toMatchObject(refused('METHOD_NOT_FOUND'));
    await expect(call(ANONYMOUS, 'requests.create', [])).rejects.toMatchObject(refused('UNAUTHENTICATED'));
    await expect(call(weak.actor(), 'requests.create', [])).rejects.toMatchObject(refused('INVALID_PARAMS'));
    await expect(call(weak.actor(), 'requests.create', { capability: 'no.such', params: {} })).rejects.toMatchObject(
      refused('UNSUPPORTED_CAPABILITY'),
    );
    await expect(
      call(weak.actor(), 'requests.create', { capability: 'notice.show', params: {} }),
    ).rejects.toMatchObject(refused('FORBIDDEN', { requiredScopes: ['notify'] }));
    await expect(call(HOST, 'requests.create', { capability: 'notice.show', params: {} })).rejects.toMatchObject(
      refused('INVALID_PARAMS', { faults: [{ path: '/params/text', rule: 'required' }] }),
    );
  });

  it('never puts a value into the details', async () => {
    await ready();
    const params = { capability: 'notice.show', params: { text: 'a', tone: 'SECRET', SECRET: 1 } };
    const error = await call(HOST, 'requests.create', params).catch((reason: unknown) => reason);
    expect(JSON.stringify((error as { details: unknown }).details)).not.toContain('SECRET');
  });
});

describe('a question', () => {
  it('goes from create to answer, over the page, and only its owner reads it', async () => {
    const asker = pair('asker', ['interact']);
    const other = pair('other', ['interact', 'discover']);
    await ready();
    const created = await call<Snapshot>(asker.actor(), 'requests.create', question);
    expect(created).toMatchObject({
      status: 'queued',
      revision: 1,
      result: null,
      resolvedCharacter: 'test.dot',
      resolvedStyle: 'plain',
    });
    await vi.waitFor(() => expect(scenes().at(-1)?.cards).toHaveLength(1));
    const scene = scenes().at(-1)!;
    expect(scene.cards).toMatchObject([
      { requestId: created.requestId, client: 'asker', presentation: { view: 'choice' } },
    ]);
    expect(scene.mood.name).toBe('wait');
    const waiting = call<Snapshot & { unchanged: boolean }>(asker.actor(), 'requests.wait', {
      requestId: created.requestId,
      afterRevision: 1,
      waitMs: 60_000,
    });
    page({ type: 'painted', seq: scene.seq, requestIds: [created.requestId] });
    expect(await waiting).toMatchObject({ status: 'awaiting_user', revision: 3, unchanged: false });
    page({ type: 'answer', requestId: created.requestId, result: { selectedId: 'maybe' } });
    expect(test.sent.at(-1)).toMatchObject({ type: 'refused', requestId: created.requestId });
    page({ type: 'answer', requestId: created.requestId, result: { selectedId: 'y' } });
    await vi.waitFor(async () =>
      expect(await call(asker.actor(), 'requests.get', { requestId: created.requestId })).toMatchObject({
        status: 'completed',
        reason: 'user_answered',
        result: { selectedId: 'y' },
      }),
    );
    for (const method of ['requests.get', 'requests.cancel']) {
      const error = await call(other.actor(), method, { requestId: created.requestId }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject(refused('NOT_FOUND'));
      expect((error as { details: unknown }).details).toBeUndefined();
    }
  });

  it('whose answer cannot be stored stays open, and its card is told', async () => {
    const asker = pair('asker', ['interact']);
    await ready();
    const { requestId } = await call<Snapshot>(asker.actor(), 'requests.create', question);
    page({ type: 'painted', seq: 1, requestIds: [requestId] });
    await vi.waitFor(() => expect(store.requests.get(requestId)?.status).toBe('awaiting_user'));
    store.failNext = new Error('a bug');
    page({ type: 'answer', requestId, result: { selectedId: 'y' } });
    await vi.waitFor(() => expect(test.sent.at(-1)).toEqual({ type: 'notStored', requestId }));
    expect(await call(asker.actor(), 'requests.get', { requestId })).toMatchObject({
      status: 'awaiting_user',
      result: null,
    });
  });
});

describe('what a character cannot do', () => {
  it('is refused, or replaced by the declared substitute when the caller allows it', async () => {
    await ready();
    const celebrate = { capability: 'animation.celebrate', params: {} };
    await expect(call(HOST, 'requests.create', celebrate)).rejects.toMatchObject(refused('UNSUPPORTED_CAPABILITY'));
    expect(await call(HOST, 'requests.create', { ...celebrate, allowSubstitute: true })).toMatchObject({
      capability: 'animation.celebrate',
      resolvedCapability: 'animation.greet',
      substituteReason: 'Dot can only hop.',
    });
    await expect(call(HOST, 'requests.create', { ...celebrate, character: 'no.such' })).rejects.toMatchObject(
      refused('INVALID_PARAMS', { faults: [{ path: '/character', rule: 'known' }] }),
    );
    await expect(
      call(HOST, 'requests.create', { capability: 'animation.greet', params: {}, style: 'comic' }),
    ).rejects.toMatchObject(refused('UNSUPPORTED_STYLE'));
    expect(
      await call(HOST, 'requests.create', {
        capability: 'animation.greet',
        params: {},
        style: 'comic',
        allowSubstitute: true,
      }),
    ).toMatchObject({
      resolvedStyle: 'plain',
      substituteReason: 'style comic does not fit animation.greet',
    });
  });

  it('is not listed, and what its scopes do not allow neither', async () => {
    const client = pair('client', ['discover', 'animate']);
    await ready();
    const { capabilities } = await call<{ capabilities: { id: string; characters: unknown }[] }>(
      client.actor(),
      'capabilities.list',
    );
    expect(capabilities.map(({ id }) => id)).toEqual(['animation.greet', 'animation.celebrate', 'animation.work']);
    expect(capabilities[0]?.characters).toEqual(['test.dot']);
    expect(capabilities[1]?.characters).toEqual([]);
  });
});

describe('an animation', () => {
  it('reaches the page as a clip of the character it resolved to, and ends when the page says so', async () => {
    await ready();
    const { requestId } = await call<Snapshot>(HOST, 'requests.create', {
      capability: 'animation.greet',
      params: { loops: 2 },
    });
    await vi.waitFor(() =>
      expect(scenes().at(-1)?.clip).toEqual({
        requestId,
        folder: '/overlay/characters/test.dot/a/',
        clip: 'hop',
        loops: 2,
      }),
    );
    page({ type: 'clipEnded', requestId });
    await vi.waitFor(() =>
      expect(store.requests.get(requestId)).toMatchObject({ status: 'completed', reason: 'clip_ended' }),
    );
    await vi.waitFor(() => expect(scenes().at(-1)?.clip).toBeNull());
  });
});

describe('the idempotency key', () => {
  it('gets a retry the present snapshot of the original, whatever has changed since', async () => {
    const asker = pair('asker', ['interact']);
    await ready();
    const params = { ...question, idempotencyKey: 'k', style: 'plain' };
    const { requestId } = await call<Snapshot>(asker.actor(), 'requests.create', params);
    const reordered = {
      idempotencyKey: 'k',
      style: 'plain',
      params: { options: question.params.options, title: 'Go?' },
      capability: question.capability,
    };
    expect(await call(asker.actor(), 'requests.create', reordered)).toMatchObject({ requestId });
    page({ type: 'settings', patch: { hidden: true } });
    await vi.waitFor(() => expect(store.current.hidden).toBe(true));
    expect(await call(asker.actor(), 'requests.create', params)).toMatchObject({
      requestId,
      status: 'cancelled',
      reason: 'hidden',
    });
    await expect(call(asker.actor(), 'requests.create', { ...params, timeoutMs: 5_000 })).rejects.toMatchObject(
      refused('IDEMPOTENCY_CONFLICT', { requestId }),
    );
  });
});

describe('an update', () => {
  it('takes declared fields of the declared capability only', async () => {
    const client = pair('client', ['notify', 'interact']);
    await ready();
    const { requestId } = await call<Snapshot>(client.actor(), 'requests.create', {
      capability: 'progress.show',
      params: { title: 'Copy', percent: 0 },
    });
    const update = (params: unknown, expectedRevision = 1, id = requestId) =>
      call(client.actor(), 'requests.update', { requestId: id, expectedRevision, params });
    await expect(update({})).rejects.toMatchObject(refused('INVALID_PARAMS'));
    await expect(update({ title: 'Other' })).rejects.toMatchObject(refused('INVALID_PARAMS'));
    await expect(update({ done: true, failed: 'why' })).rejects.toMatchObject(refused('INVALID_PARAMS'));
    expect(await update({ percent: 40, paused: true })).toMatchObject({ revision: 2 });
    await vi.waitFor(() =>
      expect(scenes().at(-1)?.cards[0]?.presentation).toMatchObject({ percent: 40, paused: true }),
    );
    expect(await update({ percent: null, failed: 'No room' }, 2)).toMatchObject({
      status: 'failed',
      reason: 'owner_failed',
      failure: 'No room',
      revision: 3,
    });
    await expect(update({ percent: 1 }, 3)).rejects.toMatchObject(
      refused('REVISION_CONFLICT', { expected: 3, actual: 3, status: 'failed' }),
    );
    const asked = await call<Snapshot>(client.actor(), 'requests.create', question);
    await expect(update({ title: 'Another?' }, 1, asked.requestId)).rejects.toMatchObject(refused('INVALID_PARAMS'));
  });
});

describe('pairing', () => {
  const request = { name: 'tool', scopes: ['discover', 'notify'] };

  it('is refused while access is off', async () => {
    store.current = { ...store.current, access: false };
    await ready();
    await expect(call(ANONYMOUS, 'pairing.request', request)).rejects.toMatchObject(
      refused('RUNTIME_UNAVAILABLE', { reason: 'access_off' }),
    );
  });

  it('hands out a key once, after the user said yes, with the scopes that were left', async () => {
    await ready();
    const ticket = await call<{ pairingId: string; pairingSecret: string; code: string }>(
      ANONYMOUS,
      'pairing.request',
      request,
    );
    const { pairingId, pairingSecret } = ticket;
    await vi.waitFor(() => expect(scenes().at(-1)?.pairing).not.toBeNull());
    expect(scenes().at(-1)?.pairing).toMatchObject({ pairingId, name: 'tool', code: ticket.code });
    const waiting = call<{ key: string; clientId: string }>(ANONYMOUS, 'pairing.wait', {
      pairingId,
      pairingSecret,
      waitMs: 60_000,
    });
    page({ type: 'approve', pairingId, name: 'my tool', scopes: ['notify'] });
    const { key, clientId } = await waiting;
    expect(test.runtime.door.authenticate(`Bearer ${key}`)).toMatchObject({
      clientId,
      name: 'my tool',
      scopes: ['notify'],
    });
    expect(store.clientMap.size).toBe(1);
    await vi.waitFor(() => expect(scenes().at(-1)?.pairing).toBeNull());
    await expect(call(ANONYMOUS, 'pairing.wait', { pairingId, pairingSecret, waitMs: 0 })).rejects.toMatchObject(
      refused('NOT_FOUND'),
    );
    expect(test.lines.join('\n')).not.toContain(key);
  });

  it('denied is told to the one who waits', async () => {
    await ready();
    const { pairingId, pairingSecret } = await call<{ pairingId: string; pairingSecret: string }>(
      ANONYMOUS,
      'pairing.request',
      request,
    );
    const waiting = call(ANONYMOUS, 'pairing.wait', { pairingId, pairingSecret, waitMs: 60_000 });
    page({ type: 'deny', pairingId });
    await expect(waiting).rejects.toMatchObject(refused('PAIRING_DENIED'));
  });

  it('makes no key when the client cannot be stored, and can be waited for again', async () => {
    await ready();
    const { pairingId, pairingSecret } = await call<{ pairingId: string; pairingSecret: string }>(
      ANONYMOUS,
      'pairing.request',
      request,
    );
    page({ type: 'approve', pairingId, name: 'tool', scopes: ['notify'] });
    store.failNext = new Error('a bug');
    await expect(call(ANONYMOUS, 'pairing.wait', { pairingId, pairingSecret, waitMs: 0 })).rejects.toMatchObject(
      refused('INTERNAL_ERROR'),
    );
    expect(store.clientMap.size).toBe(0);
    expect(await call(ANONYMOUS, 'pairing.wait', { pairingId, pairingSecret, waitMs: 0 })).toMatchObject({
      status: 'approved',
    });
  });
});

describe('revocation', () => {
  it('by the client itself ends its requests, clears its results and makes its key unknown', async () => {
    const client = pair('client', ['interact']);
    await ready();
    const { requestId } = await call<Snapshot>(client.actor(), 'requests.create', question);
    const waiting = call(client.actor(), 'requests.wait', { requestId, afterRevision: 1, waitMs: 60_000 });
    const ended = expect(waiting).rejects.toMatchObject(refused('UNAUTHENTICATED'));
    expect(await call(client.actor(), 'auth.revokeSelf')).toEqual({ revoked: true });
    await ended;
    expect(() => client.actor()).toThrow();
    expect(store.requests.get(requestId)).toMatchObject({ status: 'cancelled', reason: 'key_revoked', params: null });
  });
});

describe('runtime.describe', () => {
  it('tells anybody what it is, and a caller what its key allows', async () => {
    const client = pair('client', ['notify']);
    await ready();
    expect(await call(ANONYMOUS, 'runtime.describe')).toMatchObject({
      access: 'on',
      accepting: { ok: true, reason: null },
      overlay: { state: 'up', backend: 'headless' },
      reducedMotion: { on: false, by: null },
      limits: { maxFrameBytes: 65_536 },
      authorization: null,
    });
    expect(await call(client.actor(), 'runtime.describe')).toMatchObject({
      authorization: { name: 'client', scopes: ['notify'] },
    });
    page({ type: 'settings', patch: { reduceMotion: true } });
    await vi.waitFor(async () =>
      expect(await call(ANONYMOUS, 'runtime.describe')).toMatchObject({ reducedMotion: { on: true, by: 'user' } }),
    );
  });

  it('says that the disk is full, until a request can be stored again', async () => {
    await ready();
    store.isFull = true;
    const notice = { capability: 'notice.show', params: { text: 'a' } };
    await expect(call(HOST, 'requests.create', notice)).rejects.toMatchObject(refused('RUNTIME_UNAVAILABLE'));
    expect(await call(ANONYMOUS, 'runtime.describe')).toMatchObject({ accepting: { ok: false, reason: 'storage' } });
    store.isFull = false;
    await call(HOST, 'requests.create', notice);
    expect(await call(ANONYMOUS, 'runtime.describe')).toMatchObject({ accepting: { ok: true, reason: null } });
  });

  it('says why nothing is accepted', async () => {
    test = bootRuntime(store);
    expect(await call(ANONYMOUS, 'runtime.describe')).toMatchObject({
      accepting: { ok: false, reason: 'overlay_down' },
      overlay: { state: 'starting' },
    });
  });
});

describe('the page', () => {
  it('is sent a scene only when something in it has changed', async () => {
    await ready();
    const before = scenes().length;
    await call(HOST, 'runtime.describe');
    page({ type: 'hold', requestId: null });
    page({ type: 'painted', seq: 1, requestIds: ['unknown'] });
    await call(HOST, 'requests.create', { capability: 'notice.show', params: { text: 'Hi' } });
    await vi.waitFor(() => expect(scenes().length).toBe(before + 1));
    expect(scenes().at(-1)?.seq).toBe(before + 1);
  });

  it('is sent one scene for a flood within a frame, and none for the report of a painting', async () => {
    await ready();
    const before = scenes().length;
    const notice = { capability: 'notice.show', params: { text: 'Hi' } };
    const shown = await Promise.all(Array.from({ length: 5 }, () => call<Snapshot>(HOST, 'requests.create', notice)));
    await vi.waitFor(() => expect(scenes().at(-1)?.waiting).toBe(2));
    expect(scenes().length - before).toBeLessThanOrEqual(2);
    const drawn = scenes().length;
    const { requestId } = shown[0]!;
    page({ type: 'painted', seq: drawn, requestIds: [requestId] });
    await vi.waitFor(() => expect(store.requests.get(requestId)?.status).toBe('running'));
    page({ type: 'leaf' });
    await vi.waitFor(() => expect(scenes().length).toBeGreaterThan(drawn));
    expect(scenes().length).toBe(drawn + 1);
  });

  it('that was replaced is no longer listened to', async () => {
    await ready();
    test.runtime.overlay.connect({ send: () => {} });
    page({ type: 'settings', patch: { hidden: true } });
    await call(HOST, 'runtime.describe');
    expect(store.current.hidden).toBe(false);
  });
});
