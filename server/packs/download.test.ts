/** Downloads: resumed, measured and vouched for while they come. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { download } from './download.ts';
import { answer, serve } from './http.fixture.ts';
import { newFolder } from './library.fixture.ts';
import type { Location } from './source.ts';

const BODY = Buffer.alloc(200_000, 'pack');
const sha256 = createHash('sha256').update(BODY).digest('hex');

function prepare(location: Location, size = BODY.length) {
  const path = join(newFolder(), 'x.part');
  const seen: number[] = [];
  const cancel = new AbortController();
  const onBytes = (bytes: number): void => {
    seen.push(bytes);
    atBytes.get(bytes)?.();
    atBytes.delete(bytes);
  };
  const steps = { signal: cancel.signal, unpaused: async () => {}, onBytes };
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  return { path, seen, cancel, steps, waits, run: () => download({ location, size, sha256 }, path, steps, wait) };
}

/** By how many bytes are here: what happens then. */
const atBytes = new Map<number, () => void>();

/**
 * Cuts the connection after `bytes` of what it sends, and not before they are here: what still lies in a client's memory when the
 * connection breaks is lost.
 */
function breakOff(request: IncomingMessage, response: ServerResponse, bytes: number): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const range = from > 0 && { 'content-range': `bytes ${from}-${BODY.length - 1}/${BODY.length}` };
  atBytes.set(from + bytes, () => response.destroy());
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': BODY.length - from, ...range });
  response.write(BODY.subarray(from, from + bytes));
}

const onDisk = (content: Buffer): Location => {
  const path = join(newFolder(), 'pack.zip');
  writeFileSync(path, content);
  return { kind: 'path', path };
};

describe('a download', () => {
  it('from a folder is the file', async () => {
    const { path, seen, run } = prepare(onDisk(BODY));
    await run();
    expect(readFileSync(path).equals(BODY)).toBe(true);
    expect(seen.at(-1)).toBe(BODY.length);
  });

  it('goes on where an earlier run stopped', async () => {
    const server = await serve((request, response) => answer(request, response, BODY));
    const { path, run } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    writeFileSync(path, BODY.subarray(0, 150_000));
    await run();
    expect(server.requests).toEqual([{ path: '/pack.zip', range: 'bytes=150000-' }]);
    expect(readFileSync(path).equals(BODY)).toBe(true);
  });

  it('asks for nothing when all of it is there', async () => {
    const { path, run } = prepare({ kind: 'path', path: '/nowhere/pack.zip' });
    writeFileSync(path, BODY);
    await run();
  });

  it('begins anew when what was there was wrong, or too much', async () => {
    for (const before of [Buffer.alloc(150_000, 'x'), Buffer.alloc(BODY.length, 'x'), Buffer.alloc(300_000)]) {
      const { path, run } = prepare(onDisk(BODY));
      writeFileSync(path, before);
      await run();
      expect(readFileSync(path).equals(BODY)).toBe(true);
    }
  });

  it.each([
    ['shorter', BODY.subarray(0, 100_000), /has 100000 bytes, the index says 200000/],
    ['longer', Buffer.concat([BODY, BODY]), /has more than the 200000 bytes/],
    ['another', Buffer.alloc(BODY.length, 'x'), /does not have the SHA-256/],
  ])('of a file that is %s than the index says is refused, and nothing of it kept', async (_how, content, reason) => {
    const { path, run } = prepare(onDisk(content));
    await expect(run()).rejects.toMatchObject({ code: 'E_INVALID_INPUT', message: expect.stringMatching(reason) });
    expect(existsSync(path)).toBe(false);
  });

  it('stops writing as soon as a server sends more than the index says', async () => {
    const server = await serve((_request, response) => {
      const more = (): void => void response.write(BODY, more);
      more();
    });
    const { run } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    await expect(run()).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
  });

  it('that breaks off goes on from there, after longer and longer waits', async () => {
    let requests = 0;
    const server = await serve((request, response) => {
      requests += 1;
      if (requests <= 3) breakOff(request, response, 50_000);
      else answer(request, response, BODY);
    });
    const { path, run, waits, seen } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    await run();
    expect(server.requests.map(({ range }) => range)).toEqual([
      undefined,
      'bytes=50000-',
      'bytes=100000-',
      'bytes=150000-',
    ]);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits).toHaveLength(3);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(readFileSync(path).equals(BODY)).toBe(true);
  });

  it('that breaks off begins anew where the server gives no part', async () => {
    let requests = 0;
    const server = await serve((request, response) => {
      requests += 1;
      delete request.headers.range;
      if (requests === 1) breakOff(request, response, 50_000);
      else answer(request, response, BODY);
    });
    const { path, run } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    await run();
    expect(server.requests).toHaveLength(2);
    expect(readFileSync(path).equals(BODY)).toBe(true);
  });

  it('that breaks off again and again is given up, and keeps what came for the next run', async () => {
    let isWell = false;
    const server = await serve((request, response) =>
      isWell ? answer(request, response, BODY) : breakOff(request, response, 10_000),
    );
    const { path, run } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    await expect(run()).rejects.toMatchObject({ code: 'E_NETWORK', message: expect.stringContaining('broke off') });
    expect(server.requests).toHaveLength(4);
    expect(statSync(path).size).toBe(40_000);
    isWell = true;
    await run();
    expect(server.requests.at(-1)).toEqual({ path: '/pack.zip', range: 'bytes=40000-' });
    expect(readFileSync(path).equals(BODY)).toBe(true);
  });

  it('whose server has gone in the middle is tried again, and then given up', async () => {
    const server = await serve((request, response) => {
      server.stop();
      breakOff(request, response, 10_000);
    });
    const { run, waits } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    await expect(run()).rejects.toMatchObject({ code: 'E_NETWORK' });
    expect(waits).toHaveLength(3);
  });

  it.each([
    ['cannot be reached', null],
    ['answers with an error', 500],
    ['has no such file', 404],
  ])('from a server that %s is not tried again: nothing has begun', async (_, status) => {
    const server = await serve((_request, response) => void response.writeHead(status ?? 200).end());
    if (status === null) server.stop();
    const { run, waits } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    await expect(run()).rejects.toMatchObject({ code: status === 404 ? 'E_NOT_FOUND' : 'E_NETWORK' });
    expect(waits).toEqual([]);
  });

  it('is cancelled while it waits to go on, and waits for the end of a pause', async () => {
    const server = await serve((request, response) => breakOff(request, response, 10_000));
    const { path, cancel, steps } = prepare({ kind: 'http', url: `${server.url}/pack.zip` });
    let paused = 0;
    steps.unpaused = async () => {
      paused += 1;
    };
    const wait = async (_ms: number, signal: AbortSignal): Promise<void> => {
      cancel.abort();
      signal.throwIfAborted();
    };
    const wanted = { location: { kind: 'http', url: `${server.url}/pack.zip` } as const, size: BODY.length, sha256 };
    await expect(download(wanted, path, steps, wait)).rejects.toMatchObject({ code: 'E_CANCELLED' });
    expect(server.requests).toHaveLength(1);
    expect(paused).toBeGreaterThan(0);
  });

  it('of what is not there, or no file, says so', async () => {
    await expect(prepare({ kind: 'path', path: join(newFolder(), 'none.zip') }).run()).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
      message: expect.stringContaining('none.zip'),
    });
    const folder = join(newFolder(), 'folder.zip');
    mkdirSync(folder);
    await expect(prepare({ kind: 'path', path: folder }).run()).rejects.toMatchObject({ code: 'E_INVALID_INPUT' });
  });

  it('takes no byte while it is paused', async () => {
    const { seen, run, steps } = prepare(onDisk(BODY));
    let resume: () => void = () => {};
    const paused = new Promise<void>((begun) => {
      steps.unpaused = () => {
        begun();
        return new Promise((resolve) => {
          resume = resolve;
        });
      };
    });
    const done = run().catch((error: unknown) => error);
    await paused;
    const before = seen.length;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(seen.length).toBe(before);
    resume();
    expect(await done).toBeUndefined();
  });

  it('ends between two chunks when it is cancelled', async () => {
    const { seen, run, steps, cancel } = prepare(onDisk(Buffer.alloc(3_000_000)), 3_000_000);
    let asked = 0;
    steps.unpaused = async () => {
      asked += 1;
      if (asked === 2) cancel.abort();
    };
    await expect(run()).rejects.toMatchObject({ code: 'E_CANCELLED' });
    expect(seen.at(-1)).toBeLessThan(3_000_000);
  });

  it('on a full disk is E_DISK_FULL', async () => {
    const { steps } = prepare(onDisk(BODY));
    await expect(
      download({ location: onDisk(BODY), size: BODY.length, sha256 }, '/dev/full', steps),
    ).rejects.toMatchObject({ code: 'E_DISK_FULL' });
  });
});
