import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CLI, type Env, endAll, finish, isAlive, startProgram } from '../faults/processes.ts';
import { isolatedEnv, until } from '../harness.ts';
import { SPEAKER, startWatching, type Watching } from './watching.ts';

// The program under `watch` and `run` is the program: same output, same input, same signals, same end.
let w: Watching;
let bare: Env;
let home: string | undefined;
beforeAll(async () => {
  w = await startWatching();
  home = mkdtempSync(join(tmpdir(), 'companion-bare-'));
  bare = isolatedEnv(home);
});
afterEach(endAll);
afterAll(async () => {
  await w?.stop();
  if (home) rmSync(home, { recursive: true, force: true });
});

const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');
const steps = (...list: object[]): readonly string[] => [process.execPath, SPEAKER, JSON.stringify(list)];

/** Beside a companion, and where there is none. */
const PLACES = [
  ['watch', 'beside a companion'],
  ['run', 'beside a companion'],
  ['watch', 'without one'],
  ['run', 'without one'],
] as const;
const envOf = (place: string): Env => (place === 'without one' ? bare : w.shell.env);

const start = (verb: string, place: string, ...words: readonly string[]) =>
  startProgram(process.execPath, [CLI, verb, '--', ...words], envOf(place));

describe.each(PLACES)('%s, %s', (verb, place) => {
  it('hands on every byte of both streams, and the exit code', async () => {
    const script =
      'head -c 3000000 /dev/zero | tr "\\0" "\\377"; printf "\\0half {\\"kind\\":"; echo problem >&2; exit 42';
    const args = ['-c', script];
    const child = spawn(process.execPath, [CLI, verb, '--', 'sh', ...args], {
      env: { PATH: process.env.PATH, ...envOf(place) },
    });
    const chunks: Buffer[] = [];
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    const plain = spawnSync('sh', args, { maxBuffer: 2 ** 24 });
    expect(code).toBe(42);
    expect(hashOf(Buffer.concat(chunks))).toBe(hashOf(plain.stdout));
    expect(err.endsWith('problem\n')).toBe(true);
  });

  it('hands the arguments on as they were typed, with and without dashes before them', async () => {
    const words = ['--json', '-h', 'a b', '', '--', '$HOME', '*'];
    const print = 'process.stdout.write(JSON.stringify(process.argv.slice(1)))';
    const typed = await finish(start(verb, place, process.execPath, '-e', print, '--', ...words));
    expect(JSON.parse(typed.out)).toEqual(words);
    const short = startProgram(process.execPath, [CLI, verb, 'echo', '--help'], envOf(place));
    expect((await finish(short)).out).toContain(spawnSync('echo', ['--help'], { encoding: 'utf8' }).stdout);
  });

  it('hands on the input, and its end', async () => {
    const program = start(verb, place, 'sh', '-c', 'cat; echo over');
    program.child.stdin?.end(Buffer.alloc(1_000_000, 'line\n'));
    const { code, out } = await finish(program);
    expect([code, hashOf(out)]).toEqual([0, hashOf(`${'line\n'.repeat(200_000)}over\n`)]);
  });

  it('gives it streams that can be opened by name', async () => {
    const script = 'echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/stdin';
    // A shell makes pipes; what Node makes for its children are sockets, which cannot be opened.
    const line = 'echo in | "$@" 2>&1 | cat';
    const words = [process.execPath, CLI, verb, '--', 'sh', '-c', script];
    const { out } = await finish(startProgram('sh', ['-c', line, 'sh', ...words], envOf(place)));
    expect(
      out
        .split('\n')
        .filter((text) => ['out', 'err', 'in'].includes(text))
        .sort(),
    ).toEqual(['err', 'in', 'out']);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)('ends by %s when it does', async (signal) => {
    expect(await start(verb, place, 'sh', '-c', `kill -${signal.slice(3)} $$`).ended).toBe(signal);
  });

  it('tells of other signals by the exit code', async () => {
    expect(await start(verb, place, 'sh', '-c', 'ulimit -c 0; kill -ABRT $$').ended).toBe(134);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1'] as const)('hands %s on, once', async (signal) => {
    const program = start(verb, place, ...steps({ ignore: [signal] }, { say: 'ready\n' }, { hear: 1 }, { exit: 9 }));
    await until('it is ready', () => program.out().includes('ready'));
    program.child.kill(signal);
    await until('it was told', () => program.err().includes(`got ${signal}`));
    program.child.stdin?.write('go on\n');
    const { code, err } = await finish(program);
    expect([code, err.split(`got ${signal}`).length - 1]).toEqual([9, 1]);
  });

  it.each([
    ['nonesuch', 127],
    ['', 127],
    ['/etc/passwd', 126],
    ['/nonesuch/program', 127],
  ])('ends with its code when %s cannot be started', async (name, code) => {
    const { code: ended, out, err } = await finish(start(verb, place, name));
    expect([ended, out]).toEqual([code, '']);
    expect(err).toContain('cannot be started');
  });

  it('ends when the program has ended, whoever still holds its output', async () => {
    const program = start(verb, place, ...steps({ say: 'before\n' }, { fork: 60_000 }, { exit: 5 }));
    const ended = new Promise((resolve) => program.child.once('exit', resolve));
    expect(await ended).toBe(5);
    expect(program.out()).toBe('before\n');
  });

  it('lets the program find out that nobody reads any more', async () => {
    const program = start(verb, place, 'sh', '-c', 'trap "" PIPE; while echo x; do :; done 2>/dev/null; exit 7');
    await until('it prints', () => program.out().includes('x'));
    program.child.stdout?.destroy();
    expect(await program.ended).toBe(7);
  });

  it('needs nobody to read, and loses nothing to who reads late', async () => {
    const count = 300_000;
    const child = spawn(process.execPath, [CLI, verb, '--', 'seq', String(count)], {
      env: { PATH: process.env.PATH, ...envOf(place) },
    });
    let out = '';
    child.stdout.setEncoding('utf8');
    // The pipe is full long before anybody looks into it.
    await until('it waits', () => child.stdout.readableLength > 0);
    child.stdout.on('data', (chunk: string) => {
      out += chunk;
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(out.trimEnd().split('\n')).toHaveLength(count);
    expect(out.endsWith(`${count}\n`)).toBe(true);
  });
});

it('says in one line why it runs without a companion', async () => {
  const { err, out, code } = await finish(start('run', 'without one', 'echo', 'hello'));
  expect([code, out]).toEqual([0, 'hello\n']);
  expect(err).toMatch(/^companion: .*\n$/);
});

describe('on a terminal', () => {
  /** `script` gives it a terminal; what is typed there goes in, what is shown comes out. */
  const inTerminal = (env: Env, ...words: readonly string[]) => {
    const line = [process.execPath, CLI, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    return startProgram('script', ['-qefc', line, '/dev/null'], env);
  };

  it('run leaves the program its terminal', async () => {
    const program = inTerminal(w.shell.env, 'run', '--', 'sh', '-c', 'test -t 0 && test -t 1 && test -t 2 && echo all');
    await until('it has looked', () => program.out().includes('all'));
    expect(await program.ended).toBe(0);
  });

  it.each(['watch', 'run'])(
    'under %s Ctrl-C interrupts the program once, and a direct signal reaches it too',
    async (verb) => {
      const program = inTerminal(
        w.shell.env,
        verb,
        '--',
        ...steps({ ignore: ['SIGINT'] }, { say: 'ready\n' }, { stay: 1 }),
      );
      await until('it is ready', () => program.out().includes('ready'));
      program.child.stdin?.write('\x03');
      await until('it was told', () => program.out().includes('got SIGINT'));
      const pid = Number(spawnSync('pgrep', ['-P', String(program.pid)], { encoding: 'utf8' }).stdout.split('\n')[0]);
      const companionPid = isCompanion(pid) ? pid : childOf(pid);
      process.kill(companionPid, 'SIGINT');
      await until('it was told again', () => program.out().split('got SIGINT').length === 3);
      process.kill(companionPid, 'SIGTERM');
      await program.ended;
      expect(program.out().split('got SIGINT')).toHaveLength(3);
      expect(isAlive(companionPid)).toBe(false);
    },
  );
});

const cmdlineOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
const isCompanion = (pid: number): boolean => cmdlineOf(pid).startsWith(`${process.execPath} ${CLI}`);
const childOf = (pid: number): number =>
  Number(spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout.split('\n')[0]);
