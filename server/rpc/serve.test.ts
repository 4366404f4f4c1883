import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERRORS } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { ask, call, fakeDoor, post, rawClient, type Served, serve } from './rpc.fixture.ts';

let served: Served;
let called: string[];

beforeEach(async () => {
  called = [];
  const count = async (_actor: unknown, method: string): Promise<string> => {
    called.push(method);
    return 'counted';
  };
  served = await serve(
    fakeDoor({
      count,
      'things.wait': count,
      bug: async () => {
        throw new Error('a secret');
      },
      silent: async () => undefined,
      endless: async () => ({ n: 1n }),
    }),
  );
});
afterEach(() => served.stop());

const refused = (code: keyof typeof ERRORS, id: unknown = 1) =>
  expect.objectContaining({
    jsonrpc: '2.0',
    id,
    error: expect.objectContaining({
      code: ERRORS[code].rpcCode,
      message: ERRORS[code].message,
      data: expect.objectContaining({ code, retryable: ERRORS[code].retryable }),
    }),
  });

describe('a single call', () => {
  it('is answered with status 200, its ID and its result', async () => {
    const answer = await ask(served.socketPath, call('echo', { text: 'grüße 你好' }, 'seven'));
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 'seven', result: { text: 'grüße 你好' } });
  });

  it.each([0, -3, 1.5, '', 'x'.repeat(500), null])('gets its ID %j back as it was', async (id) => {
    expect((await ask(served.socketPath, call('echo', {}, id))).json).toEqual({ jsonrpc: '2.0', id, result: {} });
  });

  it('without a result says null', async () => {
    expect((await ask(served.socketPath, call('silent'))).json).toEqual({ jsonrpc: '2.0', id: 1, result: null });
  });

  it('that the host fails at says INTERNAL_ERROR and nothing of the cause', async () => {
    const answer = await ask(served.socketPath, call('bug'));
    expect(answer.json).toEqual(refused('INTERNAL_ERROR'));
    expect(answer.text).not.toContain('secret');
  });

  it('whose result has no JSON says INTERNAL_ERROR', async () => {
    expect((await ask(served.socketPath, call('endless'))).json).toEqual(refused('INTERNAL_ERROR'));
  });

  it.each([
    ['an unknown method', call('nothing'), 'METHOD_NOT_FOUND', 1],
    ['a method of the prototype', call('constructor'), 'METHOD_NOT_FOUND', 1],
    ['positional parameters', call('echo', [1]), 'INVALID_PARAMS', 1],
    ['positional parameters of an unknown method', call('nothing', [1]), 'METHOD_NOT_FOUND', 1],
    ['parameters that are text', call('echo', 'x'), 'INVALID_REQUEST', 1],
    ['parameters that are null', call('echo', null), 'INVALID_REQUEST', 1],
    ['another JSON-RPC version', { jsonrpc: '1.0', id: 1, method: 'echo' }, 'INVALID_REQUEST', 1],
    ['no version', { id: 1, method: 'echo' }, 'INVALID_REQUEST', 1],
    ['no method', { jsonrpc: '2.0', id: 1 }, 'INVALID_REQUEST', 1],
    ['a method that is a number', { jsonrpc: '2.0', id: 1, method: 5 }, 'INVALID_REQUEST', 1],
    ['an ID that is an object', call('echo', {}, {}), 'INVALID_REQUEST', null],
    ['an ID that is true', call('echo', {}, true), 'INVALID_REQUEST', null],
    ['an answer', { jsonrpc: '2.0', id: 1, method: 'echo', result: 1 }, 'INVALID_REQUEST', 1],
  ] as const)('with %s is refused', async (_what, body, code, id) => {
    const answer = await ask(served.socketPath, body);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(refused(code, id));
  });

  it.each(['5', '"x"', 'null', 'true'])('that is the bare value %s is no request', async (body) => {
    expect((await ask(served.socketPath, body)).json).toEqual(refused('INVALID_REQUEST', null));
  });

  it.each([
    ['1e400', 'INVALID_REQUEST'],
    ['9007199254740993', 'INVALID_REQUEST'],
  ] as const)('with the ID %s, which readers round, is refused', async (id, code) => {
    const answer = await ask(served.socketPath, `{"jsonrpc":"2.0","id":${id},"method":"echo"}`);
    expect(answer.json).toEqual(refused(code, null));
  });
});

describe('a body that is no JSON', () => {
  it.each([
    ['nothing', ''],
    ['half an object', '{"jsonrpc":"2.0"'],
    ['NaN', '{"jsonrpc":"2.0","id":NaN,"method":"echo"}'],
    ['a byte order mark', `\uFEFF${JSON.stringify(call('echo'))}`],
    ['a NUL between tokens', `{"jsonrpc":"2.0",\0"id":1,"method":"echo"}`],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d])],
    ['two values', `${JSON.stringify(call('echo'))}${JSON.stringify(call('echo'))}`],
  ])('(%s) is answered with PARSE_ERROR', async (_what, body) => {
    const answer = await ask(served.socketPath, body);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(refused('PARSE_ERROR', null));
  });

  it.each([
    ['repeated keys', '{"jsonrpc":"2.0","id":1,"id":2,"method":"echo","params":{"a":1,"a":2}}', { a: 2 }],
    ['lone surrogates', '{"jsonrpc":"2.0","id":2,"method":"echo","params":{"a":"\\ud800"}}', { a: '\ud800' }],
  ])('but %s are', async (_what, body, result) => {
    expect((await ask(served.socketPath, body)).json).toEqual({ jsonrpc: '2.0', id: 2, result });
  });

  it('and a __proto__ key changes nobody', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"__proto__":{"x":1},"method":"echo","params":{"__proto__":{"polluted":1}}}';
    const answer = await ask(served.socketPath, body);
    expect(answer.text).toContain('"__proto__":{"polluted":1}');
    expect('polluted' in {}).toBe(false);
  });
});

describe('nesting', () => {
  const nested = (levels: number): string =>
    `{"jsonrpc":"2.0","id":1,"method":"echo","params":${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}}`;

  it('up to the limit is let through', async () => {
    expect((await ask(served.socketPath, nested(LIMITS.maxJsonDepth))).json).toHaveProperty('result');
  });

  it('beyond the limit is INVALID_PARAMS', async () => {
    expect((await ask(served.socketPath, nested(LIMITS.maxJsonDepth + 1))).json).toEqual(refused('INVALID_PARAMS'));
  });

  it('as deep as a body can carry it does not disturb the host', async () => {
    const brackets = Math.floor(LIMITS.maxFrameBytes / 2) - 50;
    const body = `{"jsonrpc":"2.0","id":1,"method":"echo","params":${'['.repeat(brackets)}${']'.repeat(brackets)}}`;
    expect((await ask(served.socketPath, body)).json).toEqual(refused('INVALID_PARAMS'));
    expect((await ask(served.socketPath, call('echo', {}))).json).toHaveProperty('result');
  });
});

describe('version and key', () => {
  it.each([undefined, '', '0', '0.2', '0.1, 0.1', 'x'])(
    'version %j is refused, with the supported ones',
    async (version) => {
      const { status, json } = await ask(served.socketPath, call('count'), {
        headers: version === undefined ? { 'companion-protocol': '' } : { 'companion-protocol': version },
      });
      expect(status).toBe(200);
      expect(json).toEqual(refused('UNSUPPORTED_PROTOCOL_VERSION'));
      expect(json.error.data.details).toEqual({ supported: ['0.1'] });
      expect(called).toEqual([]);
    },
  );

  it('a missing version is refused', async () => {
    const client = rawClient(served.socketPath);
    client.socket.write(post(JSON.stringify(call('count'))).replace('Companion-Protocol: 0.1\r\n', ''));
    expect(await client.until('}}}')).toContain('UNSUPPORTED_PROTOCOL_VERSION');
    client.socket.destroy();
  });

  it('a wrong key fails every method, unknown ones too', async () => {
    const headers = { authorization: 'Bearer bad' };
    expect((await ask(served.socketPath, call('count'), { headers })).json).toEqual(refused('UNAUTHENTICATED'));
    expect((await ask(served.socketPath, call('nothing'), { headers })).json).toEqual(refused('UNAUTHENTICATED'));
    expect(called).toEqual([]);
    expect(
      (await ask(served.socketPath, call('count'), { headers: { authorization: 'Bearer good' } })).json.result,
    ).toBe('counted');
  });

  it('the frame is judged before the version, and the version before the key', async () => {
    const headers = { 'companion-protocol': '9', authorization: 'Bearer bad' };
    expect((await ask(served.socketPath, { id: 1 }, { headers })).json).toEqual(refused('INVALID_REQUEST'));
    expect((await ask(served.socketPath, call('count'), { headers })).json).toEqual(
      refused('UNSUPPORTED_PROTOCOL_VERSION'),
    );
  });
});

describe('a notification', () => {
  const notification = { jsonrpc: '2.0', method: 'count', params: {} };

  it.each([
    ['alone', notification],
    ['in a batch', [notification, notification]],
  ])('%s changes nothing and gets 204 without a body', async (_how, body) => {
    const answer = await ask(served.socketPath, body);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(called).toEqual([]);
  });
});

describe('a batch', () => {
  it('is answered in order, notifications left out', async () => {
    const { json } = await ask(served.socketPath, [
      call('echo', { n: 1 }, 'a'),
      { jsonrpc: '2.0', method: 'count' },
      call('nothing', {}, 'b'),
      7,
      call('echo', { n: 2 }, 'c'),
    ]);
    expect(json).toEqual([
      { jsonrpc: '2.0', id: 'a', result: { n: 1 } },
      refused('METHOD_NOT_FOUND', 'b'),
      refused('INVALID_REQUEST', null),
      { jsonrpc: '2.0', id: 'c', result: { n: 2 } },
    ]);
    expect(called).toEqual([]);
  });

  it('of one call is answered with an array of one', async () => {
    expect((await ask(served.socketPath, [call('echo', {})])).json).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('runs its calls side by side', async () => {
    await served.stop();
    let release: (() => void) | undefined;
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    served = await serve(fakeDoor({ block: () => first, free: async () => release?.() }));
    const { json } = await ask(served.socketPath, [call('block', {}, 1), call('free', {}, 2)]);
    expect(json.map((answer: { id: number }) => answer.id)).toEqual([1, 2]);
  });

  it('that is empty is no request', async () => {
    expect((await ask(served.socketPath, [])).json).toEqual(refused('INVALID_REQUEST', null));
  });

  it('refuses the waits in it and carries out the rest', async () => {
    const { json } = await ask(served.socketPath, [call('things.wait', {}, 1), call('count', {}, 2)]);
    expect(json).toEqual([refused('INVALID_REQUEST', 1), { jsonrpc: '2.0', id: 2, result: 'counted' }]);
    expect(called).toEqual(['count']);
    expect((await ask(served.socketPath, call('things.wait', {}))).json.result).toBe('counted');
  });

  it('of the largest size is carried out, of one more not at all', async () => {
    const calls = Array.from({ length: LIMITS.maxBatchCalls }, (_, n) => call('count', {}, n));
    expect((await ask(served.socketPath, calls)).json).toHaveLength(LIMITS.maxBatchCalls);
    const { json } = await ask(served.socketPath, [...calls, call('count')]);
    expect(json).toEqual(refused('INVALID_REQUEST', null));
    expect(json.error.data.details).toEqual({ limit: 'maxBatchCalls', value: LIMITS.maxBatchCalls });
    expect(called).toHaveLength(LIMITS.maxBatchCalls);
  });
});

describe('what is no call', () => {
  it.each([
    ['an Origin', {}, { origin: 'https://x.example' }, 403, 'FORBIDDEN'],
    ['the Origin null', {}, { origin: 'null' }, 403, 'FORBIDDEN'],
    ['a Referer', {}, { referer: 'https://x.example/' }, 403, 'FORBIDDEN'],
    ['an Origin, anywhere', { path: '/elsewhere', method: 'GET' }, { origin: 'x' }, 403, 'FORBIDDEN'],
    ['another path', { path: '/' }, {}, 404, 'NOT_FOUND'],
    ['a path below', { path: '/rpc/x' }, {}, 404, 'NOT_FOUND'],
    ['a path that cannot be decoded', { path: '/%zz' }, {}, 404, 'NOT_FOUND'],
    ['GET', { method: 'GET' }, {}, 405, 'INVALID_REQUEST'],
    ['GET with a query', { method: 'GET', path: '/rpc?x=1' }, {}, 405, 'INVALID_REQUEST'],
    ['PUT', { method: 'PUT' }, {}, 405, 'INVALID_REQUEST'],
    ['OPTIONS', { method: 'OPTIONS' }, {}, 405, 'INVALID_REQUEST'],
    ['PROPFIND', { method: 'PROPFIND' }, {}, 405, 'INVALID_REQUEST'],
    ['text/plain', {}, { 'content-type': 'text/plain' }, 415, 'INVALID_REQUEST'],
    ['no content type', {}, { 'content-type': '' }, 415, 'INVALID_REQUEST'],
    ['almost JSON', {}, { 'content-type': 'application/jsonx' }, 415, 'INVALID_REQUEST'],
    ['a form', {}, { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'INVALID_REQUEST'],
  ] as const)('(%s) gets its status and the same error body', async (_what, how, headers, status, code) => {
    // Node's client sends no length with a body of these, so that it would count as a second request.
    const bare = 'method' in how && ['GET', 'OPTIONS'].includes(how.method);
    const body = bare ? '' : call('count');
    const answer = await ask(served.socketPath, body, { ...how, headers });
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual(refused(code, null));
    expect(called).toEqual([]);
  });

  it('(HEAD) gets its status', async () => {
    expect((await ask(served.socketPath, '', { method: 'HEAD' })).status).toBe(405);
  });

  it('names the allowed method', async () => {
    expect((await ask(served.socketPath, '', { method: 'GET' })).headers.allow).toBe('POST');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json ; x=y'])(
    '%s is JSON',
    async (type) => {
      expect((await ask(served.socketPath, call('echo', {}), { headers: { 'content-type': type } })).status).toBe(200);
    },
  );

  it.each(['BREAK / HTTP/9\r\n\r\n', '\0\0\0\0', 'POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'])(
    '(not HTTP: %j) is told so and the connection ends',
    async (bytes) => {
      const client = rawClient(served.socketPath);
      client.socket.write(bytes);
      expect(await client.closed).toMatch(/^HTTP\/1\.1 400 .*INVALID_REQUEST/s);
    },
  );

  it('(a head of 64 KiB) is too large', async () => {
    const client = rawClient(served.socketPath);
    client.socket.write(`POST /rpc HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`);
    expect(await client.closed).toMatch(/^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s);
  });
});

describe('the size of a body', () => {
  const bodyOf = (bytes: number): string => {
    const frame = JSON.stringify(call('echo', { text: '' }));
    return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
  };

  it('may reach the limit', async () => {
    const answer = await ask(served.socketPath, bodyOf(LIMITS.maxFrameBytes));
    expect(answer.status).toBe(200);
    expect(answer.json).toHaveProperty('result');
  });

  it.each([LIMITS.maxFrameBytes + 1, LIMITS.maxFrameBytes * 10])('of %i bytes is too large', async (bytes) => {
    const answer = await ask(served.socketPath, bodyOf(bytes));
    expect(answer.status).toBe(413);
    expect(answer.json).toEqual(refused('PAYLOAD_TOO_LARGE', null));
  });

  it('is counted too when it comes in chunks, and the next call on that connection works', async () => {
    const client = rawClient(served.socketPath);
    const chunk = `8000\r\n${'x'.repeat(0x8000)}\r\n`;
    const head = post('').replace(/Content-Length: 0/, 'Transfer-Encoding: chunked');
    client.socket.write(`${head}${chunk.repeat(4)}0\r\n\r\n`);
    expect(await client.until('}}}')).toMatch(/^HTTP\/1\.1 413 /);
    client.socket.write(post(JSON.stringify(call('echo', { after: true }))));
    expect(await client.until('"after":true')).toContain('HTTP/1.1 200 OK');
    client.socket.destroy();
  });
});

describe('the page', () => {
  it('is asked for without a connection', async () => {
    const { status, body } = await served.server.inject('/overlay/none');
    expect(status).toBe(404);
    expect(JSON.parse(body.toString())).toEqual(refused('NOT_FOUND', null));
  });
});
