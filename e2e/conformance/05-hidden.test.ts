/** Spec §7, hidden and the other ways to be left alone: open requests end with the reason, new ones are refused, and only the user brings the figure back. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { type LaunchedCompanion, launchCompanion } from '../harness.ts';
import {
  type Client,
  callRpc,
  described,
  describeRuntime,
  enableAccess,
  pairClient,
  refusalOf,
  requestPairing,
  takeKey,
  uniqueName,
} from './support.ts';
import {
  action,
  click,
  clickCard,
  closeMenu,
  closePage,
  gone,
  onCard,
  openMenu,
  openPage,
  option,
  pressMenu,
} from './support-page.ts';

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
});
afterAll(() => companion.stop());
beforeEach(() => bringBack(companion));

/** Undoes whatever an earlier test has left switched. */
async function bringBack(of: LaunchedCompanion): Promise<void> {
  const { page } = of;
  if ((await page.$(action('show'))) !== null) {
    await click(page, action('show'));
    await gone(page, action('show'));
  }
  await closePage(page);
  await openMenu(page);
  const standing = async (name: string) => (await page.$(`[data-role="menu"] ${action(name)}`)) !== null;
  if (await standing('resume-access')) await click(page, `[data-role="menu"] ${action('resume-access')}`);
  if ((await page.$('[data-mark="dnd"]')) !== null) await click(page, `[data-role="menu"] ${action('dnd')}`);
  await closeMenu(page);
  if ((await describeRuntime(of)).access === 'off') await click(page, action('enable-access'));
  await described(of, 'all is back', ({ accepting }) => accepting.ok);
  await gone(page, '[data-mark="dnd"]');
}

const CHOICE = {
  title: 'Go on?',
  options: [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ],
};

/** One request of each kind, all on screen but the second question. */
async function openAllKinds(client: Client): Promise<readonly Snapshot[]> {
  const all = [
    await client.create('notice.show', { text: 'Notice', durationMs: 60_000 }, { idempotencyKey: 'notice' }),
    await client.create('progress.show', { title: 'Progress', percent: 1 }),
    await client.create('interaction.choose', CHOICE),
    await client.create('interaction.choose', { ...CHOICE, title: 'Later' }),
    await client.create('animation.work', { loops: 20 }),
  ];
  for (const index of [0, 1, 2, 4]) await client.shown(all[index]!.requestId);
  return all;
}

async function pausedOrHidden(how: 'hide' | 'pause-access'): Promise<void> {
  await pressMenu(companion.page, how);
  await described(companion, how, ({ accepting }) => !accepting.ok);
}

const hideThe = async (of: LaunchedCompanion): Promise<void> => {
  await openMenu(of.page);
  await click(of.page, `[data-role="menu"] ${action('hide')}`);
  await of.page.waitForSelector(action('show'));
};

const switchAccessOff = async (): Promise<void> => {
  await openPage(companion.page, 'access');
  await click(companion.page, action('disable-access'));
  await described(companion, 'access is off', ({ access }) => access === 'off');
  await closePage(companion.page);
};

describe.each([
  ['hidden', 'hidden', () => hideThe(companion)],
  ['paused', 'paused', () => pausedOrHidden('pause-access')],
  ['with access off', 'access_off', switchAccessOff],
] as const)('%s', (_what, reason, switchOff) => {
  it('ends every accepted request at once as cancelled, with the reason and without an answer', async () => {
    const client = await pairClient(companion);
    const open = await openAllKinds(client);
    const before = await client.get(open[2]!.requestId);
    const waiting = client.call<Snapshot & { unchanged: boolean }>('requests.wait', {
      requestId: before.requestId,
      afterRevision: before.revision,
      waitMs: 30_000,
    });
    await switchOff();
    expect(await waiting).toMatchObject({ status: 'cancelled', reason, result: null, unchanged: false });
    for (const { requestId } of open) {
      expect(await client.get(requestId)).toMatchObject({ status: 'cancelled', reason, result: null });
    }
    expect(await companion.page.$('[data-request-id]')).toBeNull();
  });

  it('refuses new ones with the reason, still answers questions about old ones, and gives retries their request', async () => {
    const client = await pairClient(companion);
    const [notice] = await openAllKinds(client);
    await switchOff();
    for (const [capability, params] of [
      ['notice.show', { text: 'New' }],
      ['progress.show', { title: 'New', percent: 0 }],
      ['interaction.choose', CHOICE],
      ['animation.greet', {}],
    ] as const) {
      const refusal = await refusalOf(client.create(capability, params));
      expect(refusal).toMatchObject({ code: 'RUNTIME_UNAVAILABLE', retryable: true, details: { reason } });
    }
    const { requestId } = notice!;
    expect((await client.get(requestId)).reason).toBe(reason);
    expect((await client.call('requests.cancel', { requestId })).reason).toBe(reason);
    expect((await client.call('requests.wait', { requestId, afterRevision: 0, waitMs: 0 })).reason).toBe(reason);
    const params = { text: 'Notice', durationMs: 60_000 };
    const retried = await client.create('notice.show', params, { idempotencyKey: 'notice' });
    expect([retried.requestId, retried.status]).toEqual([requestId, 'cancelled']);
    const { accepting } = await describeRuntime(companion);
    expect(accepting).toEqual({ ok: false, reason });
  });

  it('is over only when the user says so, and nothing that was cancelled comes back', async () => {
    const client = await pairClient(companion);
    const open = await openAllKinds(client);
    await switchOff();
    const ended = await client.get(open[2]!.requestId);
    await client.create('interaction.choose', CHOICE).catch(() => undefined);
    await client.call('capabilities.list');
    expect((await describeRuntime(companion)).accepting.reason).toBe(reason);
    await bringBack(companion);
    expect(await client.get(open[2]!.requestId)).toEqual(ended);
    const { requestId } = await client.create('interaction.choose', CHOICE);
    await clickCard(companion.page, requestId, option('yes'));
    expect((await client.ended(requestId)).status).toBe('completed');
    expect(await companion.page.$(`[data-request-id="${open[3]!.requestId}"]`)).toBeNull();
  });
});

describe('hidden', () => {
  it('leaves nothing but the way back on the page, whatever programs try', async () => {
    const client = await pairClient(companion);
    const { page } = companion;
    await hideThe(companion);
    for (const capability of ['animation.greet', 'notice.show']) {
      const params = capability === 'notice.show' ? { text: 'Hey' } : {};
      await refusalOf(client.create(capability, params));
    }
    const refusal = await refusalOf(requestPairing(companion, { name: uniqueName('knock'), scopes: ['notify'] }));
    expect(refusal).toMatchObject({ code: 'RUNTIME_UNAVAILABLE', details: { reason: 'hidden' } });
    const interactive = await page.$$eval('button, input, canvas, section', (all) =>
      all.map((element) => element.getAttribute('data-action')),
    );
    expect(interactive).toEqual(['show']);
  });
});

describe('paused', () => {
  it('keeps the figure in sight and says so on it', async () => {
    await pausedOrHidden('pause-access');
    await companion.page.waitForSelector('[data-mark="paused"]');
    expect(await companion.page.$('canvas')).not.toBeNull();
  });
});

describe('access off', () => {
  it('refuses pairing and ends the one that is open as denied', async () => {
    const { page, socketPath } = companion;
    const open = await requestPairing(companion, { name: uniqueName('early'), scopes: ['notify'] });
    await page.waitForSelector(`[data-pairing-id="${open.pairingId}"]`);
    await switchAccessOff();
    await gone(page, `[data-pairing-id="${open.pairingId}"]`);
    await expect(takeKey(companion, open)).rejects.toMatchObject({ code: 'PAIRING_DENIED' });
    const attempt = callRpc(socketPath, null, 'pairing.request', { name: uniqueName('late'), scopes: ['notify'] });
    await expect(attempt).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE', details: { reason: 'access_off' } });
  });
});

describe('do not disturb', () => {
  it('ends notices at once as suppressed, keeps them for the user to read, and lets the rest through', async () => {
    const client = await pairClient(companion);
    const { page } = companion;
    await pressMenu(page, 'dnd');
    await page.waitForSelector('[data-mark="dnd"]');
    const notice = await client.create('notice.show', { text: 'You missed this one' });
    const missed = { status: 'cancelled', reason: 'suppressed', displayedAt: null };
    expect(await client.get(notice.requestId)).toMatchObject(missed);
    const question = await client.create('interaction.choose', CHOICE);
    const progress = await client.create('progress.show', { title: 'Going on', percent: 5 });
    await page.waitForSelector(onCard(question.requestId));
    await page.waitForSelector(onCard(progress.requestId));
    expect(await page.$(`[data-request-id="${notice.requestId}"]`)).toBeNull();
    expect((await describeRuntime(companion)).accepting.ok).toBe(true);
    await openPage(page, 'answers');
    const row = await page.waitForSelector(`[data-answer-id="${notice.requestId}"]`);
    expect(await row?.evaluate((element) => element.textContent)).toContain('You missed this one');
    await closePage(page);
  });

  it('switched on, ends notices that wait and leaves the one on screen its time', async () => {
    const client = await pairClient(companion);
    const { page } = companion;
    const all: Snapshot[] = [];
    for (const text of ['one', 'two', 'three', 'four'])
      all.push(await client.create('notice.show', { text, durationMs: 60_000 }));
    const shown = all.slice(0, 3);
    for (const { requestId } of shown) await client.shown(requestId);
    await pressMenu(page, 'dnd');
    expect(await client.ended(all[3]!.requestId)).toMatchObject({ reason: 'suppressed' });
    for (const { requestId } of shown) expect((await client.get(requestId)).status).toBe('running');
  });
});

it('hidden, paused and do not disturb last over a restart, and each goes only by the hand of the user', async () => {
  let own = await launchCompanion();
  try {
    await enableAccess(own);
    const pairing = await requestPairing(own, { name: 'survivor', scopes: ['notify', 'interact'] });
    await click(own.page, `[data-pairing-id="${pairing.pairingId}"] ${action('approve')}`);
    const client = await takeKey(own, pairing);
    await pressMenu(own.page, 'dnd');
    await own.page.waitForSelector('[data-mark="dnd"]');
    await pressMenu(own.page, 'pause-access');
    await hideThe(own);
    await own.stop({ keep: true });

    own = await launchCompanion({ home: own.home });
    await own.page.waitForSelector(action('show'));
    expect((await describeRuntime(own)).accepting).toEqual({ ok: false, reason: 'hidden' });
    await expect(client.create('notice.show', { text: 'Hey' })).rejects.toMatchObject({
      details: { reason: 'hidden' },
    });
    expect(await own.page.$('canvas')).toBeNull();
    await click(own.page, action('show'));
    await own.page.waitForSelector('[data-mark="paused"]');
    await own.page.waitForSelector('[data-mark="dnd"]');
    await expect(client.create('notice.show', { text: 'Hey' })).rejects.toMatchObject({
      details: { reason: 'paused' },
    });
    await pressMenu(own.page, 'resume-access');
    await described(own, 'it accepts again', ({ accepting }) => accepting.ok);
    const { requestId } = await client.create('notice.show', { text: 'Hey' });
    expect((await client.ended(requestId)).reason).toBe('suppressed');
  } finally {
    await own.stop();
  }
});
