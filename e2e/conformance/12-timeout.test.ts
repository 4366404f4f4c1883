import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { type Caller, Refused } from '../faults/caller.ts';
import { ask, get, reach, reachEnd } from '../faults/questions.ts';
import { cardOf, enableAccess, optionOf, pair, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

// Spec §3 and §7: the deadline runs from acceptance and nothing moves it; display time runs while something is really on display.
const TIMEOUT_MS = 1_000;
/** A machine under load may look at its timers late; early it may never be. */
const LATE_MS = 10_000;

let companion: LaunchedCompanion;
let page: Page;
beforeAll(async () => {
  companion = await launchCompanion();
  page = companion.page;
  await enableAccess(page);
});
afterAll(() => companion.stop());

const newClient = (name: string): Promise<Caller> => pair(page, companion.socketPath, name);

const at = (instant: string | null): number => Date.parse(instant ?? '');

/** Ended at its deadline, not before, and with nothing in its hands. */
function expectExpired(snapshot: Snapshot): void {
  expect([snapshot.status, snapshot.reason, snapshot.result]).toEqual(['expired', 'deadline', null]);
  expect(at(snapshot.deadlineAt) - at(snapshot.createdAt)).toBe(TIMEOUT_MS);
  // Wall instants are whole milliseconds; the clock underneath is finer.
  expect(at(snapshot.endedAt)).toBeGreaterThanOrEqual(at(snapshot.deadlineAt) - 2);
  expect(at(snapshot.endedAt)).toBeLessThan(at(snapshot.deadlineAt) + LATE_MS);
}

describe('the deadline', () => {
  it('runs from acceptance, the time in the queue included', async () => {
    const client = await newClient('in the queue');
    const shown = await ask(client, 'On screen?');
    const queued = await ask(client, 'Behind it?', { timeoutMs: TIMEOUT_MS });
    const end = await reachEnd(client, queued.requestId);
    expectExpired(end);
    expect([end.displayedAt, end.revision]).toEqual([null, 2]);
    expect((await reach(client, shown.requestId, 'awaiting_user')).deadlineAt).toBe(shown.deadlineAt);
    await client.call('requests.cancel', { requestId: shown.requestId });
  });

  it('ends a question that nobody answers, takes its card away and lets no default win', async () => {
    const client = await newClient('no answer');
    const { requestId } = await client.call('requests.create', {
      capability: 'interaction.choose',
      params: {
        title: 'Anybody?',
        options: [
          { id: 'yes', label: 'Yes' },
          { id: 'no', label: 'No' },
        ],
        suggestedId: 'yes',
      },
      timeoutMs: TIMEOUT_MS,
    });
    expectExpired(await reachEnd(client, requestId));
    await until('its card is gone', async () => (await page.$(cardOf(requestId))) === null);
  });

  it('is not moved by updates', async () => {
    const client = await newClient('busy');
    const created = await client.call('requests.create', {
      capability: 'progress.show',
      params: { title: 'Copying', percent: 0 },
      timeoutMs: TIMEOUT_MS,
    });
    const { requestId, deadlineAt } = created;
    let { revision } = created;
    let updates = 0;
    let refusal = '';
    while (refusal === '') {
      try {
        const params = { percent: updates % 100 };
        const updated = await client.call('requests.update', { requestId, expectedRevision: revision, params });
        expect(updated.deadlineAt).toBe(deadlineAt);
        revision = updated.revision;
        updates += 1;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.code === 'REVISION_CONFLICT' && error.details.status !== 'expired')
          revision = Number(error.details.actual);
        else if (error.code === 'REVISION_CONFLICT') refusal = error.code;
        else expect(error.code).toBe('RATE_LIMITED');
      }
    }
    expect(updates).toBeGreaterThan(1);
    expectExpired(await get(client, requestId));
  });

  it('goes on while the pointer holds a notice', async () => {
    const client = await newClient('held');
    await holdNext('notice');
    const params = { text: 'Held to the end', durationMs: 60_000 };
    const { requestId } = await client.call('requests.create', {
      capability: 'notice.show',
      params,
      timeoutMs: TIMEOUT_MS,
    });
    expectExpired(await reachEnd(client, requestId));
    await release();
  });

  it('is told to a waiter at once, and waiting changes nothing', async () => {
    const client = await newClient('waiter');
    const { requestId } = await ask(client, 'Patience?');
    const shown = await reach(client, requestId, 'awaiting_user');
    for (let time = 0; time < 3; time += 1) {
      const { unchanged, ...snapshot } = await client.call<Snapshot & { unchanged: boolean }>('requests.wait', {
        requestId,
        afterRevision: shown.revision,
        waitMs: 40,
      });
      expect(unchanged).toBe(true);
      expect(snapshot).toEqual(shown);
    }
    expect(await get(client, requestId)).toEqual(shown);
    await press(page, optionOf(requestId, 'yes'));
    expect((await reachEnd(client, requestId)).reason).toBe('user_answered');

    const short = await ask(client, 'And now?', { timeoutMs: TIMEOUT_MS });
    const { revision } = await reach(client, short.requestId, 'awaiting_user', 'expired');
    const waited = await client.call<Snapshot & { unchanged: boolean }>('requests.wait', {
      requestId: short.requestId,
      afterRevision: revision,
      waitMs: 60_000,
    });
    expectExpired(waited);
  });
});

/** In the page: the next card of this view is under the pointer from the moment it appears. */
async function holdNext(view: string): Promise<void> {
  await page.evaluate(`(() => {
    new MutationObserver((_changes, observer) => {
      const card = document.querySelector('[data-view="${view}"]');
      if (card === null) return;
      observer.disconnect();
      card.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }));
    }).observe(document.body, { subtree: true, childList: true });
  })()`);
}

/** The pointer leaves the page. */
const release = (): Promise<unknown> =>
  page.evaluate(`document.documentElement.dispatchEvent(new PointerEvent('pointerleave'))`);

const wallPasses = (instant: number): Promise<boolean> => until('time passes', () => Date.now() > instant);

describe('display time', () => {
  it('runs from the moment something is really shown', async () => {
    const askers = await Promise.all([1, 2, 3].map((index) => newClient(`slot ${index}`)));
    const questions = await Promise.all(askers.map((asker) => ask(asker, 'Taking the place?')));
    for (const [index, { requestId }] of questions.entries()) await reach(askers[index]!, requestId, 'awaiting_user');
    const client = await newClient('behind three');
    const params = { text: 'Shown later', durationMs: 1_000 };
    const notice = await client.call('requests.create', { capability: 'notice.show', params });
    await wallPasses(at(notice.createdAt) + 1_300);
    expect(await get(client, notice.requestId)).toMatchObject({ status: 'queued', displayedAt: null });

    await press(page, optionOf(questions[0]!.requestId, 'yes'));
    const end = await reachEnd(client, notice.requestId);
    expect([end.status, end.reason]).toEqual(['completed', 'displayed']);
    expect(at(end.displayedAt)).toBeGreaterThan(at(notice.createdAt) + 1_000);
    expect(at(end.endedAt) - at(end.displayedAt)).toBeGreaterThanOrEqual(998);
    for (const [index, { requestId }] of questions.entries())
      await askers[index]!.call('requests.cancel', { requestId });
  });

  it('stands still under the pointer and goes on afterwards', async () => {
    const client = await newClient('hovered');
    await holdNext('notice');
    const params = { text: 'Read me slowly', durationMs: 1_000 };
    const { requestId } = await client.call('requests.create', { capability: 'notice.show', params });
    const { displayedAt } = await reach(client, requestId, 'running');
    await wallPasses(at(displayedAt) + 1_500);
    expect((await get(client, requestId)).status).toBe('running');
    const releasedAt = Date.now();
    await release();
    const end = await reachEnd(client, requestId);
    expect([end.status, end.reason]).toEqual(['completed', 'displayed']);
    expect(at(end.endedAt)).toBeGreaterThanOrEqual(releasedAt);
    expect(at(end.endedAt) - at(displayedAt)).toBeGreaterThanOrEqual(1_500);
  });
});
