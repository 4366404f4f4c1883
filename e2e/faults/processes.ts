/** Real processes of ours, to be starved, traced and killed. Whatever is started here is ended by `endAll`, by its process ID. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../harness.ts';
import { type Caller, createCaller } from './caller.ts';

export const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.cjs');
const HOST_PROCESS = join(import.meta.dirname, 'host-process.mjs');

export type Env = Readonly<Record<string, string>>;

export interface Started {
  readonly child: ChildProcess;
  readonly pid: number;
  out(): string;
  err(): string;
  /** The exit code, or the signal's name, once its streams are closed too. */
  readonly ended: Promise<number | string>;
}

const started = new Set<Started>();

/** Starts a program with nothing in its environment but `env` and PATH. */
export function startProgram(command: string, args: readonly string[], env: Env = {}): Started {
  const child = spawn(command, args, { env: { PATH: process.env.PATH, ...env }, stdio: 'pipe' });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal ?? -1));
  });
  ended.catch(() => {});
  const program = { child, pid: child.pid ?? 0, out: () => out, err: () => err, ended };
  started.add(program);
  return program;
}

/** `companion …` as a process. */
export const startCli = (env: Env, ...args: readonly string[]): Started =>
  startProgram(process.execPath, [CLI, ...args], env);

export interface Finished {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

export async function finish(program: Started): Promise<Finished> {
  const code = await program.ended;
  return { code, out: program.out(), err: program.err() };
}

/** Runs `companion …` to its end. */
export const runCli = (env: Env, ...args: readonly string[]): Promise<Finished> => finish(startCli(env, ...args));

/** Where the host of `env` listens. */
export const socketOf = (env: Env): string => join(env.XDG_RUNTIME_DIR ?? '', 'companion', 'companion.sock');

/** Starts `companion serve --headless`. */
export const startServe = (env: Env): Started => startCli(env, 'serve', '--headless');

/** What `runtime.describe` tells anybody; null while nobody answers. */
export async function describeHost(socketPath: string): Promise<{
  readonly runtimeInstanceId: string;
  readonly storageSince: string;
  readonly accepting: { readonly ok: boolean };
} | null> {
  const stranger: Caller = createCaller(socketPath, null);
  try {
    return await stranger.call('runtime.describe');
  } catch {
    return null;
  } finally {
    stranger.close();
  }
}

/** Looks until the host answers. Throws at once when its process has ended. */
export async function answers(
  host: Started,
  socketPath: string,
): Promise<NonNullable<Awaited<ReturnType<typeof describeHost>>>> {
  return until(`a host answers; it said: ${host.err()}`, async () => {
    if (host.child.exitCode !== null) throw new Error(`the host has ended: ${host.err()}`);
    return describeHost(socketPath);
  });
}

/** Looks until the host takes creates: its page is up and access is on. */
export async function accepts(host: Started, socketPath: string): Promise<void> {
  await until('the host accepts creates', async () => {
    if (host.child.exitCode !== null) throw new Error(`the host has ended: ${host.err()}`);
    return (await describeHost(socketPath))?.accepting.ok;
  });
}

export interface HostProcess extends Started {
  readonly socketPath: string;
  /** Presses this button as the user would; resolves when the press counted. */
  press(selector: string): Promise<void>;
  /** From now on every question is answered with this option as soon as it is there. */
  answerAll(option: string): Promise<void>;
}

/** Runs Node with these arguments; as another user, say. */
export type NodeCommand = (program: string, ...args: readonly string[]) => readonly [string, ...string[]];

/**
 * A whole companion in a process of its own, whose page takes orders. `config` as in `config.json`. `script` is
 * `host-process.mjs` where `command` can read it.
 */
export async function startHostProcess(
  env: Env,
  config: object = {},
  { command = (...words) => words, script = HOST_PROCESS }: { command?: NodeCommand; script?: string } = {},
): Promise<HostProcess> {
  const [program, ...args] = command(process.execPath, script, env.HOME ?? '', JSON.stringify(config));
  const host = startProgram(program, args, env);
  const told = (line: string): boolean => host.out().split('\n').includes(line);
  const awaitLine = (line: string): Promise<unknown> =>
    until(`${line}; it said: ${host.err()}`, () => {
      if (host.child.exitCode !== null || host.child.signalCode !== null) throw new Error(`ended: ${host.err()}`);
      return told(line);
    });
  await awaitLine('up');
  let orders = 0;
  const order = async (what: object): Promise<void> => {
    orders += 1;
    const number = orders;
    host.child.stdin?.write(`${JSON.stringify({ order: number, ...what })}\n`);
    await awaitLine(`done ${number}`);
  };
  return {
    ...host,
    socketPath: socketOf(env),
    press: (selector) => order({ selector }),
    answerAll: (answer) => order({ answer }),
  };
}

/** `pid` and everything below it, as `/proc` tells. */
export function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const walk = (at: number): number[] => [at, ...(children.get(at) ?? []).flatMap(walk)];
  return walk(pid);
}

function parentOf(pid: number): number | null {
  try {
    // The name in parentheses may hold anything; the state and the parent follow the last one.
    const [, parent] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(parent);
  } catch {
    return null;
  }
}

/** Reports whether the process is there and not just waiting to be collected. */
export function isAlive(pid: number): boolean {
  try {
    return !/^.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Kills the process at once and waits until it is gone, with the browser that follows it. */
export async function kill(program: Started): Promise<void> {
  const tree = treeOf(program.pid);
  program.child.kill('SIGKILL');
  await program.ended;
  await until('its browser is gone', () => !tree.some(isAlive));
}

/** Ends every process that was started here, with all below it. */
export async function endAll(): Promise<void> {
  for (const program of started) {
    const running = program.child.exitCode === null && program.child.signalCode === null;
    const tree = running ? treeOf(program.pid) : [];
    if (running) program.child.kill('SIGKILL');
    await program.ended.catch(() => {});
    // A browser follows its closed pipe by itself, but a test that has failed may leave it anything.
    await until('its processes are gone', () => tree.every((pid) => !isAlive(pid)), 5_000).catch(() => {
      for (const pid of tree) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    });
  }
  started.clear();
}
