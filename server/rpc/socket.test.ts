import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '../protocol/limits.ts';
import { ask, call, fakeDoor } from './rpc.fixture.ts';
import { type RpcServer, serveRpc } from './serve.ts';
import { AlreadyRunning, prepareSocket, SocketRefused } from './socket.ts';

let base: string;
let folder: string;
let socketPath: string;
let closers: (() => unknown)[];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'socket-'));
  folder = join(base, 'companion');
  socketPath = join(folder, 'companion.sock');
  closers = [];
});
afterEach(async () => {
  for (const close of closers) await close();
  rmSync(base, { recursive: true, force: true });
});

const start = async (path = socketPath): Promise<RpcServer> => {
  const server = await serveRpc({
    claim: await prepareSocket(path, () => {}),
    door: fakeDoor(),
    limits: LIMITS,
    hookMethod: 'things.hook',
    log: () => {},
  });
  closers.push(() => server.close());
  return server;
};
const modeOf = (path: string): number => lstatSync(path).mode & 0o777;
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'started',
    (error: { code?: unknown }) => error.code,
  );

/** A socket file that nobody listens on any more, as a killed host leaves it. */
function leaveStaleSocket(): void {
  mkdirSync(folder, { mode: 0o700 });
  const script = `require('net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`;
  try {
    execFileSync(process.execPath, ['-e', script], { stdio: 'ignore' });
  } catch {
    // Killed, as intended.
  }
}

describe('the socket', () => {
  it('has mode 0600 in a folder of mode 0700 that is made with it', async () => {
    await start();
    expect(modeOf(socketPath)).toBe(0o600);
    expect(modeOf(folder)).toBe(0o700);
    expect(readdirSync(folder)).toEqual(['companion.sock']);
    expect((await ask(socketPath, call('echo', { ok: true }))).json.result).toEqual({ ok: true });
  });

  it('is gone after closing, and can be taken again', async () => {
    await (await start()).close();
    expect(readdirSync(folder)).toEqual([]);
    await start();
    expect((await ask(socketPath, call('echo', {}))).status).toBe(200);
  });

  it('stays when another has taken its name in the meantime', async () => {
    const server = await start();
    rmSync(socketPath);
    writeFileSync(socketPath, 'not ours');
    await server.close();
    expect(readFileSync(socketPath, 'utf8')).toBe('not ours');
  });
});

describe('a folder', () => {
  it('that is a link is refused', async () => {
    mkdirSync(join(base, 'real'), { mode: 0o700 });
    symlinkSync(join(base, 'real'), folder);
    expect(await codeOf(start())).toBe('SOCKET_FOLDER_UNSAFE');
    expect(readdirSync(join(base, 'real'))).toEqual([]);
  });

  it.each([0o755, 0o777, 0o710, 0o701])('of mode %o is refused, and not repaired in silence', async (mode) => {
    mkdirSync(folder);
    chmodSync(folder, mode);
    await expect(start()).rejects.toThrow(/0700/);
    expect(modeOf(folder)).toBe(mode);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that is a file is refused', async () => {
    writeFileSync(folder, 'x');
    await expect(start()).rejects.toThrow(
      new SocketRefused('SOCKET_FOLDER_UNSAFE', `the socket folder ${folder} is a link or no folder`),
    );
    expect(readFileSync(folder, 'utf8')).toBe('x');
  });

  // Only root can give a folder away.
  it.runIf(process.getuid?.() === 0)('of another owner is refused', async () => {
    mkdirSync(folder, { mode: 0o700 });
    execFileSync('chown', ['65534', folder]);
    expect(await codeOf(start())).toBe('SOCKET_FOLDER_UNSAFE');
  });
});

describe('the path', () => {
  it('may have as many bytes as the system allows, and no more', async () => {
    const room = 107 - Buffer.byteLength(folder) - 1;
    await start(join(folder, 'x'.repeat(room)));
    const error = await start(join(folder, 'x'.repeat(room + 1))).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SocketRefused);
    expect((error as SocketRefused).code).toBe('SOCKET_PATH_TOO_LONG');
    expect((error as SocketRefused).message).toContain('108 bytes');
  });

  it('that a live socket holds is ALREADY_RUNNING, and the live one goes on', async () => {
    await start();
    await expect(start()).rejects.toBeInstanceOf(AlreadyRunning);
    expect((await ask(socketPath, call('echo', { ok: true }))).json.result).toEqual({ ok: true });
    expect(readdirSync(folder)).toEqual(['companion.sock']);
  });

  it('that a live socket of a stranger holds is left alone too', async () => {
    mkdirSync(folder, { mode: 0o700 });
    const stranger: Server = createServer();
    await new Promise<void>((resolve) => stranger.listen(socketPath, resolve));
    closers.push(() => new Promise((resolve) => stranger.close(resolve)));
    expect(await codeOf(start())).toBe('ALREADY_RUNNING');
    expect(existsSync(socketPath)).toBe(true);
  });

  it('that a dead socket holds is taken over', async () => {
    leaveStaleSocket();
    expect(lstatSync(socketPath).isSocket()).toBe(true);
    await start();
    expect((await ask(socketPath, call('echo', {}))).status).toBe(200);
    expect(readdirSync(folder)).toEqual(['companion.sock']);
  });

  it.each([
    ['a file', () => writeFileSync(socketPath, 'precious')],
    ['a folder', () => mkdirSync(socketPath)],
    ['a FIFO', () => execFileSync('mkfifo', [socketPath])],
    ['a dangling link', () => symlinkSync(join(base, 'nowhere'), socketPath)],
  ])('that %s holds is refused, and it stays', async (_what, squat) => {
    mkdirSync(folder, { mode: 0o700 });
    squat();
    const before = lstatSync(socketPath);
    expect(await codeOf(start())).toBe('SOCKET_PATH_TAKEN');
    expect(lstatSync(socketPath).ino).toBe(before.ino);
    expect(readdirSync(folder)).toEqual(['companion.sock']);
  });
});

describe('several starters at once', () => {
  it.each([
    ['on a free path', () => {}],
    ['on a stale socket', leaveStaleSocket],
  ])('%s: exactly one wins, and the others take nothing from it', async (_where, prepare) => {
    prepare();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => codeOf(start())));
    expect([...outcomes].sort()).toEqual([...Array(7).fill('ALREADY_RUNNING'), 'started']);
    expect(outcomes.filter((outcome) => outcome === 'ALREADY_RUNNING')).toHaveLength(7);
    expect((await ask(socketPath, call('echo', { ok: true }))).json.result).toEqual({ ok: true });
    expect(readdirSync(folder)).toEqual(['companion.sock']);
  });
});
