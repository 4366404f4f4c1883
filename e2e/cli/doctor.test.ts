import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeHost } from '../../cli/client/fake-host.ts';
import type { Finding } from '../../cli/doctor/finding.ts';
import {
  answers,
  CLI,
  type Env,
  endAll,
  finish,
  kill,
  runCli,
  socketOf,
  startProgram,
  startServe,
} from '../faults/processes.ts';
import { isolatedEnv, until } from '../harness.ts';

// The program as a user runs it, on this very machine: whatever the machine lacks, only what a test has broken may be a problem.
let home: string;
let env: Env;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'doctor-'));
  env = isolatedEnv(home);
});
afterEach(async () => {
  await endAll();
  rmSync(home, { recursive: true, force: true });
});

interface Diagnosis {
  readonly code: number | string;
  readonly ok: boolean;
  /** By ID. */
  readonly checks: Readonly<Record<string, Finding>>;
  readonly problems: readonly string[];
}

async function doctor(more: Env = {}): Promise<Diagnosis> {
  const { code, out, err } = await runCli({ ...env, ...more }, 'doctor', '--json');
  expect(err).toBe('');
  const { ok, checks } = JSON.parse(out) as { readonly ok: boolean; readonly checks: readonly Finding[] };
  expect(code).toBe(ok ? 0 : 5);
  const problems = checks.filter(({ status }) => status === 'problem').map(({ id }) => id);
  return { code, ok, checks: Object.fromEntries(checks.map((check) => [check.id, check])), problems };
}

/** A host without a window; resolves when it answers. */
async function serve() {
  const host = startServe(env);
  await answers(host, socketOf(env));
  return host;
}

const folderOf = (): string => dirname(socketOf(env));

describe('doctor', () => {
  it('from an empty home without a display finds no problem, and leaves nothing behind', async () => {
    const bare = { HOME: join(home, 'bare') };
    mkdirSync(bare.HOME, { mode: 0o700 });
    const { code, out, err } = await runCli(bare, 'doctor', '--json');
    const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Finding[] };
    expect([code, ok, err]).toEqual([0, true, '']);
    const warned = checks.filter(({ status }) => status === 'warning').map(({ id }) => id);
    expect(warned).toEqual(expect.arrayContaining(['display', 'runtime-folder']));
    expect(checks.find(({ id }) => id === 'chromium')?.seen).toMatch(/\d+\.\d+/);
    expect(readdirSync(bare.HOME)).toEqual([]);
  });

  it('in words says the same, without colour', async () => {
    const { code, out, err } = await runCli({ ...env, DISPLAY: 'zero' }, 'doctor');
    expect([code, err]).toEqual([5, '']);
    expect(out).toMatch(/^PROBLEM {2}Display: DISPLAY is zero/);
    expect(out).toMatch(/\n\n1 problem, .*\d+ fine\.\n$/);
    expect(out).not.toContain('\u001b');
  });

  it('tells a display that nobody serves', async () => {
    const { problems, checks } = await doctor({ DISPLAY: ':64999' });
    expect(problems).toEqual(['display']);
    expect(checks.display?.seen).toBe('Nothing answers at :64999.');
  });

  it('tells Wayland without XWayland', async () => {
    expect((await doctor({ WAYLAND_DISPLAY: 'wayland-0' })).problems).toEqual(['display']);
  });

  it('tells a display that answers from one that refuses', async () => {
    const auth = join(home, 'auth');
    const cookie = '0123456789abcdef0123456789abcdef';
    expect((await finish(startProgram('xauth', ['-f', auth, 'add', ':0', '.', cookie], env))).code).toBe(0);
    // The number is not known before the server runs, and it takes the cookie whatever display that was made for.
    const server = startProgram('Xvfb', ['-displayfd', '1', '-auth', auth, '-nolisten', 'tcp'], env);
    const number = await until('the X server runs', () => /^\d+$/m.exec(server.out())?.[0]);
    const key = join(home, 'key');
    await finish(startProgram('xauth', ['-f', key, 'add', `:${number}`, '.', cookie], env));
    const welcome = await doctor({ DISPLAY: `:${number}`, XAUTHORITY: key });
    expect(welcome.checks.display).toMatchObject({ status: 'ok', seen: `:${number} answers.` });
    const refused = await doctor({ DISPLAY: `:${number}`, XAUTHORITY: join(home, 'none') });
    expect(refused.problems).toEqual(['display']);
    expect(refused.checks.display?.seen).toContain('refuses this user');
  });

  it('tells a socket folder that is open to others, and what mends it', async () => {
    mkdirSync(folderOf());
    chmodSync(folderOf(), 0o755);
    const { problems, checks } = await doctor();
    expect(problems).toEqual(['runtime-folder']);
    expect(checks['runtime-folder']?.mend).toBe(`Run: chmod 700 ${folderOf()}`);
    chmodSync(folderOf(), 0o700);
    expect((await doctor()).ok).toBe(true);
  });

  it('tells a path that is too long for a socket', async () => {
    expect((await doctor({ COMPANION_SOCKET: join(home, 'x'.repeat(120)) })).problems).toEqual(['runtime-folder']);
  });

  it('tells what the settings have wrong, in the host’s own words', async () => {
    mkdirSync(join(home, 'config', 'companion'));
    writeFileSync(join(home, 'config', 'companion', 'config.json'), '{"size":3}');
    const { problems, checks } = await doctor();
    expect(problems).toEqual(['settings']);
    expect(checks.settings?.seen).toContain('unknown setting size');
  });

  it('tells a browser that is named and cannot be run, and one that is none', async () => {
    expect((await doctor({ COMPANION_CHROMIUM: '/gone' })).problems).toEqual(['chromium']);
    expect((await doctor({ COMPANION_CHROMIUM: '/bin/false' })).checks.chromium?.status).toBe('warning');
  });

  it.runIf(process.getuid?.() === 0)('warns root, and not an ordinary user', async () => {
    expect((await doctor()).checks).toMatchObject({ user: { status: 'warning' }, sandbox: { status: 'warning' } });
    const place = join(home, 'nobody');
    mkdirSync(place);
    chmodSync(home, 0o711);
    chmodSync(place, 0o777);
    const args = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, CLI, 'doctor', '--json'];
    const { out } = await finish(startProgram('setpriv', args, { HOME: place }));
    const { checks } = JSON.parse(out) as { checks: Finding[] };
    expect(checks.find(({ id }) => id === 'user')?.status).toBe('ok');
    expect(checks.find(({ id }) => id === 'sandbox')?.seen).not.toContain('root');
  });
});

describe('doctor, beside a companion', () => {
  it('says that one runs, and that nobody can see it', async () => {
    const { pid } = await serve();
    const { problems, checks } = await doctor();
    expect(problems).toEqual([]);
    expect(checks.instances?.seen).toBe(`One runs, process ${pid}.`);
    expect(checks.socket).toMatchObject({ status: 'ok', seen: `A companion answers at ${socketOf(env)}` });
    expect(checks.window).toMatchObject({ status: 'warning', seen: expect.stringContaining('headless') });
  });

  it('believes what it has told of its desktop, such as taken hotkeys, as long as it lives', async () => {
    const overlay = {
      state: 'up',
      backend: 'x11',
      transparent: true,
      alwaysOnTop: true,
      clickThrough: true,
      positioned: true,
    };
    const host = await startFakeHost(() => ({
      result: { overlay, access: 'on', accepting: { ok: true, reason: null } },
    }));
    const hotkeys = [{ action: 'focus', keys: 'Ctrl+Alt+Space', grabbed: false }];
    const tell = (pid: number): void => {
      mkdirSync(join(home, 'state', 'companion'), { recursive: true });
      const report = { pid, at: 0, overlay, compositor: false, windowManager: 'Openbox', hotkeys };
      writeFileSync(join(home, 'state', 'companion', 'desktop.json'), JSON.stringify(report));
    };
    tell(process.pid);
    const { problems, checks } = await doctor({ COMPANION_SOCKET: host.socketPath });
    tell(2 ** 22 + 1);
    const late = await doctor({ COMPANION_SOCKET: host.socketPath });
    await host.stop();
    expect(problems).toEqual([]);
    expect(checks.hotkeys).toMatchObject({
      status: 'warning',
      seen: 'Taken by another program, or not on this keyboard: Ctrl+Alt+Space (focus).',
      mend: expect.stringContaining('"hotkeys": { "focus": "Ctrl+Alt+Space"'),
    });
    expect(checks.desktop?.seen).toContain('Openbox, no compositor');
    expect(late.checks.hotkeys?.status).toBe('ok');
  });

  it('sees what one has left that was ended by force', async () => {
    await kill(await serve());
    const { problems, checks } = await doctor();
    expect(problems).toEqual([]);
    expect(checks.socket).toMatchObject({ status: 'warning', seen: expect.stringContaining('by force') });
    expect(checks.instances?.seen).toBe('None runs.');
  });

  it('says that it listens elsewhere than this shell looks', async () => {
    const { pid } = await serve();
    const { problems, checks } = await doctor({ XDG_RUNTIME_DIR: join(home, 'data') });
    expect(problems).toEqual(['instances']);
    expect(checks.instances?.seen).toContain(`process ${pid}, but listens in ${folderOf()}`);
  });

  it('says that two run: one with this socket, one with this state', async () => {
    const { pid } = await serve();
    const other = { ...env, XDG_RUNTIME_DIR: join(home, 'data'), XDG_STATE_HOME: join(home, 'config') };
    await answers(startServe(other), socketOf(other));
    const { problems, checks } = await doctor({ XDG_RUNTIME_DIR: join(home, 'data') });
    expect(problems).toEqual(['instances']);
    expect(checks.instances?.mend).toContain(`kill ${pid}`);
  });

  it('says that it is no companion, when it is none', async () => {
    mkdirSync(folderOf(), { mode: 0o700 });
    const stranger = createServer((_request, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => stranger.listen(socketOf(env), resolve));
    const { problems } = await doctor();
    stranger.closeAllConnections();
    await new Promise((resolve) => stranger.close(resolve));
    expect(problems).toEqual(['socket']);
  });
});
