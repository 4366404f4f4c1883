/** Spec §7, revocation: by the user or by the program, at once, with everything the program had. */
import { readdirSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LaunchedCompanion, launchCompanion } from '../harness.ts';
import {
  type Client,
  callRpc,
  enableAccess,
  pairClient,
  refusalOf,
  requestPairing,
  takeKey,
  uniqueName,
} from './support.ts';
import {
  action,
  answerText,
  click,
  clickCard,
  closePage,
  confirm,
  gone,
  onCard,
  openPage,
  option,
} from './support-page.ts';

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

/** The user sends the program away on the Access page. */
async function sendAway({ page }: LaunchedCompanion, { clientId }: Client): Promise<void> {
  const row = `[data-client-id="${clientId}"]`;
  await openPage(page, 'access');
  await confirm(page, `${row} ${action('revoke')}`);
  await gone(page, row);
  await closePage(page);
}
const revokeSelf = async (_of: LaunchedCompanion, client: Client): Promise<void> => {
  expect(await client.call('auth.revokeSelf')).toEqual({ revoked: true });
};

describe.each([
  ['the user', sendAway],
  ['the program itself', revokeSelf],
] as const)('by %s', (_who, revoke) => {
  it('ends open waits at once with UNAUTHENTICATED and takes the cards off the screen', async () => {
    const client = await pairClient(companion);
    const open = [
      await client.create('interaction.choose', CHOICE),
      await client.create('progress.show', { title: 'Work', percent: 0 }),
    ];
    const waits: Promise<unknown>[] = [];
    for (const { requestId } of open) {
      const { revision } = await client.shown(requestId);
      waits.push(refusalOf(client.call('requests.wait', { requestId, afterRevision: revision, waitMs: 55_000 })));
    }
    await revoke(companion, client);
    for (const refusal of await Promise.all(waits)) expect(refusal).toMatchObject({ code: 'UNAUTHENTICATED' });
    for (const { requestId } of open) await gone(companion.page, `[data-request-id="${requestId}"]`);
  });

  it('makes the key unknown for every method, on open connections too', async () => {
    const client = await pairClient(companion);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const call = (method: string, params?: object) => callRpc(companion.socketPath, client.key, method, params, agent);
    const { requestId } = await client.create('notice.show', { text: 'Here', durationMs: 60_000 });
    await call('requests.get', { requestId });
    await revoke(companion, client);
    for (const [method, params] of [
      ['requests.get', { requestId }],
      ['requests.cancel', { requestId }],
      ['requests.create', { capability: 'notice.show', params: { text: 'More' } }],
      ['runtime.describe', {}],
      ['capabilities.list', {}],
      ['auth.revokeSelf', {}],
    ] as const) {
      const refusal = await refusalOf(call(method, params));
      expect([method, refusal.code, refusal.details]).toEqual([method, 'UNAUTHENTICATED', undefined]);
    }
    agent.destroy();
  });

  it('leaves other programs and what they have open alone', async () => {
    const client = await pairClient(companion);
    const other = await pairClient(companion);
    const { requestId } = await other.create('interaction.choose', CHOICE);
    await other.shown(requestId);
    await revoke(companion, client);
    await clickCard(companion.page, requestId, option('yes'));
    expect((await other.ended(requestId)).status).toBe('completed');
  });

  it('clears questions and answers from the Answers page', async () => {
    const client = await pairClient(companion);
    const { page } = companion;
    const { requestId } = await client.create('interaction.ask', { title: 'Which word is secret?' });
    await answerText(page, requestId, 'shibboleth');
    await client.ended(requestId);
    await openPage(page, 'answers');
    await page.waitForSelector(`[data-answer-id="${requestId}"]`);
    await closePage(page);
    await revoke(companion, client);
    await openPage(page, 'answers');
    await gone(page, `[data-answer-id="${requestId}"]`);
    expect(await page.$eval('[data-panel="answers"]', (panel) => panel.textContent)).not.toContain('shibboleth');
    await closePage(page);
  });

  it('frees the name, and a new pairing is another client that sees nothing of the old one', async () => {
    const name = uniqueName('phoenix');
    const pairAgain = async (): Promise<Client> => {
      const pairing = await requestPairing(companion, { name, scopes: ['notify'] });
      await click(companion.page, `[data-pairing-id="${pairing.pairingId}"] ${action('approve')}`);
      return takeKey(companion, pairing);
    };
    const before = await pairAgain();
    const { requestId } = await before.create('notice.show', { text: 'Old' }, { idempotencyKey: 'k' });
    await revoke(companion, before);
    const after = await pairAgain();
    expect(after.clientId).not.toBe(before.clientId);
    await expect(after.get(requestId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const fresh = await after.create('notice.show', { text: 'New' }, { idempotencyKey: 'k' });
    expect(fresh.requestId).not.toBe(requestId);
    await revokeSelf(companion, after);
  });
});

it('the first press on "send away" only asks; thinking again keeps the program', async () => {
  const client = await pairClient(companion);
  const { page } = companion;
  const row = `[data-client-id="${client.clientId}"]`;
  await openPage(page, 'access');
  await click(page, `${row} ${action('revoke')}`);
  await click(page, `${row} .confirm ${action('keep')}`);
  await page.waitForSelector(`${row} ${action('revoke')}[data-confirm="false"]`);
  await closePage(page);
  expect((await client.create('notice.show', { text: 'Still here' })).status).toBe('queued');
});

it('what a revoked program asked and was answered is in no file any more; metadata alone stays', async () => {
  const own = await launchCompanion();
  try {
    await enableAccess(own);
    const pair = async (name: string): Promise<Client> => {
      const pairing = await requestPairing(own, { name, scopes: ['interact', 'notify'] });
      await click(own.page, `[data-pairing-id="${pairing.pairingId}"] ${action('approve')}`);
      return takeKey(own, pairing);
    };
    const gossip = async (client: Client, word: string): Promise<string> => {
      const { requestId } = await client.create('interaction.ask', {
        title: `${word}-question`,
        details: `${word}-details`,
      });
      await answerText(own.page, requestId, `${word}-answer`);
      await client.ended(requestId);
      const open = await client.create(
        'progress.show',
        { title: `${word}-open`, percent: 0 },
        { taskId: `${word}-task` },
      );
      await own.page.waitForSelector(onCard(open.requestId));
      return requestId;
    };
    const staying = await pair('staying');
    const leaving = await pair('leaving');
    await gossip(staying, 'kept');
    const requestId = await gossip(leaving, 'wiped');
    await sendAway(own, leaving);
    await own.stop({ keep: true });
    const state = join(own.home, 'state/companion');
    const databases = readdirSync(state).filter((name) => name.startsWith('companion.db'));
    const bytes = Buffer.concat(databases.map((name) => readFileSync(join(state, name)))).toString('latin1');
    for (const part of ['question', 'details', 'answer', 'open']) {
      expect(bytes, `kept-${part}`).toContain(`kept-${part}`);
      expect(bytes.includes(`wiped-${part}`), `wiped-${part} is still there`).toBe(false);
    }
    expect(bytes).toContain(requestId);
    expect(bytes.includes(leaving.key.slice(4))).toBe(false);
  } finally {
    await own.stop();
  }
});
