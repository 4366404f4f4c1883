/** Files over HTTP: bounded in time, redirects and trust. */
import { describe, expect, it } from 'vitest';
import { answer, serve } from './http.fixture.ts';
import { getHttp } from './http.ts';

const LIMITS = { idleMs: 20_000, totalMs: 20_000 };
const never = new AbortController().signal;
const BODY = Buffer.from('a pack of bytes');

async function read(url: string, fromByte = 0, limits = LIMITS, signal = never) {
  const { startsAt, chunks } = await getHttp(url, fromByte, limits, signal);
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return { startsAt, text: Buffer.concat(parts).toString() };
}

describe('a file over HTTP', () => {
  it('comes whole, or from a byte on', async () => {
    const server = await serve((request, response) => answer(request, response, BODY));
    expect(await read(`${server.url}/pack.zip`)).toEqual({ startsAt: 0, text: BODY.toString() });
    expect(await read(`${server.url}/pack.zip`, 7)).toEqual({ startsAt: 7, text: BODY.subarray(7).toString() });
    expect(server.requests.map(({ range }) => range)).toEqual([undefined, 'bytes=7-']);
  });

  it.each<[string, (range: string | undefined) => { status: number; headers: Record<string, string> }]>([
    ['says nothing of parts', () => ({ status: 200, headers: {} })],
    ['refuses the part', (range) => ({ status: range === undefined ? 200 : 416, headers: {} })],
    [
      'gives another part',
      (range) => ({ status: range === undefined ? 200 : 206, headers: { 'content-range': 'bytes 3-14/15' } }),
    ],
  ])('comes from the beginning when the server %s', async (_how, reply) => {
    const server = await serve((request, response) => {
      const { status, headers } = reply(request.headers.range);
      response.writeHead(status, headers).end(BODY);
    });
    expect(await read(`${server.url}/pack.zip`, 7)).toEqual({ startsAt: 0, text: BODY.toString() });
  });

  it('is found behind five redirects, and not behind six', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) answer(request, response, BODY);
      else response.writeHead(302, { location: `/${left - 1}` }).end('moved');
    });
    expect((await read(`${server.url}/5`)).text).toBe(BODY.toString());
    await expect(read(`${server.url}/6`)).rejects.toMatchObject({
      code: 'E_NETWORK',
      message: expect.stringContaining('more than 5 times'),
    });
  });

  it.each([
    ['to a file of this machine', 'file:///etc/passwd'],
    ['with a password', 'http://user:secret@127.0.0.1/'],
    ['to what is no URL', 'http://['],
  ])('is not looked for behind a redirect %s', async (_where, location) => {
    const server = await serve((_request, response) => void response.writeHead(302, { location }).end());
    const error = await read(server.url).catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 'E_NETWORK', message: expect.stringContaining('redirects to') });
    expect((error as Error).message).not.toContain('secret');
  });

  it.each([
    [404, 'E_NOT_FOUND'],
    [410, 'E_NOT_FOUND'],
    [403, 'E_NETWORK'],
    [500, 'E_NETWORK'],
    [204, 'E_NETWORK'],
  ])('that is answered with status %d is refused with %s', async (status, code) => {
    const server = await serve((_request, response) => void response.writeHead(status).end());
    await expect(read(`${server.url}/x.zip`)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('x.zip'),
    });
  });

  it('that nobody serves is E_NETWORK with the reason', async () => {
    const server = await serve((request) => request.socket.destroy());
    await expect(read(server.url)).rejects.toMatchObject({
      code: 'E_NETWORK',
      message: expect.stringMatching(/cannot be reached \(\w+\)/),
    });
  });

  it('that breaks off is E_NETWORK', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('begun', () => response.destroy());
    });
    await expect(read(server.url)).rejects.toMatchObject({ code: 'E_NETWORK' });
  });

  it.each([
    ['never answers', () => {}],
    ['stops in the middle', (response: { write(text: string): unknown }) => response.write('begun')],
  ])('is given up when the server %s', async (_how, handle) => {
    const server = await serve((_request, response) => void handle(response));
    await expect(read(server.url, 0, { idleMs: 50, totalMs: 20_000 })).rejects.toMatchObject({
      code: 'E_NETWORK',
      message: expect.stringContaining('takes too long'),
    });
  });

  it('is given up when it has taken too long in all, however steadily it drips', async () => {
    const server = await serve((_request, response) => {
      const timer = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(timer));
    });
    await expect(read(server.url, 0, { idleMs: 20_000, totalMs: 100 })).rejects.toMatchObject({ code: 'E_NETWORK' });
  });

  it('ends with E_CANCELLED when the signal aborts, before the answer and in the middle of it', async () => {
    for (const begins of [false, true]) {
      const cancel = new AbortController();
      const server = await serve((_request, response) => {
        if (begins) response.write('begun', () => cancel.abort());
        else cancel.abort();
      });
      await expect(read(server.url, 0, LIMITS, cancel.signal)).rejects.toMatchObject({ code: 'E_CANCELLED' });
    }
  });
});
