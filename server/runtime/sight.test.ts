import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOST } from '../protocol/actor.ts';
import type { PairingCard } from '../protocol/link.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import { StoreError } from '../protocol/store.ts';
import { bootRuntime, type TestRuntime } from './runtime.fixture.ts';

const notice = { capability: 'notice.show', params: { text: 'Hi' } };
const progress = { capability: 'progress.show', params: { title: 'Copy', percent: 1 } };

let test: TestRuntime;
beforeEach(async () => {
  test = bootRuntime();
  await test.ready();
});
afterEach(() => test.runtime.close());

const create = (params: object) => test.call<Snapshot>(HOST, 'requests.create', params);
const shown = () => test.lastScene().cards.map(({ requestId }) => requestId);

describe('what the window sees', () => {
  it('reaches the page, which draws nothing, and everything again afterwards', async () => {
    const { requestId } = await create(progress);
    await vi.waitFor(() => expect(shown()).toEqual([requestId]));
    test.runtime.setSight('none');
    await vi.waitFor(() => expect(test.lastScene()).toMatchObject({ sight: 'none', cards: [], greetClip: null }));
    expect(test.lastScene().mood.name).toBe('idle');
    const later = await create(notice);
    expect(later.status).toBe('queued');
    expect(await test.call(HOST, 'runtime.describe')).toMatchObject({ accepting: { ok: true, reason: null } });
    test.runtime.setSight('notices');
    await vi.waitFor(() => expect(shown()).toEqual([later.requestId]));
    test.runtime.setSight('clear');
    await vi.waitFor(() => expect(new Set(shown())).toEqual(new Set([requestId, later.requestId])));
    expect(test.lastScene()).toMatchObject({ sight: 'clear', mood: { name: 'work' } });
  });

  it('takes the page through each sight, however fast they follow', async () => {
    const { requestId } = await create(progress);
    await vi.waitFor(() => expect(shown()).toEqual([requestId]));
    const before = test.scenes().length;
    test.runtime.setSight('none');
    await test.call(HOST, 'requests.cancel', { requestId: (await create(notice)).requestId });
    test.runtime.setSight('clear');
    await vi.waitFor(() => expect(test.lastScene().sight).toBe('clear'));
    const since = test.scenes().slice(before);
    expect(since[0]).toMatchObject({ sight: 'none', cards: [] });
    expect(since.at(-1)?.cards).toHaveLength(1);
  });

  it('keeps a pairing card back until all is clear', async () => {
    test.runtime.setSight('notices');
    await test.call({ kind: 'anonymous' }, 'pairing.request', { name: 'tool', scopes: ['notify'] });
    await vi.waitFor(() => expect(test.lastScene()).toMatchObject({ sight: 'notices', pairing: null }));
    test.runtime.setSight('clear');
    await vi.waitFor(() =>
      expect(test.lastScene().pairing).toMatchObject({ name: 'tool' } satisfies Partial<PairingCard>),
    );
  });

  it('outlasts a store that had to be opened again', async () => {
    test.runtime.setSight('none');
    await vi.waitFor(() => expect(test.lastScene().sight).toBe('none'));
    test.store.failNext = new StoreError('broken', null);
    await expect(create(notice)).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    await create(notice);
    expect(test.lastScene()).toMatchObject({ sight: 'none', cards: [] });
  });

  it('is told again when its batch could not be stored', async () => {
    test.store.failNext = new StoreError('broken', null);
    const lost = create(notice);
    test.runtime.setSight('none');
    await expect(lost).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    await vi.waitFor(() => expect(test.lastScene().sight).toBe('none'));
  });
});

describe('the settings', () => {
  it('are told after the commit that changed them, and only then', async () => {
    const told: [boolean, boolean][] = [];
    test.runtime.onSettings(({ sounds }) => told.push([sounds, test.store.current.sounds]));
    test.page({ type: 'settings', patch: { sounds: true } });
    await vi.waitFor(() => expect(told).toEqual([[true, true]]));
    expect(test.runtime.settings().sounds).toBe(true);
    const commits = test.store.commits.length;
    test.page({ type: 'settings', patch: { sounds: true } });
    await test.settled();
    expect([told.length, test.store.commits.length]).toEqual([1, commits]);
  });

  it('are told when a store that was opened again has others, and not when it has the same', async () => {
    const told: boolean[] = [];
    test.runtime.onSettings(({ access }) => told.push(access));
    const fail = async () => {
      test.store.failNext = new StoreError('broken', null);
      await expect(create(notice)).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    };
    await fail();
    expect(told).toEqual([]);
    test.store.current = { ...test.store.current, access: false };
    await fail();
    expect(told).toEqual([false]);
  });

  it('the hotkey hides what is shown and shows what is hidden', async () => {
    const { requestId } = await create(progress);
    test.runtime.toggleHidden();
    await vi.waitFor(() => expect(test.store.current.hidden).toBe(true));
    expect(test.store.requests.get(requestId)).toMatchObject({ status: 'cancelled', reason: 'hidden' });
    test.runtime.toggleHidden();
    await vi.waitFor(() => expect(test.store.current.hidden).toBe(false));
  });
});
