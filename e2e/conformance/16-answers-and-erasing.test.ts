/** Spec §4, what the user sees of what is kept, and erasing it: the owner is told that it is gone, others learn nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LaunchedCompanion, launchCompanion } from '../harness.ts';
import { type Client, enableAccess, pairClient, refusalOf } from './support.ts';
import { action, answerText, clickCard, closePage, confirm, gone, openPage, option } from './support-page.ts';

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
});
afterAll(() => companion.stop());

const CHOICE = {
  title: 'Deploy it?',
  details: 'three servers',
  options: [
    { id: 'yes', label: 'Ship it' },
    { id: 'no', label: 'Not now' },
  ],
  allowDecline: true,
};

/** A question that has been answered. */
async function answered(client: Client): Promise<string> {
  const { requestId } = await client.create('interaction.choose', CHOICE);
  await clickCard(companion.page, requestId, option('yes'));
  await client.ended(requestId);
  return requestId;
}

async function rowText(requestId: string): Promise<string> {
  const row = await companion.page.waitForSelector(`[data-answer-id="${requestId}"]`);
  return (await row?.evaluate((element) => element.textContent)) ?? '';
}

/** Erases what has ended of one program, on the Access page. */
async function eraseOf({ clientId }: Client): Promise<void> {
  const { page } = companion;
  await openPage(page, 'access');
  await confirm(page, `[data-client-id="${clientId}"] ${action('erase')}`);
  await page.waitForSelector(`[data-client-id="${clientId}"] ${action('erase')}[data-confirm="false"]`);
  await closePage(page);
}

describe('the Answers page', () => {
  it('tells who asked, what, what was chosen in the words that were shown, how it ended and when it goes', async () => {
    const client = await pairClient(companion, { name: 'deployer' });
    const chosen = await answered(client);
    const typed = await client.create('interaction.ask', { title: 'Which name?' });
    await answerText(companion.page, typed.requestId, 'Aurora');
    await client.ended(typed.requestId);
    const declined = await client.create('interaction.choose', CHOICE);
    await clickCard(companion.page, declined.requestId, action('decline'));
    expect(await client.ended(declined.requestId)).toMatchObject({ status: 'cancelled', reason: 'user_declined' });
    await openPage(companion.page, 'answers');
    const row = await rowText(chosen);
    for (const part of [client.name, 'Deploy it?', 'three servers', 'Ship it']) expect(row).toContain(part);
    expect(await rowText(typed.requestId)).toContain('Aurora');
    expect(await rowText(declined.requestId)).not.toContain('Ship it');
    const given = `[data-answer-id="${declined.requestId}"] [data-role="given"]`;
    expect(await companion.page.$(given)).toBeNull();
    await closePage(companion.page);
  });

  it('never shows a masked answer', async () => {
    const client = await pairClient(companion);
    const { requestId } = await client.create('interaction.ask', { title: 'Passphrase', masked: true });
    await answerText(companion.page, requestId, 'open sesame');
    expect((await client.ended(requestId)).result).toEqual({ text: 'open sesame' });
    await openPage(companion.page, 'answers');
    expect(await rowText(requestId)).not.toContain('sesame');
    await closePage(companion.page);
  });
});

describe('erasing what one program has', () => {
  it('takes the ended at once: RESULT_EXPIRED, erased, for the owner; NOT_FOUND for others; the open go on', async () => {
    const client = await pairClient(companion);
    const other = await pairClient(companion);
    const requestId = await answered(client);
    const kept = await answered(other);
    const open = await client.create('progress.show', { title: 'Going on', percent: 0 });
    await eraseOf(client);
    for (const [method, params] of [
      ['requests.get', { requestId }],
      ['requests.cancel', { requestId }],
      ['requests.wait', { requestId, afterRevision: 0, waitMs: 30_000 }],
      ['requests.update', { requestId, expectedRevision: 1, params: { percent: 1 } }],
    ] as const) {
      const own = await refusalOf(client.call(method, params));
      expect([own.code, own.rpcCode, own.retryable]).toEqual(['RESULT_EXPIRED', -32004, false]);
      expect(own.details).toEqual({ reason: 'erased' });
      const foreign = await refusalOf(other.call(method, params));
      expect([foreign.code, foreign.details]).toEqual(['NOT_FOUND', undefined]);
    }
    expect((await other.get(kept)).result).toEqual({ selectedId: 'yes' });
    expect((await client.get(open.requestId)).reason).toBeNull();
  });

  it('takes the idempotency keys with it, so that a retry is a new request and no false success', async () => {
    const client = await pairClient(companion);
    const first = await client.create('progress.show', { title: 'Once', percent: 0 }, { idempotencyKey: 'k' });
    await client.call('requests.cancel', { requestId: first.requestId });
    await eraseOf(client);
    const second = await client.create('progress.show', { title: 'Once', percent: 0 }, { idempotencyKey: 'k' });
    expect(second.requestId).not.toBe(first.requestId);
  });
});

it('erasing all empties the Answers page', async () => {
  const client = await pairClient(companion);
  const requestId = await answered(client);
  await openPage(companion.page, 'answers');
  await rowText(requestId);
  await confirm(companion.page, `[data-panel="answers"] ${action('erase')}`);
  await gone(companion.page, '[data-answer-id]');
  await closePage(companion.page);
  await expect(client.get(requestId)).rejects.toMatchObject({ code: 'RESULT_EXPIRED' });
});

it('the first press on erase only asks', async () => {
  const client = await pairClient(companion);
  const requestId = await answered(client);
  await openPage(companion.page, 'answers');
  await companion.page.click(`[data-panel="answers"] ${action('erase')}`);
  await companion.page.waitForSelector(`[data-panel="answers"] ${action('erase')}[data-confirm="true"]`);
  await closePage(companion.page);
  expect((await client.get(requestId)).status).toBe('completed');
});

it('erased words are in no file any more', async () => {
  const client = await pairClient(companion);
  const { requestId } = await client.create('interaction.ask', { title: 'erased-question', details: 'erased-details' });
  await answerText(companion.page, requestId, 'erased-answer');
  await client.ended(requestId);
  await eraseOf(client);
  await refusalOf(client.get(requestId));
  const state = join(companion.home, 'state/companion');
  for (const name of readdirSync(state).filter((each) => each.startsWith('companion.'))) {
    const bytes = readFileSync(join(state, name), 'latin1');
    for (const word of ['erased-question', 'erased-details', 'erased-answer']) {
      expect(bytes.includes(word), `${word} in ${name}`).toBe(false);
    }
  }
});

it('the Access page says what is kept, how long and where', async () => {
  const client = await pairClient(companion);
  await openPage(companion.page, 'access');
  await companion.page.waitForSelector(`[data-client-id="${client.clientId}"]`);
  const text = await companion.page.$eval('[data-panel="access"]', (panel) => panel.textContent ?? '');
  expect(text).toContain('24');
  expect(text).toContain(join(companion.home, 'state/companion'));
  await closePage(companion.page);
});
