import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../server/protocol/errors.ts';
import { LIMITS } from '../../server/protocol/limits.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import { type Caller, createCaller, headersOf, openRaw, post, type Raw, wireBytes } from './caller.ts';
import { ask, get, question, reach } from './questions.ts';
import { enableAccess, pair } from './user.ts';

// What strangers, broken programs and malice may send: all of it ends in an answer or a closed connection, in bounded time and room.
const RECEIVE_MS = 500;
/** The limit and a second, three times over. */
const CLOSED_MS = 3 * (RECEIVE_MS + 1_000);
const FUZZ_RUNS = Number(process.env.COMPANION_FUZZ ?? 3_000);
const SEED = 20_261_130;

let companion: LaunchedCompanion;
let client: Caller;
beforeAll(async () => {
  companion = await launchCompanion({ config: { limits: { receiveTimeoutMs: RECEIVE_MS, createsPerSecond: 10_000 } } });
  await enableAccess(companion.page);
  client = await pair(companion.page, companion.socketPath, 'wire');
});
afterAll(async () => {
  client?.close();
  await companion?.stop();
});

const DESCRIBE = wireBytes(null, 'runtime.describe', {});

/** A caller of its own still gets its answer. */
async function expectServes(): Promise<void> {
  const stranger = createCaller(companion.socketPath, null);
  expect(await stranger.call('runtime.describe')).toMatchObject({ accepting: { ok: true } });
  stranger.close();
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

const closedWithin = (connection: Raw, limitMs: number): Promise<string> =>
  Promise.race([
    connection.closed,
    new Promise<string>((_resolve, reject) => {
      setTimeout(() => reject(new Error(`not closed within ${limitMs} ms`)), limitMs).unref();
    }),
  ]);

describe('a slow sender', () => {
  it.each([
    ['half a header', DESCRIBE.slice(0, 40)],
    ['one byte', 'P'],
    ['headers without their end', DESCRIBE.slice(0, DESCRIBE.indexOf('\r\n\r\n'))],
    ['half a body', DESCRIBE.slice(0, -20)],
    ['headers and no body', DESCRIBE.slice(0, DESCRIBE.indexOf('\r\n\r\n') + 4)],
    ['a chunk without its end', `${DESCRIBE.split('content-length')[0]}transfer-encoding: chunked\r\n\r\n20\r\n{"js`],
  ])('of %s is told 408 and closed in time', async (_what, bytes) => {
    const connection = await openRaw(companion.socketPath);
    const startedAt = performance.now();
    connection.socket.write(bytes);
    const answer = await closedWithin(connection, CLOSED_MS);
    expect(performance.now() - startedAt).toBeGreaterThan(RECEIVE_MS - 20);
    expect(statusOf(answer)).toBe(408);
  });

  it('who sends a byte now and then wins no time', async () => {
    const connection = await openRaw(companion.socketPath);
    let at = 0;
    const trickle = setInterval(() => {
      connection.socket.write(DESCRIBE[at % 30] ?? 'x');
      at += 1;
    }, RECEIVE_MS / 10);
    try {
      expect(statusOf(await closedWithin(connection, CLOSED_MS))).toBe(408);
    } finally {
      clearInterval(trickle);
    }
  });

  it('keeps nobody else waiting, in numbers either', async () => {
    const slow = await Promise.all(Array.from({ length: 150 }, () => openRaw(companion.socketPath)));
    for (const [index, { socket }] of slow.entries()) socket.write(DESCRIBE.slice(0, 10 + index));
    await expectServes();
    for (const connection of slow) expect(statusOf(await closedWithin(connection, CLOSED_MS))).toBe(408);
  });

  it('is not who waits for an answer: a call that is carried out is not cut', async () => {
    const { requestId } = await ask(client, 'Long?');
    const { revision } = await reach(client, requestId, 'awaiting_user');
    const waitMs = 3 * RECEIVE_MS;
    const waited = await client.call('requests.wait', { requestId, afterRevision: revision, waitMs });
    expect(waited).toMatchObject({ unchanged: true, status: 'awaiting_user' });
    await client.call('requests.cancel', { requestId });
  });
});

describe('many connections', () => {
  it('are admitted up to the limit; those beyond are closed at once, and present callers go on', async () => {
    const beyond = 44;
    await client.call('runtime.describe');
    const all = await Promise.all(
      Array.from({ length: LIMITS.maxConnections + beyond }, () => openRaw(companion.socketPath)),
    );
    let closed = 0;
    for (const connection of all) connection.closed.then(() => (closed += 1));
    await until('the ones beyond the limit are closed', () => closed >= beyond, 10_000);
    // Its connection was there before.
    expect(await client.call('runtime.describe')).toMatchObject({ accepting: { ok: true } });
    expect(all.length - closed).toBeLessThanOrEqual(LIMITS.maxConnections);
    expect(all.length - closed).toBeGreaterThan(LIMITS.maxConnections - 20);
    for (const { socket } of all) socket.destroy();
    await Promise.all(all.map((connection) => connection.closed));
    await until(
      'there is room again',
      () =>
        expectServes().then(
          () => true,
          () => false,
        ),
      10_000,
    );
  });
});

const describeOf = (bytes: number): string => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'runtime.describe', params: {} });
  return body + ' '.repeat(bytes - body.length);
};

describe('a large body', () => {
  it.each([
    ['of exactly the limit is read', 0, 200],
    ['of one byte more is refused', 1, 413],
    ['of ten times the limit is refused', 9 * LIMITS.maxFrameBytes, 413],
  ])('%s', async (_what, more, status) => {
    const body = describeOf(LIMITS.maxFrameBytes + more);
    const answer = await post(companion.socketPath, body, headersOf(null));
    expect(answer.status).toBe(status);
    const { error, result } = JSON.parse(answer.text);
    if (status === 200) expect(result.accepting).toBeDefined();
    else expect(error.data.code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('without an end is refused, and the connection does not go on for ever', async () => {
    const connection = await openRaw(companion.socketPath);
    connection.socket.write(`${DESCRIBE.split('content-length')[0]}transfer-encoding: chunked\r\n\r\n`);
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const heapBefore = process.memoryUsage().external;
    const send = (): void => {
      while (!connection.socket.destroyed && connection.socket.write(chunk));
    };
    connection.socket.on('drain', send);
    send();
    const answer = await closedWithin(connection, CLOSED_MS);
    expect(statusOf(answer)).toBe(413);
    // What it sent was thrown away, not kept.
    expect(process.memoryUsage().external - heapBefore).toBeLessThan(64 * 1_048_576);
    await expectServes();
  });

  it('that is only announced is refused before it comes', async () => {
    const connection = await openRaw(companion.socketPath);
    connection.socket.write(DESCRIBE.replace(/content-length: \d+/, 'content-length: 99999999999'));
    await until('the refusal', () => statusOf(connection.text()) === 413, CLOSED_MS);
    connection.socket.destroy();
  });
});

/** A valid call of each kind; mutations start from these. */
const SEEDS: readonly object[] = [
  { jsonrpc: '2.0', id: 1, method: 'runtime.describe', params: {} },
  { jsonrpc: '2.0', id: 'a', method: 'capabilities.list', params: {} },
  { jsonrpc: '2.0', id: 2, method: 'capabilities.describe', params: { id: 'notice.show' } },
  { jsonrpc: '2.0', id: 3, method: 'requests.get', params: { requestId: 'none' } },
  { jsonrpc: '2.0', id: 4, method: 'requests.wait', params: { requestId: 'none', afterRevision: 0, waitMs: 0 } },
  { jsonrpc: '2.0', id: 5, method: 'requests.cancel', params: { requestId: 'none' } },
  { jsonrpc: '2.0', id: 6, method: 'requests.update', params: { requestId: 'none', expectedRevision: 1, params: {} } },
  { jsonrpc: '2.0', id: 7, method: 'requests.create', params: question('Fuzz?', { timeoutMs: 1_000 }) },
  { jsonrpc: '2.0', id: 8, method: 'requests.create', params: { capability: 'notice.show', params: { text: 'Fuzz' } } },
  { jsonrpc: '2.0', id: 9, method: 'pairing.wait', params: { pairingId: 'none', pairingSecret: 'none', waitMs: 0 } },
];

const NASTY: readonly unknown[] = [
  null,
  true,
  -0,
  1e308,
  -1,
  2 ** 53,
  0.1,
  '',
  'x'.repeat(300),
  '\u0000',
  '\ud800',
  '\u202e',
  '__proto__',
  'constructor',
  [],
  {},
  [[[[]]]],
  { __proto__: null, toString: 1 },
];

const anything = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

interface Mutation {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'rename' | 'add' | 'wrap';
  readonly value: unknown;
}

/** Every place inside `value`: its owner and its name there. */
function places(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return [];
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((name) => [
    [owner, name] as [Record<string, unknown>, string],
    ...places(owner[name]),
  ]);
}

function mutate(seed: object, mutations: readonly Mutation[]): object {
  const call = structuredClone(seed);
  for (const { at, how, value: shared } of mutations) {
    const value = structuredClone(shared);
    const all = places(call);
    const [owner, name] = all[at % Math.max(1, all.length)] ?? [call as Record<string, unknown>, 'params'];
    if (how === 'replace') owner[name] = value;
    else if (how === 'remove') delete owner[name];
    else if (how === 'wrap') owner[name] = [owner[name]];
    else if (how === 'add') owner[typeof value === 'string' ? value : 'extra'] = value;
    else {
      owner[`${name}x`] = owner[name];
      delete owner[name];
    }
  }
  return call;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(40),
  how: fc.constantFrom('replace', 'remove', 'rename', 'add', 'wrap'),
  value: anything,
});
const mutated = fc
  .tuple(fc.constantFrom(...SEEDS), fc.array(mutation, { maxLength: 3 }))
  .map(([seed, mutations]) => mutate(seed, mutations));

/** Damage to the text itself, after it has been made. */
const spoilt = fc
  .tuple(mutated, fc.nat(400), fc.nat(255), fc.constantFrom('cut', 'byte', 'twice', 'deep', 'repeat'))
  .map(([call, at, byte, how]) => {
    const text = JSON.stringify(call);
    const bytes = Buffer.from(text);
    if (how === 'cut') return bytes.subarray(0, at % (bytes.length + 1));
    if (how === 'byte') {
      bytes[at % bytes.length] = byte;
      return bytes;
    }
    if (how === 'twice') return Buffer.from(text + text);
    if (how === 'deep') return Buffer.from(text.replace(/\{\}|null/, '['.repeat(1 + at * 20)));
    return Buffer.from(text.replace('"method"', '"method":"rpc.discover","method"'));
  });
const body: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 5, arbitrary: mutated.map((call) => Buffer.from(JSON.stringify(call))) },
  { weight: 2, arbitrary: fc.array(mutated, { maxLength: 40 }).map((calls) => Buffer.from(JSON.stringify(calls))) },
  { weight: 4, arbitrary: spoilt },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
);

const CODES = new Map<unknown, string>(Object.entries(ERRORS).map(([name, { rpcCode }]) => [rpcCode, name]));

/** What is wrong with an answer; null when nothing is. */
function faultOf(status: number, text: string): string | null {
  if (status === 204) return text === '' ? null : 'a body with 204';
  if (status !== 200 && (status < 400 || status > 499)) return `status ${status}`;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  for (const one of Array.isArray(answer) ? answer : [answer]) {
    const { jsonrpc, id, result, error } = one as Record<string, unknown> & {
      error?: { code: number; data: { code: string } };
    };
    if (jsonrpc !== '2.0' || id === undefined) return 'not JSON-RPC';
    if ((result === undefined) === (error === undefined)) return 'neither or both of result and error';
    if (error === undefined) continue;
    if (CODES.get(error.code) !== error.data.code) return `code ${error.code} with ${error.data.code}`;
    if (error.data.code === 'INTERNAL_ERROR') return 'INTERNAL_ERROR';
  }
  return null;
}

describe('malformed frames', { timeout: 180_000 }, () => {
  it('are answered by valid JSON-RPC or a 4xx, never by INTERNAL_ERROR', async () => {
    const bodies = fc.sample(body, { numRuns: FUZZ_RUNS, seed: SEED });
    const faults: string[] = [];
    const codes = new Set<string>();
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < bodies.length && faults.length < 5) {
        const number = next++;
        const { status, text } = await post(companion.socketPath, bodies[number]!, headersOf(client.key));
        for (const [, code] of text.matchAll(/"data":\{"code":"([A-Z_]+)"/g)) codes.add(code!);
        const fault = faultOf(status, text);
        if (fault !== null)
          faults.push(`${fault}: body ${number} of seed ${SEED}: ${bodies[number]!.toString('latin1').slice(0, 400)}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(faults).toEqual([]);
    // They got past the door, in every direction.
    for (const code of ['PARSE_ERROR', 'INVALID_REQUEST', 'METHOD_NOT_FOUND', 'INVALID_PARAMS', 'NOT_FOUND'])
      expect(codes).toContain(code);
    await expectServes();
  });

  it.each([
    ['no HTTP at all', '\u0016\u0003\u0001\u0002hello\r\n\r\n'],
    ['an unknown HTTP version', DESCRIBE.replace('HTTP/1.1', 'HTTP/9.9')],
    ['headers of 64 KiB', DESCRIBE.replace('host:', `x: ${'y'.repeat(65_536)}\r\nhost:`)],
    ['a thousand headers', DESCRIBE.replace('host:', `${'x: y\r\n'.repeat(4_000)}host:`)],
    ['two lengths', DESCRIBE.replace('content-length:', 'content-length: 1\r\ncontent-length:')],
    ['chunked and a length', DESCRIBE.replace('content-length:', 'transfer-encoding: chunked\r\ncontent-length:')],
    ['a negative length', DESCRIBE.replace(/content-length: \d+/, 'content-length: -1')],
    ['a length that is no number', DESCRIBE.replace(/content-length: \d+/, 'content-length: NaN')],
    ['a chunk size that is none', `${DESCRIBE.split('content-length')[0]}transfer-encoding: chunked\r\n\r\nzz\r\n`],
    ['a NUL in a header', DESCRIBE.replace('host: companion', 'host: com\u0000panion')],
    ['a folded header', DESCRIBE.replace('host: companion', 'host: com\r\n panion')],
    ['a path that climbs', DESCRIBE.replace('/rpc', '/../../etc/passwd')],
    ['GET', DESCRIBE.replace('POST', 'GET')],
    ['CONNECT', 'CONNECT localhost:22 HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['an upgrade', DESCRIBE.replace('host:', 'connection: upgrade\r\nupgrade: websocket\r\nhost:')],
    [
      'the page’s own link without its token',
      'GET /overlay HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    ],
    ['the page’s own files', 'GET /overlay/ HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['a browser’s origin', DESCRIBE.replace('host:', 'origin: https://companion.internal\r\nhost:')],
  ])('such as %s end in a 4xx or a closed connection', async (_what, bytes) => {
    const connection = await openRaw(companion.socketPath);
    connection.socket.write(bytes, 'latin1');
    let isClosed = false;
    connection.closed.then(() => {
      isClosed = true;
    });
    await until('it is answered or closed', () => isClosed || /\r\n\r\n/.test(connection.text()), CLOSED_MS);
    const answer = connection.text();
    connection.socket.destroy();
    if (answer !== '') expect([400, 403, 404, 405, 408, 413, 415, 426, 431]).toContain(statusOf(answer));
    expect(answer).not.toMatch(/INTERNAL_ERROR|root:/);
    await expectServes();
  });

  it('such as pipelined calls are answered one after the other, in order', async () => {
    const connection = await openRaw(companion.socketPath);
    connection.socket.write(DESCRIBE + wireBytes(client.key, 'requests.get', { requestId: 'none' }) + DESCRIBE);
    await until('three answers', () => connection.text().split('HTTP/1.1 200').length === 4, CLOSED_MS);
    const [, first, second, third] = connection.text().split('HTTP/1.1 200');
    expect([first?.includes('accepting'), second?.includes('NOT_FOUND'), third?.includes('accepting')]).toEqual([
      true,
      true,
      true,
    ]);
    connection.socket.destroy();
  });

  it('leave the requests of others as they were', async () => {
    const other = await pair(companion.page, companion.socketPath, 'bystander');
    const { requestId } = await ask(other, 'Undisturbed?');
    const shown = await reach(other, requestId, 'awaiting_user');
    const bodies = fc.sample(body, { numRuns: 200, seed: SEED + 1 });
    for (const bytes of bodies) await post(companion.socketPath, bytes, headersOf(client.key));
    expect(await get(other, requestId)).toEqual(shown);
    other.close();
  });
});
