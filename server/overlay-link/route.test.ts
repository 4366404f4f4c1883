import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { LINK_TOKEN_HEADER, type PageMessage } from '../protocol/link.ts';
import { type OverlayPeer, registerOverlayLink } from './route.ts';

const TOKEN = 'token-of-this-run';
let base: string;
let socketPath: string;
let app: FastifyInstance;
let peers: OverlayPeer[];
let onConnect: (peer: OverlayPeer) => void;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'link-'));
  socketPath = join(base, 's.sock');
  const overlayFolder = join(base, 'overlay');
  mkdirSync(join(overlayFolder, 'characters', 'other'), { recursive: true });
  writeFileSync(join(overlayFolder, 'index.html'), '<!doctype html>page');
  writeFileSync(join(overlayFolder, 'main.js'), 'let one;');
  writeFileSync(join(overlayFolder, 'characters', 'other', 'character.json'), '{}');
  writeFileSync(join(overlayFolder, '.hidden.js'), 'hidden');
  writeFileSync(join(base, 'secret.json'), 'precious');
  symlinkSync(join(base, 'secret.json'), join(overlayFolder, 'link.json'));
  peers = [];
  onConnect = () => {};
  app = Fastify();
  registerOverlayLink(app, {
    token: TOKEN,
    overlayFolder,
    onConnect: (peer) => {
      peers.push(peer);
      onConnect(peer);
    },
  });
  await app.listen({ path: socketPath });
});
afterEach(async () => {
  await app.close();
  rmSync(base, { recursive: true, force: true });
});

const dial = (token: string | null): WebSocket =>
  new WebSocket(`ws+unix:${socketPath}:/overlay`, token === null ? {} : { headers: { [LINK_TOKEN_HEADER]: token } });

const opened = (socket: WebSocket): Promise<unknown> =>
  new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
const statusOf = (options: RequestOptions): Promise<number | undefined> =>
  new Promise((resolve, reject) =>
    request({ socketPath, agent: false, ...options }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on('error', reject)
      .end(),
  );

describe('the websocket', () => {
  it('carries scenes out and input in', async () => {
    const received = new Promise<PageMessage>((resolve) => {
      onConnect = (peer) => peer.onMessage(resolve);
    });
    const socket = dial(TOKEN);
    await opened(socket);
    const heard = new Promise((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))));
    peers[0]!.send({ type: 'ping', n: 7 });
    expect(await heard).toEqual({ type: 'ping', n: 7 });
    socket.send('not JSON');
    socket.send('{"type":"unknown"}');
    socket.send(Buffer.from('{"type":"pong","n":1}'), { binary: true });
    socket.send('{"type":"pong","n":7}');
    expect(await received).toEqual({ type: 'pong', n: 7 });
    socket.terminate();
  });

  it.each([null, '', 'x', `${TOKEN}x`, TOKEN.slice(1)])('does not exist for the token %j', async (token) => {
    await expect(opened(dial(token))).rejects.toThrow('404');
    expect(peers).toEqual([]);
  });

  it('is no page', async () => {
    expect(await statusOf({ path: '/overlay', headers: { [LINK_TOKEN_HEADER]: TOKEN } })).toBe(404);
  });

  it('serves one peer: the newest, once the one before has been told', async () => {
    const order: string[] = [];
    onConnect = (peer) => {
      const name = `peer ${peers.length}`;
      order.push(`${name} came`);
      peer.onClose(() => order.push(`${name} went`));
    };
    const first = dial(TOKEN);
    await opened(first);
    const closed = new Promise((resolve) => first.once('close', resolve));
    const second = dial(TOKEN);
    await opened(second);
    await closed;
    expect(order).toEqual(['peer 1 came', 'peer 1 went', 'peer 2 came']);
    peers[0]!.send({ type: 'ping', n: 1 });
    const heard = new Promise((resolve) => second.once('message', (data) => resolve(String(data))));
    peers[1]!.send({ type: 'ping', n: 2 });
    expect(await heard).toBe('{"type":"ping","n":2}');
    second.terminate();
  });

  it('says when its peer is gone', async () => {
    const gone = new Promise<void>((resolve) => {
      onConnect = (peer) => peer.onClose(resolve);
    });
    const socket = dial(TOKEN);
    await opened(socket);
    socket.terminate();
    await gone;
  });
});

describe('the page’s files', () => {
  it('come with a policy that lets nothing in or out', async () => {
    const answer = await app.inject('/overlay/');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('<!doctype html>page');
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
    );
    expect(answer.headers['content-security-policy']).not.toContain('unsafe');
  });

  it.each([
    ['/overlay/main.js', 'text/javascript; charset=utf-8'],
    ['/overlay/main.js?v=1', 'text/javascript; charset=utf-8'],
  ])('%s is %s', async (path, type) => {
    const answer = await app.inject(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
  });

  it.each([
    '/overlay/none.js',
    '/overlay/characters',
    '/overlay/characters/',
    '/overlay/../secret.json',
    '/overlay/%2e%2e/secret.json',
    '/overlay/%2e%2e%2fsecret.json',
    '/overlay/..%5csecret.json',
    '/overlay/characters/../../secret.json',
    '/overlay//etc/passwd',
    '/overlay/main.js%00.html',
    '/overlay/.hidden.js',
    '/overlay/link.json',
  ])('%s is none of them', async (path) => {
    const answer = await app.inject(path);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('precious');
  });

  it('do not exist for programs on the socket, whatever they know', async () => {
    expect(await statusOf({ path: '/overlay/' })).toBe(404);
    expect(await statusOf({ path: '/overlay/main.js', headers: { [LINK_TOKEN_HEADER]: TOKEN } })).toBe(404);
  });
});
