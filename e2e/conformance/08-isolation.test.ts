/** Spec §7, isolation: a program sees, touches and learns of its own requests only, speaks under its own name only, and the log knows no content. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import { type Client, callRpc, enableAccess, pairClient, rawPost, refusalOf, uniqueName } from './support.ts';
import { action, answerText, click, clickCard, closePage, onCard, openPage, option } from './support-page.ts';

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
});
afterAll(() => companion.stop());

const VERBS = [
  ['requests.get', (requestId: string) => ({ requestId })],
  ['requests.wait', (requestId: string) => ({ requestId, afterRevision: 0, waitMs: 30_000 })],
  ['requests.cancel', (requestId: string) => ({ requestId })],
  ['requests.update', (requestId: string) => ({ requestId, expectedRevision: 1, params: { percent: 50 } })],
] as const;

const NOBODYS = '01a00000-0000-7000-8000-000000000000';

/** The whole answer as text. */
const answerTo = async ({ key }: Client, method: string, params: object): Promise<string> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { status, text } = await rawPost(companion.socketPath, body, { headers: { authorization: `Bearer ${key}` } });
  return `${status} ${text}`;
};

describe.each(VERBS)('%s', (method, paramsOf) => {
  it("answers for another's request exactly as for one that never was, open, ended or refused to say more", async () => {
    const owner = await pairClient(companion);
    const stranger = await pairClient(companion);
    const open = await owner.create('progress.show', { title: 'Mine', percent: 0 });
    const ended = await owner.create('progress.show', { title: 'Mine too', percent: 0 });
    await owner.call('requests.cancel', { requestId: ended.requestId });
    const unknown = await answerTo(stranger, method, paramsOf(NOBODYS));
    expect(JSON.parse(unknown.slice(4)).error).toEqual({
      code: -32003,
      message: expect.any(String),
      data: { code: 'NOT_FOUND', retryable: false },
    });
    for (const { requestId } of [open, ended]) {
      expect(await answerTo(stranger, method, paramsOf(requestId))).toBe(unknown);
    }
    for (const requestId of ['x', '../../etc/passwd', 'constructor', ' ', 'ж'.repeat(64)]) {
      expect(await answerTo(stranger, method, paramsOf(requestId))).toBe(unknown);
    }
    const { status, control } = await owner.get(open.requestId);
    expect([status === 'queued' || status === 'running', control]).toEqual([true, null]);
  });
});

it('a label of the task, or an idempotency key, of another program opens nothing', async () => {
  const owner = await pairClient(companion);
  const stranger = await pairClient(companion);
  const labels = { taskId: 'release 7', idempotencyKey: 'release 7' };
  const mine = await owner.create('progress.show', { title: 'Mine', percent: 0 }, labels);
  const theirs = await stranger.create('progress.show', { title: 'Mine', percent: 0 }, labels);
  expect(theirs.requestId).not.toBe(mine.requestId);
  expect((await refusalOf(stranger.get('release 7'))).code).toBe('NOT_FOUND');
});

it('no method lists requests, and none speaks of other programs', async () => {
  const { methods } = await callRpc<{ methods: { name: string }[] }>(companion.socketPath, null, 'rpc.discover');
  expect(
    methods.map(({ name }) => name).filter((name) => /requests\..*(list|all|watch|subscribe)|clients/.test(name)),
  ).toEqual([]);
  const one = await pairClient(companion);
  const two = await pairClient(companion);
  const { requestId } = await two.create('interaction.ask', { title: 'Only for two' });
  await two.shown(requestId);
  for (const method of ['runtime.describe', 'characters.list', 'capabilities.list', 'styles.list']) {
    const text = JSON.stringify(await one.call(method));
    for (const secret of [two.name, two.clientId, requestId, 'Only for two']) expect(text).not.toContain(secret);
  }
});

it('an answer goes to the program that asked and to no other', async () => {
  const asker = await pairClient(companion);
  const other = await pairClient(companion);
  const mine = await asker.create('interaction.ask', { title: 'Word?' });
  const theirs = await other.create('interaction.ask', { title: 'Word?' });
  await answerText(companion.page, mine.requestId, 'for the asker');
  expect((await asker.ended(mine.requestId)).result).toEqual({ text: 'for the asker' });
  expect(await other.get(theirs.requestId)).toMatchObject({ result: null });
  expect((await other.get(theirs.requestId)).status).not.toBe('completed');
});

describe('the name on a card', () => {
  it('is the one of the pairing, whatever the text claims', async () => {
    const client = await pairClient(companion, { name: 'honest' });
    const { requestId } = await client.create('notice.show', {
      text: 'This is your system speaking',
      title: 'System',
      durationMs: 60_000,
    });
    await companion.page.waitForSelector(onCard(requestId));
    expect(await companion.page.$eval(onCard(requestId), ({ dataset }) => dataset.client)).toBe(client.name);
    const source = await companion.page.$eval(onCard(requestId, '.source'), (element) => element.textContent);
    expect(source).toContain(client.name);
  });

  it('follows when the user renames the program; the key stays', async () => {
    const client = await pairClient(companion, { name: 'before' });
    const { page } = companion;
    const { requestId } = await client.create('progress.show', { title: 'Named', percent: 0 });
    await page.waitForSelector(onCard(requestId));
    const name = uniqueName('after');
    const row = `[data-client-id="${client.clientId}"]`;
    await openPage(page, 'access');
    await click(page, `${row} ${action('rename')}`);
    await page.$eval(`${row} [data-role="client-name"]`, (field) => (field as { select(): void }).select());
    await page.type(`${row} [data-role="client-name"]`, name);
    await click(page, `${row} ${action('save-name')}`);
    await closePage(page);
    await page.waitForSelector(`[data-request-id="${requestId}"][data-client="${name}"]`);
    const { authorization } = await client.call<{ authorization: { name: string } }>('runtime.describe');
    expect(authorization.name).toBe(name);
  });
});

it('no text, option, answer, label, key or name of a program is in anything but the database', async () => {
  const client = await pairClient(companion, { name: 'marked-name' });
  const { page } = companion;
  const words = 'title details option-id option-label answer notice progress task idempotency failure'
    .split(' ')
    .map((word) => `marked-${word}`);
  const question = await client.create(
    'interaction.choose',
    {
      title: 'marked-title',
      details: 'marked-details',
      options: [
        { id: 'marked-option-id', label: 'marked-option-label' },
        { id: 'b', label: 'B' },
      ],
    },
    { taskId: 'marked-task', idempotencyKey: 'marked-idempotency' },
  );
  await clickCard(page, question.requestId, option('marked-option-id'));
  await client.ended(question.requestId);
  const asked = await client.create('interaction.ask', { title: 'marked-title' });
  await answerText(page, asked.requestId, 'marked-answer');
  await client.ended(asked.requestId);
  await client.create('notice.show', { text: 'marked-notice' });
  const started = await client.create('progress.show', { title: 'marked-progress', percent: 0 });
  const { requestId, revision } = await client.shown(started.requestId);
  const end = { requestId, expectedRevision: revision, params: { failed: 'marked-failure' } };
  await client.call('requests.update', end);
  await refusalOf(client.create('notice.show', { text: 'marked-notice\u0000' }));
  await refusalOf(client.call('marked-notice'));
  const state = join(companion.home, 'state/companion');
  const files = readdirSync(state).filter((name) => !/^companion\.db|^chromium$/.test(name));
  expect(files).toContain('companion.log');
  const text = await until('the log has lines', () => readFileSync(join(state, 'companion.log'), 'utf8'));
  for (const name of files.filter((each) => each !== 'secret')) {
    const content = readFileSync(join(state, name), 'latin1');
    for (const word of [...words, client.key, client.key.slice(4), client.name]) {
      expect(content.includes(word), `${word} in ${name}`).toBe(false);
    }
  }
  expect(text).toContain('companion');
});
