import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeHandler, type FakeHost, snapshot, startFakeHost } from '../../cli/client/fake-host.ts';
import { writeCredential } from '../../cli/profiles.ts';

// The program as a process: what only pipes, signals and exit codes can show. Everything else is tested beside the code.
const ROOT = join(import.meta.dirname, '..', '..');
const CLI = join(ROOT, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).bin.companion);
const KEY = 'cmp_secret';
const CHOICES = ['--choice', 'yes=Yes', '--choice', 'no=No'];

const hosts: FakeHost[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const host of hosts.splice(0)) await host.stop();
});

async function open(handler: FakeHandler): Promise<FakeHost> {
  const host = await startFakeHost(handler);
  hosts.push(host);
  const folder = join(host.home, '.config', 'companion', 'credentials');
  writeCredential(folder, 'p', { key: KEY, clientId: 'c', name: 'p', scopes: ['notify'] });
  return host;
}

function start(host: FakeHost, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [CLI, ...args], { env: { ...host.env, PATH: process.env.PATH } });
  children.push(child);
  return child;
}

async function finish(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    err += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, out, err };
}

describe('the program', () => {
  it('prints one JSON value larger than any pipe and ends', async () => {
    const text = '蓝é'.repeat(200_000);
    const host = await open(() => ({ result: { text } }));
    const { code, out, err } = await finish(start(host, ['rpc', 'discover']));
    expect([code, err]).toEqual([0, '']);
    // Compared here: a difference would print a megabyte.
    expect(JSON.parse(out).text === text).toBe(true);
  });

  it('does not mind a reader that goes away', async () => {
    const host = await open(() => ({ result: { text: 'x'.repeat(2_000_000) } }));
    const child = start(host, ['rpc', 'discover']);
    child.stdout?.destroy();
    const { code, err } = await finish(child);
    expect([code, err]).toEqual([0, '']);
  });

  it('reads the parameters of a request from standard input', async () => {
    const host = await open(() => ({ result: snapshot() }));
    const child = start(host, ['requests', 'create', '--file', '-']);
    child.stdin?.end('{"capability":"notice.show","params":{"text":"é"}}');
    expect((await finish(child)).code).toBe(0);
    expect(host.calls[0]?.params).toMatchObject({ params: { text: 'é' } });
  });

  it('refuses input that is not UTF-8', async () => {
    const host = await open(() => ({ result: snapshot() }));
    const child = start(host, ['requests', 'create', '--file', '-']);
    child.stdin?.end(Buffer.from([0x7b, 0xff, 0x7d]));
    const { code, out } = await finish(child);
    expect([code, JSON.parse(out).error.code]).toEqual([2, 'INVALID_PARAMS']);
  });

  it.each([
    ['cancels a question nobody could ask for again', [], ['requests.create', 'requests.wait', 'requests.cancel']],
    ['leaves a question with a key open', ['--idempotency-key', 'k'], ['requests.create', 'requests.wait']],
  ])('on Ctrl-C %s', async (_what, args, methods) => {
    let waiting = () => {};
    const reached = new Promise<void>((resolve) => {
      waiting = resolve;
    });
    const host = await open(({ method }) => {
      if (method !== 'requests.wait') return { result: snapshot() };
      waiting();
      return 'silence';
    });
    const child = start(host, ['ask', 'Q', ...CHOICES, ...args]);
    const ended = finish(child);
    await reached;
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, out: '' });
    expect(host.calls.map(({ method }) => method)).toEqual(methods);
  });

  it('exits 4 at once when nobody listens', async () => {
    const host = await open(() => 'silence');
    const child = spawn(process.execPath, [CLI, 'notify', 'Hi'], {
      env: { HOME: host.home, PATH: process.env.PATH },
    });
    children.push(child);
    const ended = finish(child);
    // The promise is two seconds; a busy machine may take longer to start Node alone.
    const watchdog = setTimeout(() => child.kill('SIGKILL'), 10_000);
    const { code, out, err } = await ended;
    clearTimeout(watchdog);
    expect([code, out]).toEqual([4, '']);
    expect(err).toMatch(/^companion: UNREACHABLE: /);
  });

  it('says so when its answer cannot be written, and does not end well', async () => {
    const host = await open(() => ({ result: snapshot() }));
    for (const args of ['--version', 'runtime describe']) {
      const shell = spawn('sh', ['-c', `"${process.execPath}" "${CLI}" ${args} > /dev/full`], {
        env: { HOME: host.home, PATH: process.env.PATH, COMPANION_SOCKET: host.socketPath },
      });
      children.push(shell);
      const { code, err } = await finish(shell);
      expect(code, err).toBe(5);
      expect(err).toContain('The output cannot be written.');
    }
  });

  it('loads nothing for a notice that it can do without', async () => {
    const host = await open(() => ({ result: snapshot() }));
    const hook = join(host.home, 'hook.cjs');
    writeFileSync(
      hook,
      `process.on('exit', () => require('fs').writeSync(2, JSON.stringify(process.moduleLoadList)));`,
    );
    const child = spawn(process.execPath, ['--require', hook, CLI, 'notify', 'Hi'], { env: { ...host.env } });
    children.push(child);
    const { code, err } = await finish(child);
    expect(code).toBe(0);
    const loaded = (JSON.parse(err) as string[]).map((name) => name.replace(/^NativeModule /, ''));
    expect(loaded).toContain('net');
    const spared = ['child_process', 'crypto', 'dns', 'fs/promises', 'http', 'os', 'readline', 'tty', 'zlib'];
    expect(loaded.filter((name) => spared.includes(name))).toEqual([]);
  });

  it.runIf(existsSync('/proc/self/cmdline'))('keeps the key out of its arguments and environment', async () => {
    let look = (_call: unknown) => {};
    const reached = new Promise((resolve) => {
      look = resolve;
    });
    const host = await open((call) => {
      look(call);
      return 'silence';
    });
    const child = start(host, ['ask', 'Q', ...CHOICES]);
    const { headers } = (await reached) as FakeHost['calls'][number];
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    for (const file of ['cmdline', 'environ']) {
      expect(readFileSync(`/proc/${child.pid}/${file}`, 'utf8')).not.toContain(KEY);
    }
  });
});
