/** A user's shell with the real program in it: profiles of its own, and whatever it prints is looked through for keys. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type LaunchedCompanion, until } from '../harness.ts';
import { type Env, type Finished, finish, type Started, startCli } from './processes.ts';
import { ALL_SCOPES, press } from './user.ts';

const KEY = /cmp_[A-Za-z0-9_-]{20,}/;

export interface Shell {
  readonly env: Env;
  readonly credentials: string;
  start(...args: readonly string[]): Started;
  /** Runs to the end. Fails when a key was printed. */
  run(...args: readonly string[]): Promise<Finished>;
  /** The same with `input` as standard input. */
  pipe(input: string | Buffer, ...args: readonly string[]): Promise<Finished>;
  /** Pairs as `name` and has the user approve. */
  pair(name: string, scopes?: readonly string[], ...more: readonly string[]): Promise<Finished>;
}

/** A shell beside `companion`, without any profile yet. */
export function openShell({ env: host, home, page }: LaunchedCompanion, more: Env = {}): Shell {
  const config = mkdtempSync(join(home, 'shell-'));
  const env = { ...host, XDG_CONFIG_HOME: config, ...more };
  const start = (...args: readonly string[]): Started => startCli(env, ...args);
  const end = async (program: Started): Promise<Finished> => {
    const finished = await finish(program);
    expect(finished.out + finished.err).not.toMatch(KEY);
    return finished;
  };
  return {
    env,
    credentials: join(config, 'companion', 'credentials'),
    start,
    run: (...args) => end(start(...args)),
    pipe: (input, ...args) => {
      const program = start(...args);
      program.child.stdin?.end(input);
      return end(program);
    },
    pair: async (name, scopes = ALL_SCOPES, ...args) => {
      const program = start('pair', '--name', name, '--scopes', scopes.join(','), ...args);
      await until('it has shown its code', () => program.err().includes('Code: ') || program.child.exitCode !== null);
      if (program.child.exitCode === null) await press(page, '[data-pairing-id] [data-action="approve"]');
      return end(program);
    },
  };
}

/** A folder inside the companion's own, removed with it. */
export function newFolder({ home }: LaunchedCompanion, name: string, mode: number): string {
  const folder = join(mkdtempSync(join(home, 'x-')), name);
  mkdirSync(folder, { mode });
  return folder;
}

/** The one JSON value on one line that `out` has to be. */
export function only<Value = Record<string, unknown>>(out: string): Value {
  expect(out.endsWith('\n')).toBe(true);
  expect(out.slice(0, -1)).not.toContain('\n');
  return JSON.parse(out) as Value;
}

/** Code and exit code of a failure that was told as JSON. */
export function failure({ code, out }: Finished): [number | string, string] {
  const { error } = only<{ error: { code: string; message: string; retryable: boolean } }>(out);
  expect(error.message.length).toBeGreaterThan(0);
  expect(typeof error.retryable).toBe('boolean');
  return [code, error.code];
}
