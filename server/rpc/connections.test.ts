import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Door } from '../protocol/door.ts';
import type { Limits } from '../protocol/limits.ts';
import { ask, call, fakeDoor, post, rawClient, type Served, serve } from './rpc.fixture.ts';

let served: Served;
afterEach(() => served.stop());

const start = async (limits: Partial<Limits>, calls: Partial<Record<string, Door['call']>> = {}): Promise<string> => {
  served = await serve(fakeDoor(calls), limits);
  return served.socketPath;
};

/** A call that goes on until the test lets it end. */
function held(result: string) {
  let end: () => void = () => {};
  const done = new Promise<string>((resolve) => {
    end = () => resolve(result);
  });
  const answer = vi.fn(() => done);
  return { answer, end, hasBegun: () => vi.waitFor(() => expect(answer).toHaveBeenCalled()) };
}

const elapsedMs = async (work: Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work;
  return performance.now() - from;
};

describe('a request that arrives too slowly', () => {
  const LIMIT_MS = 150;
  const MARGIN_MS = 1_000;

  it.each([
    ['half a head', 'POST /rpc HTTP/1.1\r\nHost: x\r\n'],
    ['one byte', 'P'],
    ['half a body', post('{"jsonrpc":"2.0"}').slice(0, -4)],
    ['an unfinished chunk', `${post('').replace('Content-Length: 0', 'Transfer-Encoding: chunked')}10\r\nabc`],
  ])('(%s) gets 408 and the end of the connection', async (_what, bytes) => {
    const client = rawClient(await start({ receiveTimeoutMs: LIMIT_MS }));
    client.socket.write(bytes);
    const took = await elapsedMs(client.closed);
    expect(client.received()).toMatch(/^HTTP\/1\.1 408 .*INVALID_REQUEST/s);
    expect(took).toBeGreaterThan(LIMIT_MS - 20);
    expect(took).toBeLessThan(LIMIT_MS + MARGIN_MS);
  });

  it('is not saved by a steady drip of bytes', async () => {
    const client = rawClient(await start({ receiveTimeoutMs: LIMIT_MS }));
    client.socket.write('POST /rpc HTTP/1.1\r\nHost: x\r\nX: ');
    const drip = setInterval(() => client.socket.write('x'), 20);
    const took = await elapsedMs(client.closed);
    clearInterval(drip);
    expect(took).toBeLessThan(LIMIT_MS + MARGIN_MS);
  });

  it('is noticed behind a complete one in the same chunk', async () => {
    const client = rawClient(await start({ receiveTimeoutMs: LIMIT_MS }));
    client.socket.write(`${post(JSON.stringify(call('echo', { n: 1 })))}POST /rpc HT`);
    const took = await elapsedMs(client.closed);
    expect(client.received()).toMatch(/^HTTP\/1\.1 200 .*"n":1.*HTTP\/1\.1 408 /s);
    expect(took).toBeLessThan(LIMIT_MS + MARGIN_MS);
  });

  it('is ended too when its refusal has been sent before its body', async () => {
    const client = rawClient(await start({ receiveTimeoutMs: LIMIT_MS }));
    client.socket.write(post('').replace('Content-Length: 0', 'Content-Length: 999999'));
    expect(await client.closed).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('leaves others alone', async () => {
    const socketPath = await start({ receiveTimeoutMs: LIMIT_MS });
    const slow = rawClient(socketPath);
    slow.socket.write('POST');
    expect((await ask(socketPath, call('echo', { ok: true }))).json.result).toEqual({ ok: true });
    await slow.closed;
    expect((await ask(socketPath, call('echo', { ok: true }))).json.result).toEqual({ ok: true });
  });

  it('is told from a call that is being carried out, which may take longer', async () => {
    const { answer, end, hasBegun } = held('late');
    const socketPath = await start({ receiveTimeoutMs: 50, idleTimeoutMs: 60 }, { 'things.wait': answer });
    const asked = ask(socketPath, call('things.wait'));
    await hasBegun();
    // Both times pass for others who came later.
    const [slow, silent] = [rawClient(socketPath), rawClient(socketPath)];
    slow.socket.write('POST');
    await Promise.all([slow.closed, silent.closed]);
    end();
    expect((await asked).json.result).toBe('late');
  });
});

describe('a silent connection', () => {
  it.each([
    ['that never asked anything', ''],
    ['that has its answer', post(JSON.stringify(call('echo', {})))],
  ])('%s ends after the idle time', async (_what, bytes) => {
    const client = rawClient(await start({ idleTimeoutMs: 200, receiveTimeoutMs: 50 }));
    if (bytes !== '') client.socket.write(bytes);
    // Node grants kept connections one second more, so that an answer and a new request do not cross.
    expect(await elapsedMs(client.closed)).toBeGreaterThan(180);
    expect(client.received()).not.toContain('408');
  });
});

describe('pipelined calls', () => {
  it('are answered in the order they came', async () => {
    const { answer, end } = held('slow');
    const socketPath = await start({}, { slow: answer });
    const client = rawClient(socketPath);
    client.socket.write(
      post(JSON.stringify(call('slow', {}, 1))) +
        post(JSON.stringify(call('echo', { n: 2 }, 2))) +
        post(JSON.stringify(call('echo', { n: 3 }, 3))),
    );
    await ask(socketPath, call('echo', {}));
    end();
    const got = await client.until('"n":3');
    expect(got.match(/"id":\d/g)).toEqual(['"id":1', '"id":2', '"id":3']);
    client.socket.destroy();
  });
});

describe('the signal of a call', () => {
  it('aborts when the caller goes away', async () => {
    let signal: AbortSignal | undefined;
    const socketPath = await start(
      {},
      {
        'things.wait': (_actor, _method, _params, given) => {
          signal = given;
          return new Promise((resolve) => given.addEventListener('abort', () => resolve(null), { once: true }));
        },
      },
    );
    const client = rawClient(socketPath);
    client.socket.write(post(JSON.stringify(call('things.wait'))));
    await vi.waitFor(() => expect(signal?.aborted).toBe(false));
    client.socket.destroy();
    await vi.waitFor(() => expect(signal?.aborted).toBe(true));
  });

  it('is one per connection, and stays quiet between calls', async () => {
    const signals: AbortSignal[] = [];
    const socketPath = await start({}, { look: async (_a, _m, _p, signal) => signals.push(signal) });
    const client = rawClient(socketPath);
    client.socket.write(post(JSON.stringify(call('look', {}, 1))));
    await client.until('"id":1');
    client.socket.write(post(JSON.stringify(call('look', {}, 2))));
    await client.until('"id":2');
    expect(signals[0]).toBe(signals[1]);
    expect(signals[0]?.aborted).toBe(false);
    client.socket.destroy();
  });
});

describe('the number of connections', () => {
  it('is bounded: one more is closed at once, and one that leaves makes room', async () => {
    const socketPath = await start({ maxConnections: 3 });
    const kept = [1, 2, 3].map(() => rawClient(socketPath));
    for (const client of kept) {
      client.socket.write(post(JSON.stringify(call('echo', { here: true }))));
      await client.until('"here":true');
    }
    const surplus = rawClient(socketPath);
    expect(await surplus.closed).toBe('');
    kept[0]!.socket.destroy();
    await kept[0]!.closed;
    await vi.waitFor(async () => {
      expect((await ask(socketPath, call('echo', {}))).status).toBe(200);
    });
    for (const client of kept) client.socket.destroy();
  });
});

describe('closing', () => {
  it('lets a running call end, and then ends the connections', async () => {
    const { answer, end, hasBegun } = held('done');
    const socketPath = await start({}, { slow: answer });
    const busy = rawClient(socketPath);
    const idle = rawClient(socketPath);
    busy.socket.write(post(JSON.stringify(call('slow'))));
    idle.socket.write(post(JSON.stringify(call('echo', { here: true }))));
    await idle.until('"here":true');
    await hasBegun();
    const closed = served.server.close();
    end();
    await closed;
    expect(await busy.closed).toContain('done');
    await idle.closed;
  });

  it('does not wait for a caller that waits', async () => {
    const socketPath = await start({}, { 'things.wait': () => new Promise(() => {}) });
    const waiting = rawClient(socketPath);
    waiting.socket.write(post(JSON.stringify(call('things.wait'))));
    await ask(socketPath, call('echo', {}));
    expect(await elapsedMs(served.server.close())).toBeLessThan(3_000);
    await waiting.closed;
  });
});
