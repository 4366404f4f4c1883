/** Spec §7, bad parameters: whatever is sent, the refusal names the place, nothing is kept, and the next good call works. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAPABILITIES, METHODS } from '../../server/registry/catalog.ts';
import { type LaunchedCompanion, launchCompanion } from '../harness.ts';
import {
  type Client,
  callRpc,
  enableAccess,
  pairClient,
  Refusal,
  rawPost,
  refusalOf,
  resultOf,
  uniqueName,
} from './support.ts';
import { clickCard, onCard, option } from './support-page.ts';

let companion: LaunchedCompanion;
beforeAll(async () => {
  companion = await launchCompanion({ config: { limits: { pairingBurst: 1_000 } } });
  await enableAccess(companion);
});
afterAll(() => companion.stop());

/** Sends text that JSON.stringify would never write. */
const post = ({ key }: Client, body: string | Buffer, headers: Record<string, string> = {}) =>
  rawPost(companion.socketPath, body, { headers: { authorization: `Bearer ${key}`, ...headers } });
const createText = (capability: string, params: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"requests.create","params":{"capability":"${capability}","params":${params}}}`;
const codeOf = (text: string): string => JSON.parse(text).error?.data.code;

/** A good call right after a bad one. */
async function assertStillServed(client: Client): Promise<void> {
  const { requestId, status } = await client.create('progress.show', { title: 'Good', percent: 1 });
  expect(status).toBe('queued');
  await client.call('requests.cancel', { requestId });
}

describe.each(CAPABILITIES.map((capability) => [capability.id, capability.examples.invalid] as const))(
  '%s',
  (id, invalid) => {
    it('refuses each of its bad examples with a place and a rule, and serves the next call', async () => {
      const client = await pairClient(companion);
      for (const params of invalid) {
        const refusal = await refusalOf(client.call('requests.create', { capability: id, params }));
        expect(refusal, JSON.stringify(params)).toMatchObject({
          code: 'INVALID_PARAMS',
          rpcCode: -32602,
          retryable: false,
        });
        const { faults } = refusal.details as { faults: { path: string; rule: string }[] };
        expect(faults.length).toBeGreaterThan(0);
        for (const { path, rule } of faults) {
          expect(path).toMatch(/^\/params/);
          expect(rule).not.toBe('');
        }
        await assertStillServed(client);
      }
    });
  },
);

describe.each(Object.values(METHODS).map(({ name, examples }) => [name, examples.invalid] as const))(
  '%s',
  (name, invalid) => {
    it('refuses each of its bad examples and parameters by position', async () => {
      const client = await pairClient(companion);
      for (const params of [...invalid, ['by position'], [{}]]) {
        const refusal = await refusalOf(client.call(name, params));
        expect(refusal.code, JSON.stringify(params)).toBe('INVALID_PARAMS');
      }
      await assertStillServed(client);
    });
  },
);

describe('text', () => {
  it.each([
    ['a lone high surrogate', '\ud83d'],
    ['a lone low surrogate', 'a\udc00b'],
    ['a bell', 'a\u0007'],
    ['NUL', 'a\u0000b'],
    ['an escape sequence', '\u001b[31mred'],
    ['C1 controls', 'a\u009b31m'],
    ['nothing visible', '\u200b\u2060'],
    ['white space only', ' \u3000\t'],
    ['281 characters', 'x'.repeat(281)],
    ['281 characters outside the first plane', '🙂'.repeat(281)],
  ])('%s is refused, and never told back', async (_what, text) => {
    const client = await pairClient(companion);
    const refusal = await refusalOf(client.create('notice.show', { text }));
    expect(refusal).toMatchObject({ code: 'INVALID_PARAMS', details: { faults: [{ path: '/params/text' }] } });
    await assertStillServed(client);
  });

  it('280 characters outside the first plane are 280 characters', async () => {
    const client = await pairClient(companion);
    await expect(client.create('notice.show', { text: '🙂'.repeat(280) })).resolves.toMatchObject({ status: 'queued' });
  });

  it('refused values are in no error', async () => {
    const client = await pairClient(companion);
    const secret = 'swordfish-in-params';
    for (const params of [
      { text: 'a', tone: secret },
      { text: 'a', [secret]: 1 },
      { text: secret.repeat(40) },
      { text: `${secret}\u0000` },
    ]) {
      const refusal = await refusalOf(client.create('notice.show', params));
      expect(refusal.code).toBe('INVALID_PARAMS');
      expect(refusal.text).not.toContain(secret);
    }
  });

  it('markup, links and scripts are shown as the characters they are', async () => {
    const client = await pairClient(companion);
    const { page } = companion;
    const hostile = '<img src=x onerror="window.hacked=1"><b>bold</b> <script>window.hacked=1</script>';
    const links = 'https://example.org [link](javascript:window.hacked=1) &amp; \u202egnp.exe';
    const { requestId } = await client.create('interaction.choose', {
      title: `${hostile.slice(0, 60)} title`,
      details: `${hostile}\n${links}`,
      options: [
        { id: '<i>', label: '<u>yes</u>', description: links },
        { id: 'no', label: '&lt;no&gt;', description: hostile },
      ],
    });
    await page.waitForSelector(onCard(requestId));
    const card = `[data-request-id="${requestId}"]`;
    const made = await page.$$eval(`${card} :is(a, img, script, b, i, u, iframe, object, embed, link, style)`, (all) =>
      all.map((element) => element.tagName),
    );
    expect(made).toEqual([]);
    const text = (await page.$eval(card, (element) => element.textContent)) ?? '';
    for (const part of [
      hostile,
      'https://example.org [link](javascript:window.hacked=1) &amp; ',
      '<u>yes</u>',
      '&lt;no&gt;',
    ])
      expect(text).toContain(part);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await clickCard(page, requestId, option('<i>'));
    expect((await client.ended(requestId)).result).toEqual({ selectedId: '<i>' });
  });
});

describe('JSON that is none, or not of this kind', () => {
  it.each([
    ['NaN', createText('progress.show', '{"title":"a","percent":NaN}')],
    ['Infinity', createText('progress.show', '{"title":"a","percent":Infinity}')],
    ['half a text', '{"jsonrpc":"2.0","id":1,"method":"requests.create"'],
    ['an empty body', ''],
    [
      'bytes that are not UTF-8',
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"runtime.describe","x":"\xff"}', 'latin1'),
    ],
    ['a comment', '{"jsonrpc":"2.0","id":1,"method":"runtime.describe"} // hello'],
  ])('%s is a PARSE_ERROR with no ID', async (_what, body) => {
    const client = await pairClient(companion);
    const { status, text } = await post(client, body);
    expect([status, codeOf(text), JSON.parse(text).id]).toEqual([200, 'PARSE_ERROR', null]);
    await assertStillServed(client);
  });

  it.each([
    ['a number too large for JSON readers', '{"title":"a","percent":1e999}'],
    ['a field named __proto__', '{"title":"a","percent":1,"__proto__":{"text":"b"}}'],
    ['a number as text', '{"title":"a","percent":"1"}'],
    ['text as a number', '{"title":1,"percent":1}'],
    ['null for an optional field', '{"title":"a","percent":1,"message":null}'],
    ['a list for an object', '[]'],
    ['null for an object', 'null'],
    ['text for an object', '"params"'],
  ])('%s is INVALID_PARAMS', async (_what, params) => {
    const client = await pairClient(companion);
    const { text } = await post(client, createText('progress.show', params));
    expect(codeOf(text)).toBe('INVALID_PARAMS');
    await assertStillServed(client);
  });

  it('JSON nested too deep is refused, however deep', async () => {
    const client = await pairClient(companion);
    for (const depth of [20, 2_000, 20_000]) {
      const deep = `${'{"title":'.repeat(depth)}1${'}'.repeat(depth)}`;
      const { status, text } = await post(client, createText('progress.show', deep));
      if (status === 200) expect(codeOf(text)).toMatch(/^(INVALID_PARAMS|PARSE_ERROR)$/);
      else expect([status, codeOf(text)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
      await assertStillServed(client);
    }
  });

  it('a body over the limit is 413, with the error body of every refusal', async () => {
    const client = await pairClient(companion);
    const { status, text } = await post(client, createText('notice.show', `{"text":"${'x'.repeat(70_000)}"}`));
    expect([status, codeOf(text), JSON.parse(text).id]).toEqual([413, 'PAYLOAD_TOO_LARGE', null]);
    await assertStillServed(client);
  });

  it.each([
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'runtime.describe' }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 5 }],
    ['params that are no object', { jsonrpc: '2.0', id: 1, method: 'runtime.describe', params: 'x' }],
    ['an ID that is an object', { jsonrpc: '2.0', id: {}, method: 'runtime.describe' }],
    ['a call and an answer at once', { jsonrpc: '2.0', id: 1, method: 'runtime.describe', result: 1 }],
    ['text', 'runtime.describe'],
    ['null', null],
  ])('%s is INVALID_REQUEST', async (_what, body) => {
    const { status, text } = await rawPost(companion.socketPath, JSON.stringify(body));
    expect([status, codeOf(text)]).toEqual([200, 'INVALID_REQUEST']);
  });

  it.each(['requests.delete', 'requests.list', 'Requests.Get', 'constructor', '__proto__', 'toString', '', 'rpc.x'])(
    'the method %j does not exist',
    async (method) => {
      const client = await pairClient(companion);
      await expect(client.call(method, {})).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND', rpcCode: -32601 });
    },
  );
});

describe('version and key', () => {
  const describeBody = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'runtime.describe' });

  it.each(['', '0.2', '1', '0.1 ', '0.1, 0.1', 'latest'])('protocol version %j is not guessed at', async (version) => {
    const { text } = await rawPost(companion.socketPath, describeBody, { headers: { 'companion-protocol': version } });
    if (version === '0.1 ') return expect(JSON.parse(text).result).toBeDefined(); // HTTP itself takes white space away.
    expect(() => resultOf(text)).toThrow(Refusal);
    expect(JSON.parse(text).error).toMatchObject({
      code: -32012,
      data: { code: 'UNSUPPORTED_PROTOCOL_VERSION', retryable: false, details: { supported: ['0.1'] } },
    });
  });

  it('a garbled, unknown, foreign-looking or revoked key is one and the same refusal, for every method', async () => {
    const { socketPath } = companion;
    const client = await pairClient(companion);
    const revoked = await pairClient(companion);
    await revoked.call('auth.revokeSelf');
    const flipped = client.key.slice(0, -2) + (client.key.endsWith('AA') ? 'BB' : 'AA');
    const headers = [
      `Bearer ${flipped}`,
      `Bearer ${revoked.key}`,
      `Bearer ${client.key} `.repeat(2).trim(),
      `Bearer ${client.key}x`,
      `Bearer  ${client.key}`,
      `Basic ${client.key}`,
      client.key,
      'Bearer',
      `Bearer ${'x'.repeat(4_000)}`,
    ];
    const bodies = ['runtime.describe', 'requests.create', 'no.such.method'].map((method) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
    );
    const answers = new Set<string>();
    for (const authorization of headers) {
      for (const body of bodies) {
        const { text } = await rawPost(socketPath, body, { headers: { authorization } });
        answers.add(text);
      }
    }
    expect(answers.size).toBe(1);
    const { error } = JSON.parse([...answers][0]!);
    expect(error).toMatchObject({ code: -32001, data: { code: 'UNAUTHENTICATED', retryable: false } });
    expect(error.data.details).toBeUndefined();
    await assertStillServed(client);
  });

  it('without a key only description and pairing answer', async () => {
    const { socketPath } = companion;
    await callRpc(socketPath, null, 'runtime.describe');
    await callRpc(socketPath, null, 'rpc.discover');
    for (const { name, needs, examples } of Object.values(METHODS)) {
      if (needs === 'nothing') continue;
      await expect(callRpc(socketPath, null, name, examples.valid[0])).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
    }
  });

  it('a request with Origin or Referer, another path, verb or type never becomes a call', async () => {
    const { socketPath } = companion;
    const attempt = async (options: Parameters<typeof rawPost>[2]) => {
      const { status, text } = await rawPost(socketPath, describeBody, options);
      return [status, JSON.parse(text).id, codeOf(text)];
    };
    expect(await attempt({ headers: { origin: 'https://example.org' } })).toEqual([403, null, 'FORBIDDEN']);
    expect(await attempt({ headers: { origin: 'null' } })).toEqual([403, null, 'FORBIDDEN']);
    expect(await attempt({ headers: { referer: 'https://companion.internal/' } })).toEqual([403, null, 'FORBIDDEN']);
    expect(await attempt({ path: '/' })).toEqual([404, null, 'NOT_FOUND']);
    expect(await attempt({ method: 'PUT' })).toEqual([405, null, 'INVALID_REQUEST']);
    expect(await attempt({ headers: { 'content-type': 'text/plain' } })).toEqual([415, null, 'INVALID_REQUEST']);
    expect(await attempt({ headers: { 'content-type': '' } })).toEqual([415, null, 'INVALID_REQUEST']);
  });
});

describe('identity', () => {
  it('comes from the key: no field of a call can change who is calling', async () => {
    const client = await pairClient(companion);
    for (const extra of [{ clientId: 'host' }, { source: 'system' }, { client: 'companion' }, { internal: true }]) {
      await expect(client.create('notice.show', { text: 'a' }, extra)).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      });
      await expect(client.create('notice.show', { text: 'a', ...extra })).rejects.toMatchObject({
        code: 'INVALID_PARAMS',
      });
    }
  });

  it("another client's request is as unknown as one that never was", async () => {
    const owner = await pairClient(companion);
    const other = await pairClient(companion);
    const { requestId } = await owner.create('progress.show', { title: 'Mine', percent: 0 });
    const refusal = await refusalOf(other.call('requests.cancel', { requestId }));
    expect([refusal.code, refusal.details]).toEqual(['NOT_FOUND', undefined]);
    expect((await owner.get(requestId)).status).not.toBe('cancelled');
  });
});

it('a call without an ID is answered by nothing and changes nothing', async () => {
  const client = await pairClient(companion);
  const params = { capability: 'progress.show', params: { title: 'Silent', percent: 0 }, idempotencyKey: 'silent' };
  const { status, text } = await post(client, JSON.stringify({ jsonrpc: '2.0', method: 'requests.create', params }));
  expect([status, text]).toEqual([204, '']);
  // Had it been carried out, the key would belong to other parameters now.
  const other = await client.create('progress.show', { title: 'Heard', percent: 0 }, { idempotencyKey: 'silent' });
  expect(other.status).toBe('queued');
});

it('what was refused has left nothing in the database, not even its idempotency key', async () => {
  const own = await launchCompanion();
  try {
    await enableAccess(own);
    const client = await pairClient(own, { name: uniqueName('counter'), scopes: ['notify'] });
    const idempotencyKey = 'again and again';
    for (const { id, examples } of CAPABILITIES) {
      for (const params of examples.invalid) {
        const refusal = await refusalOf(client.call('requests.create', { capability: id, params, idempotencyKey }));
        expect(refusal.code).toMatch(/^(INVALID_PARAMS|FORBIDDEN)$/);
      }
    }
    await client.create('notice.show', { text: 'The only one' }, { idempotencyKey });
    await own.stop({ keep: true });
    const db = new Database(join(own.home, 'state/companion/companion.db'), { readonly: true });
    const count = (table: string) => (db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n;
    expect([count('requests'), count('idempotency'), count('tombstones')]).toEqual([1, 1, 0]);
    db.close();
  } finally {
    await own.stop();
  }
});
