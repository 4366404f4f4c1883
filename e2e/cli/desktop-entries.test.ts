import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostCommand } from '../../cli/desktop/host-command.ts';
import type { Io } from '../../cli/io.ts';
import {
  CLI,
  describeHost,
  type Env,
  endAll,
  type Finished,
  finish,
  isAlive,
  runCli,
  socketOf,
  startProgram,
  treeOf,
} from '../faults/processes.ts';
import { openShell } from '../faults/shell.ts';
import { enableAccess } from '../faults/user.ts';
import { isolatedEnv, launchCompanion, until } from '../harness.ts';

// What the desktop is told to start, written by the real program, and read by those who will read it: systemd and GLib.
const OUT = join(import.meta.dirname, '..', '..', 'out');
const has = (program: string): boolean =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));

/** A checkout in a temporary folder is refused what is tried here, as it should be. */
const lasts = !/^\/(tmp|var\/tmp|dev\/shm)\//.test(CLI);

let home: string;
let env: Env;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'desktop-'));
  env = isolatedEnv(home);
});
afterEach(async () => {
  await endAll();
  rmSync(home, { recursive: true, force: true });
});

const everything = (): string[] => readdirSync(home, { recursive: true, encoding: 'utf8' }).sort();

/** A `systemctl` first on the PATH that answers as told and keeps what it was asked. */
function stub(state: string, target = 'active'): { readonly env: Env; calls(): string } {
  const folder = mkdtempSync(join(home, 'stub-'));
  const log = join(folder, 'calls');
  writeFileSync(
    join(folder, 'systemctl'),
    `#!/bin/sh\necho "$*" >> "${log}"\ncase "$2" in is-system-running) echo ${state};; is-active) echo ${target};; esac\n`,
    { mode: 0o755 },
  );
  const calls = () => readFileSync(log, 'utf8');
  return { env: { ...env, PATH: `${folder}:${process.env.PATH}` }, calls };
}

async function only(run: Promise<Finished>): Promise<Record<string, unknown>> {
  const { code, out, err } = await run;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

describe.runIf(lasts)('autostart', () => {
  it('is off until asked, then a user service, then gone', async () => {
    expect(await only(runCli(env, 'autostart', 'status', '--json'))).toMatchObject({ enabled: false, by: null });
    const manager = stub('running');
    const before = everything();
    const enabled = await only(runCli(manager.env, 'autostart', 'enable', '--json'));
    const file = join(home, 'config', 'systemd', 'user', 'companion.service');
    const status = {
      enabled: true,
      by: 'systemd',
      file,
      exec: hostCommand({ program: () => [process.execPath, CLI] }),
      repair: null,
    };
    expect(enabled).toEqual(status);
    expect(await only(runCli(env, 'autostart', 'status', '--json'))).toEqual(status);
    await only(runCli(manager.env, 'autostart', 'disable', '--json'));
    const left = everything().filter((name) => !name.endsWith('calls'));
    expect(left).toEqual(before);
    expect(manager.calls().match(/^--user daemon-reload$/gm)).toHaveLength(2);
  });

  it.each([
    ['no manager answers', 'offline', 'inactive'],
    ['the desktop never reaches its target', 'running', 'inactive'],
  ])('is an XDG entry where %s', async (_why, state, target) => {
    const manager = stub(state, target);
    const file = join(home, 'config', 'autostart', 'companion.desktop');
    expect(await only(runCli({ ...manager.env, DISPLAY: ':0' }, 'autostart', 'enable', '--json'))).toMatchObject({
      enabled: true,
      by: 'xdg',
      file,
    });
    const { code, out } = await runCli(manager.env, 'autostart', 'disable');
    expect([code, out]).toEqual([0, `Removed ${file}\n`]);
    expect(existsSync(join(home, 'config', 'autostart'))).toBe(false);
  });

  it('without any systemctl is an XDG entry', async () => {
    const program = startProgram(process.execPath, [CLI, 'autostart', 'enable', '--json'], { ...env, PATH: home });
    expect(await only(finish(program))).toMatchObject({ by: 'xdg' });
  });

  it('leaves a file alone that it did not make', async () => {
    const folder = join(home, 'config', 'autostart');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'companion.desktop'), 'mine\n');
    const { code, out } = await runCli({ ...stub('offline').env }, 'autostart', 'enable', '--json');
    expect([code, JSON.parse(out).error.code]).toEqual([5, 'REFUSED']);
    expect(readFileSync(join(folder, 'companion.desktop'), 'utf8')).toBe('mine\n');
  });
});

describe('a program in a temporary place', () => {
  it('is refused to be started with the desktop', async () => {
    const copy = join(home, 'cli.cjs');
    copyFileSync(CLI, copy);
    const { code, out } = await finish(startProgram(process.execPath, [copy, 'autostart', 'enable', '--json'], env));
    expect([code, JSON.parse(out).error]).toMatchObject([5, { code: 'REFUSED', details: { path: copy } }]);
  });
});

describe.runIf(lasts)('in a folder with every character that means something to somebody', () => {
  const NAME = `odd $HOME \${X} %h %% "q" \\b's; \`w\` é #1 & (x) ~ * ?`;
  let folder: string;
  beforeEach(() => {
    mkdirSync(OUT, { recursive: true });
    folder = join(mkdtempSync(join(OUT, 'entries-')), NAME);
    mkdirSync(folder);
    copyFileSync(process.execPath, join(folder, 'node'));
    for (const name of ['cli.cjs', 'icon.png']) copyFileSync(join(CLI, '..', name), join(folder, name));
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  const companion = (at: Env, ...args: readonly string[]): Promise<Finished> =>
    finish(startProgram(join(folder, 'node'), [join(folder, 'cli.cjs'), ...args], at));

  it.runIf(has('systemd-analyze'))('systemd finds nothing wrong with the unit, and the program in it', async () => {
    const { file } = await only(companion(stub('running').env, 'autostart', 'enable', '--json'));
    const verify = () => finish(startProgram('systemd-analyze', ['--user', 'verify', String(file)], env));
    expect(await verify()).toMatchObject({ code: 0, err: '' });
  });

  it.runIf(has('gio')).each([
    ['autostart', 'enable', 'config/autostart', hostCommand],
    ['launcher', 'add', 'data/applications', ({ program }: Pick<Io, 'program'>) => [...program(), 'open']],
  ] as const)('GLib starts what %s %s has written', async (noun, verb, where, commandOf) => {
    await only(companion({ ...env, PATH: home }, noun, verb, '--json'));
    const said = join(home, 'said');
    // In Node's place something that tells what it was given.
    rmSync(join(folder, 'node'));
    writeFileSync(
      join(folder, 'node'),
      `#!/bin/sh\nprintf '%s\\n' "$0" "$@" > "${said}.new"\nmv "${said}.new" "${said}"\n`,
    );
    chmodSync(join(folder, 'node'), 0o755);
    const launch = ['launch', join(home, where, 'companion.desktop')];
    expect(await finish(startProgram('gio', launch, env))).toMatchObject({ code: 0 });
    await until('it was started', () => existsSync(said), 10_000);
    const command = commandOf({ program: () => [join(folder, 'node'), join(folder, 'cli.cjs')] });
    expect(readFileSync(said, 'utf8')).toBe(`${command.join('\n')}\n`);
  });
});

describe.runIf(lasts)('launcher', () => {
  it('is added with an icon, told and removed without a trace', async () => {
    const before = everything();
    const added = await only(runCli(env, 'launcher', 'add', '--json'));
    expect(added).toMatchObject({ added: true, exec: [process.execPath, CLI, 'open'], repair: null });
    const icon = readFileSync(String(added.icon));
    // Signature, then width and height: a PNG as big as its folder says.
    expect([icon.toString('latin1', 1, 4), icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual(['PNG', 256, 256]);
    expect(await only(runCli(env, 'launcher', 'status', '--json'))).toEqual(added);
    await only(runCli(env, 'launcher', 'remove', '--json'));
    expect(everything()).toEqual(before);
  });

  it.runIf(has('desktop-file-validate'))('writes entries that are valid', async () => {
    const { file } = await only(runCli(env, 'launcher', 'add', '--json'));
    const { file: other } = await only(runCli({ ...env, PATH: home }, 'autostart', 'enable', '--json'));
    const args = [String(file), String(other)];
    expect(await finish(startProgram('desktop-file-validate', args))).toEqual({ code: 0, out: '', err: '' });
  });
});

describe('open', () => {
  /** The companion of this home, by who holds its state; it is nobody's child any more. */
  async function openedPid(): Promise<number | null> {
    const { checks } = JSON.parse((await runCli(env, 'doctor', '--json')).out) as {
      checks: readonly { readonly id: string; readonly seen: string }[];
    };
    const told = /process (\d+)/.exec(checks.find(({ id }) => id === 'instances')!.seen)?.[1];
    return told === undefined ? null : Number(told);
  }
  afterEach(async () => {
    const pid = await openedPid();
    if (pid === null) return;
    const tree = treeOf(pid);
    process.kill(pid, 'SIGTERM');
    await until('it has ended', () => !tree.some(isAlive));
  });

  it('starts a companion that outlives it, and only one', async () => {
    expect(await only(runCli(env, 'open', '--json'))).toEqual({ started: true, shown: false });
    const pid = await openedPid();
    expect(await describeHost(socketOf(env))).not.toBeNull();
    expect(await only(runCli(env, 'open', '--json'))).toEqual({ started: false, shown: false });
    expect([pid, await openedPid()]).toEqual([expect.any(Number), pid]);
  });

  it('brings a hidden figure back with the key that the user paired for that, and not without', async () => {
    const companion = await launchCompanion();
    try {
      await enableAccess(companion.page);
      const [own, other] = [openShell(companion), openShell(companion)];
      expect((await own.pair('My control', ['vendor.internal.companion.control'])).code).toBe(0);
      expect((await own.run('hide')).code).toBe(0);
      const refused = await other.run('open', '--json');
      expect([refused.code, JSON.parse(refused.out).error.code]).toEqual([3, 'CREDENTIAL_MISSING']);
      expect(await only(own.run('open', '--json'))).toEqual({ started: false, shown: true });
      await companion.page.waitForSelector('[data-character][data-clip]');
    } finally {
      await companion.stop();
    }
  });

  it('clicked twice starts one', async () => {
    const opened = await Promise.all([runCli(env, 'open', '--json'), runCli(env, 'open', '--json')]);
    expect(opened.map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
    ]);
  });

  it('says so when the companion does not start', async () => {
    mkdirSync(join(home, 'config', 'companion'));
    writeFileSync(join(home, 'config', 'companion', 'config.json'), '{"size":3}');
    const { code, out } = await runCli(env, 'open', '--json');
    expect([code, JSON.parse(out).error]).toMatchObject([5, { code: 'START_FAILED', retryable: false }]);
    expect(JSON.parse(out).error.message).toContain('unknown setting size');
  });
});
