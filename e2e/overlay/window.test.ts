import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OverlayPeer, registerOverlayLink } from '../../server/overlay-link/route.ts';
import { ANONYMOUS } from '../../server/protocol/actor.ts';
import { LIMITS } from '../../server/protocol/limits.ts';
import type { PageMessage } from '../../server/protocol/link.ts';
import { type RpcServer, serveRpc } from '../../server/rpc/serve.ts';
import { prepareSocket } from '../../server/rpc/socket.ts';
import { findChromium } from '../../server/window/find-chromium.ts';
import { openWindow, type Window, type WindowState } from '../../server/window/open-window.ts';

/** Longer than the path of a socket may be. */
const PROFILE = `profile-${'x'.repeat(100)}`;

const chromiumPath = findChromium(null, process.env);

/** A page that says when it is ready, answers every ping once painted, and tells by `trouble` what it could load. */
const PAGE = `
const send = (message) => window.__companionSend(JSON.stringify(message));
window.__companionReceive = ({ n }) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => send({ type: 'pong', n });
  channel.port2.postMessage(0);
});
send({ type: 'ready', systemReducedMotion: false });
const tell = (where) => send({ type: 'trouble', where });
new Worker('worker.js').onmessage = () => tell('worker');
fetch('data.json').then(() => tell('data'));
for (const url of ['https://elsewhere.example/', '/rpc', 'http://127.0.0.1:9/']) fetch(url).then(() => tell('LEAK'), () => tell('blocked'));
`;

let base: string;
let server: RpcServer;
let window: Window;
let states: WindowState[];
let peers: OverlayPeer[];
let heard: PageMessage[];

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'window-'));
  const overlayFolder = join(base, 'overlay');
  mkdirSync(overlayFolder);
  writeFileSync(
    join(overlayFolder, 'index.html'),
    '<!doctype html><title>t</title><p>page<script src="main.js"></script>',
  );
  writeFileSync(join(overlayFolder, 'main.js'), PAGE);
  writeFileSync(join(overlayFolder, 'worker.js'), 'postMessage(1)');
  writeFileSync(join(overlayFolder, 'data.json'), '{}');
  states = [];
  peers = [];
  heard = [];
  const token = randomBytes(32).toString('base64url');
  const socketPath = join(base, 'run', 'with:colon.sock');
  server = await serveRpc({
    claim: await prepareSocket(socketPath, () => {}),
    door: { authenticate: () => ANONYMOUS, waits: () => undefined, call: async () => null },
    limits: LIMITS,
    hookMethod: 'things.hook',
    log: () => {},
    register: (app) =>
      registerOverlayLink(app, {
        token,
        overlayFolder,
        onConnect: (peer) => {
          peers.push(peer);
          peer.onMessage((message) => heard.push(message));
        },
      }),
  });
  window = openWindow({
    chromiumPath: chromiumPath!,
    where: { kind: 'headless' },
    env: process.env,
    userDataDir: join(base, PROFILE),
    inject: server.inject,
    socketPath,
    token,
    onState: (state) => states.push(state),
    onFacts: () => {},
    log: () => {},
  });
});
afterEach(async () => {
  await window.close();
  await server.close();
  rmSync(base, { recursive: true, force: true });
});

const SOON = { timeout: 20_000, interval: 10 };
const up = (times = 1): Promise<void> =>
  vi.waitFor(() => expect(states.filter((state) => state === 'up')).toHaveLength(times), SOON);
const browserPid = (): number => window.page()!.browser().process()!.pid!;

async function pong(n: number): Promise<void> {
  peers.at(-1)!.send({ type: 'ping', n });
  await vi.waitFor(() => expect(heard).toContainEqual({ type: 'pong', n }), SOON);
}

/** IDs of living processes of a group. */
const groupOf = (group: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'latin1')
          .replace(/^.*\) /s, '')
          .split(' ');
        return Number(pgrp) === group && state !== 'Z';
      } catch {
        return false;
      }
    })
    .map(Number);

describe.runIf(chromiumPath !== null)('the window', () => {
  it('carries messages both ways, loads only what is ours, and opens no port', async () => {
    await up();
    expect(states).toEqual(['starting', 'up']);
    expect(window.facts()).toMatchObject({ state: 'up', backend: 'headless' });
    await pong(1);
    await vi.waitFor(() => {
      const told = heard.filter((message) => message.type === 'trouble').map((message) => message.where);
      expect(told.sort()).toEqual(['blocked', 'blocked', 'blocked', 'data', 'worker']);
    }, SOON);
    const pids = groupOf(browserPid());
    expect(pids.length).toBeGreaterThan(1);
    // No process of Chromium listens, nor holds a UDP port.
    const sockets = execFileSync('ss', ['-lntupH'], { encoding: 'utf8' });
    for (const pid of pids) expect(sockets).not.toContain(`pid=${pid},`);
  });

  it('paints promptly without the flags that forbid resting', async () => {
    await up();
    await pong(0);
    const took: number[] = [];
    for (let n = 1; n <= 20; n += 1) {
      const from = performance.now();
      await pong(n);
      took.push(performance.now() - from);
    }
    took.sort((a, b) => a - b);
    expect(took[10]).toBeLessThan(250);
  });

  it('is new to the host after a reload, while puppeteer works on the same page', async () => {
    await up();
    await pong(1);
    const page = window.page()!;
    expect(await page.$eval('p', (element) => element.textContent)).toBe('page');
    await page.reload();
    await up(2);
    expect(peers).toHaveLength(2);
    await pong(2);
  });

  it('comes back when Chromium is killed, with nothing of the old one left', async () => {
    await up();
    const pid = browserPid();
    process.kill(pid, 'SIGKILL');
    await up(2);
    expect(states).toEqual(['starting', 'up', 'down', 'starting', 'up']);
    expect(groupOf(pid)).toEqual([]);
    await pong(1);
  });

  it('comes back when the page’s own process is killed', async () => {
    await up();
    const renderer = groupOf(browserPid()).find((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer'),
    );
    const from = performance.now();
    process.kill(renderer!, 'SIGKILL');
    await vi.waitFor(() => expect(states).toContain('down'), SOON);
    expect(performance.now() - from).toBeLessThan(2_000);
    await up(2);
  });

  it('comes back when the page hangs', async () => {
    await up();
    await pong(1);
    const from = performance.now();
    window
      .page()!
      .evaluate('for (;;);')
      .catch(() => {});
    peers.at(-1)!.send({ type: 'ping', n: 2 });
    await vi.waitFor(() => expect(states).toContain('down'), SOON);
    expect(performance.now() - from).toBeLessThan(5_000);
    await up(2);
    await pong(3);
  });

  it('gives up after three crashes in a minute', async () => {
    for (let times = 1; times <= 3; times += 1) {
      // Not waiting for the page: on a busy machine three whole starts might take longer than the minute.
      await vi.waitFor(() => expect(window.page()).not.toBeNull(), SOON);
      process.kill(browserPid(), 'SIGKILL');
      await vi.waitFor(() => expect(window.page()).toBeNull(), SOON);
    }
    await vi.waitFor(() => expect(states.at(-1)).toBe('failed'), SOON);
    expect(window.page()).toBeNull();
    expect(window.facts().state).toBe('down');
  });

  it('leaves no process and no folder when it is closed', async () => {
    await up();
    const pid = browserPid();
    const lock = dirname(readlinkSync(join(base, PROFILE, 'SingletonSocket')));
    expect(existsSync(lock)).toBe(true);
    await window.close();
    expect(groupOf(pid)).toEqual([]);
    expect(existsSync(join(base, PROFILE))).toBe(false);
    expect(existsSync(lock)).toBe(false);
  });

  it('can be closed while it is starting', async () => {
    await window.close();
    expect(existsSync(join(base, PROFILE))).toBe(false);
    expect(states.at(-1)).toBe('down');
  });
});
