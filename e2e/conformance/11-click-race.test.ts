import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { type Caller, Refused } from '../faults/caller.ts';
import { ask, get, reach, reachEnd, waitForEnd } from '../faults/questions.ts';
import { cardOf, enableAccess, optionOf, pair, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

// Spec §3 and §7: of answer, cancel, dismissal and time-out exactly one wins. R4: a press within `armMs` of painting means nothing.
const ARM_MS = 400;

let companion: LaunchedCompanion;
let page: Page;
beforeAll(async () => {
  companion = await launchCompanion({ config: { armMs: ARM_MS } });
  page = companion.page;
  await enableAccess(page);
});
afterAll(() => companion.stop());

const newClient = (name: string): Promise<Caller> => pair(page, companion.socketPath, name);

/** Clicks in the page itself, without the way through the mouse, as assistive technology does. */
const clickNow = (selector: string): Promise<unknown> =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.click()`);

/** Looks until `ms` have gone by in the page. */
async function pageTimePasses(ms: number): Promise<void> {
  const start = Number(await page.evaluate('performance.now()'));
  await until(`${ms} ms in the page`, async () => Number(await page.evaluate('performance.now()')) - start > ms);
}

describe('a race for the end of a question', () => {
  it.each([
    ['answer first', ['answer', 'cancel', 'dismiss']],
    ['cancel first', ['cancel', 'dismiss', 'answer']],
    ['dismissal first', ['dismiss', 'answer', 'cancel']],
  ] as const)('has one winner on the edge of its deadline: %s', async (name, order) => {
    const clients = await Promise.all([0, 1, 2].map((index) => newClient(`racer ${name} ${index}`)));
    const races = await Promise.all(
      clients.map(async (client, index) => {
        const { requestId, deadlineAt } = await ask(client, `Race ${index}`, { timeoutMs: 1_000 + 150 * index });
        return { client, requestId, deadlineAt, waiting: waitForEnd(client, requestId) };
      }),
    );
    for (const { client, requestId, deadlineAt, waiting } of races) {
      await reach(client, requestId, 'awaiting_user', 'expired');
      const moves = {
        answer: () => clickNow(optionOf(requestId, 'yes')),
        dismiss: () => clickNow(`${cardOf(requestId)} [data-action="dismiss"]`),
        cancel: () => client.call<Snapshot>('requests.cancel', { requestId }),
      };
      await until('the deadline is near', () => Date.now() >= Date.parse(deadlineAt) - 8);
      const moved = await Promise.all(order.map((move) => moves[move]()));
      const cancelled = moved[order.indexOf('cancel')] as Snapshot;
      const heard = await waiting;
      const reads = await Promise.all([0, 1, 2].map(() => get(client, requestId)));

      expect(heard.endedAt).not.toBeNull();
      // The waiter, the one who cancelled and everybody who asks later read the same bytes.
      expect(new Set([heard, cancelled, ...reads].map((snapshot) => JSON.stringify(snapshot))).size).toBe(1);
      expect(heard.result).toEqual(heard.reason === 'user_answered' ? { selectedId: 'yes' } : null);
      expect([heard.status, heard.reason]).toBeOneOf([
        ['completed', 'user_answered'],
        ['cancelled', 'user_dismissed'],
        ['cancelled', 'client_cancelled'],
        ['expired', 'deadline'],
      ]);
      // Created, shown, awaiting, ended: one end is one revision.
      expect(heard.revision).toBeLessThanOrEqual(4);
      await until('its card is gone', async () => (await page.$(cardOf(requestId))) === null);
    }
  });

  it('is settled between two cancels and an answer before the deadline too', async () => {
    const client = await newClient('before the deadline');
    const winners = new Set<string>();
    for (const lead of ['answer', 'cancel', 'answer', 'cancel']) {
      const { requestId } = await ask(client, 'Who is first?');
      await reach(client, requestId, 'awaiting_user');
      await pageTimePasses(ARM_MS + 50);
      const answer = (): Promise<unknown> => clickNow(optionOf(requestId, 'no'));
      const cancel = (): Promise<Snapshot> => client.call('requests.cancel', { requestId });
      const ends = lead === 'answer' ? [answer(), cancel(), cancel()] : [cancel(), answer(), cancel()];
      const snapshots = (await Promise.all(ends)).filter((end) => end !== undefined && end !== null);
      const end = await get(client, requestId);
      expect(snapshots.every((snapshot) => JSON.stringify(snapshot) === JSON.stringify(end))).toBe(true);
      expect(end.revision).toBe(4);
      expect(await get(client, requestId)).toEqual(end);
      winners.add(end.reason ?? '');
    }
    expect([...winners].every((reason) => ['user_answered', 'client_cancelled'].includes(reason))).toBe(true);
  });

  it('is over for good: no later answer, cancel or update changes an end', async () => {
    const client = await newClient('over for good');
    const { requestId } = await ask(client, 'Done?');
    await reach(client, requestId, 'awaiting_user');
    await until('an answer counts', async () => {
      await clickNow(optionOf(requestId, 'yes'));
      return (await get(client, requestId)).status === 'completed';
    });
    const end = JSON.stringify(await get(client, requestId));
    expect(JSON.stringify(await client.call('requests.cancel', { requestId }))).toBe(end);
    const late = client.call('requests.update', { requestId, expectedRevision: 4, params: { title: 'Other?' } });
    await expect(late).rejects.toThrow(Refused);
    expect(JSON.stringify(await get(client, requestId))).toBe(end);
  });
});

/** In the page: hammers on the option of the next card from its first frame on; when a press counted, tells how long the card stood then. */
const hammer = (strike: string): string => `new Promise((resolve) => {
  const strike = (button) => { ${strike} };
  const found = (card) => {
    const start = performance.now();
    let strikes = 0;
    const beat = () => {
      const button = card.querySelector('[data-option-id="yes"]');
      strike(button);
      strikes += 1;
      if (button.disabled || !button.isConnected) resolve({ afterMs: performance.now() - start, strikes });
      else requestAnimationFrame(beat);
    };
    beat();
  };
  const observer = new MutationObserver(() => {
    const card = document.querySelector('[data-view="choice"]');
    if (card === null) return;
    observer.disconnect();
    found(card);
  });
  observer.observe(document.body, { subtree: true, childList: true });
  globalThis.hammerReady = true;
})`;

describe('arming', () => {
  it.each([
    [
      'the mouse',
      `button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
       button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));`,
    ],
    ['assistive technology', 'button.click();'],
    [
      'a digit key',
      `button.focus(); button.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true, cancelable: true }));`,
    ],
  ])('lets no press of %s count in the first moments of a card', async (means, strike) => {
    const client = await newClient(`early by ${means}`);
    await page.evaluate('globalThis.hammerReady = false');
    const hammering = page.evaluate(hammer(strike)) as Promise<{ afterMs: number; strikes: number }>;
    await until('the hammer is up', async () => page.evaluate('globalThis.hammerReady'));
    const { requestId } = await ask(client, 'Too early?');
    const { afterMs, strikes } = await hammering;
    // The card was in the page before it was painted, so what counts came later still after the painting.
    expect(afterMs).toBeGreaterThanOrEqual(ARM_MS);
    expect(strikes).toBeGreaterThan(1);
    const end = await reachEnd(client, requestId);
    expect([end.reason, end.result]).toEqual(['user_answered', { selectedId: 'yes' }]);
  });

  it('gives a press no say in a card that came after the press began', async () => {
    const client = await newClient('under the finger');
    const first = await ask(client, 'The first one?');
    const second = await ask(client, 'Another one?');
    await reach(client, first.requestId, 'awaiting_user');
    expect((await get(client, second.requestId)).status).toBe('queued');
    const box = await (await page.waitForSelector(optionOf(first.requestId, 'yes')))!.boundingBox();
    await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2);
    await page.mouse.down();
    await client.call('requests.cancel', { requestId: first.requestId });
    const shown = await reach(client, second.requestId, 'awaiting_user');
    await pageTimePasses(ARM_MS + 50);
    await page.mouse.up();
    // The release itself, and what a script would make of it.
    await page.evaluate(`(() => {
      const button = document.querySelector(${JSON.stringify(optionOf(second.requestId, 'yes'))});
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
    })()`);
    await pageTimePasses(50);
    expect(await get(client, second.requestId)).toEqual(shown);
    await press(page, optionOf(second.requestId, 'no'));
    expect((await reachEnd(client, second.requestId)).result).toEqual({ selectedId: 'no' });
  });
});
