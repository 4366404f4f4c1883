/** Agents' hooks as processes: the two programs they may run, the events they are handed, and the user's hand on the card. */
import { chmodSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, type Env, type Finished, finish, type Started, startProgram } from '../faults/processes.ts';
import { openShell } from '../faults/shell.ts';
import { press } from '../faults/user.ts';
import { type LaunchedCompanion, until } from '../harness.ts';

export const FAST = join(import.meta.dirname, '..', '..', 'dist', 'companion-fast');

/** What an agent can be told to run; the last one is the fast one on a machine without curl. */
export const WAYS = ['companion', 'companion-fast', 'companion-fast without curl'] as const;
export type Way = (typeof WAYS)[number];

/** A folder with the programs a hook may need, and no curl. */
function pathWithoutCurl(home: string): string {
  const folder = mkdtempSync(join(home, 'bin-'));
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const name of ['sh', 'ls', 'cat']) symlinkSync(`/bin/${name}`, join(folder, name));
  return folder;
}

export interface Hooks {
  readonly env: Env;
  readonly credentials: string;
  /** Starts the hook and hands it `event`. */
  start(way: Way, event: string | Buffer, more?: Env, args?: readonly string[]): Started;
  run(way: Way, event: string | Buffer, more?: Env, args?: readonly string[]): Promise<Finished>;
  /** Runs the hook without a standard input. */
  runClosed(way: Way, args: readonly string[]): Promise<Finished>;
}

/** Hooks beside `companion`, with a profile of their own that the user has let in. */
export async function openHooks(companion: LaunchedCompanion): Promise<Hooks> {
  const shell = openShell(companion);
  const paired = await shell.pair('hooks', ['interact'], '--credential-profile', 'hooks');
  if (paired.code !== 0) throw new Error(`not paired: ${paired.err}`);
  const bare = pathWithoutCurl(companion.home);
  const envOf = (way: Way) => ({ ...shell.env, ...(way.endsWith('curl') && { PATH: bare }) });
  const wordsOf = (way: Way) => [...(way === 'companion' ? [process.execPath, CLI] : [FAST]), 'hook'] as const;
  const start: Hooks['start'] = (way, event, more = {}, args = ['claude-code']) => {
    const [program, ...words] = wordsOf(way);
    const hook = startProgram(program, [...words, ...args], { ...envOf(way), ...more });
    hook.child.stdin?.end(event);
    return hook;
  };
  return {
    env: shell.env,
    credentials: shell.credentials,
    start,
    run: (...how) => finish(start(...how)),
    runClosed: (way, args) =>
      finish(startProgram('/bin/sh', ['-c', 'exec "$@" <&-', 'sh', ...wordsOf(way), ...args], envOf(way))),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** An event as Claude Code writes it. */
export const event = (name: string, fields: Fields = {}): string =>
  JSON.stringify({
    session_id: 'session-1',
    transcript_path: '/home/me/.claude/projects/api/session-1.jsonl',
    cwd: '/home/me/work/api',
    permission_mode: 'default',
    hook_event_name: name,
    ...fields,
  });

export const bash = (command: string): Fields => ({ tool_name: 'Bash', tool_input: { command, description: 'why' } });
export const request = (command: string, fields: Fields = {}): string =>
  event('PermissionRequest', { ...bash(command), ...fields });

export const ABSTAINED: Finished = { code: 0, out: '', err: '' };

/** The behaviour a hook has printed, and nothing else. */
export function behaviourOf({ code, out, err }: Finished): string {
  if (code !== 0 || err !== '') throw new Error(`the hook ended with ${code}: ${err}`);
  const { hookSpecificOutput, ...more } = JSON.parse(out);
  if (Object.keys(more).length > 0 || hookSpecificOutput.hookEventName !== 'PermissionRequest') throw new Error(out);
  return hookSpecificOutput.decision.behavior;
}

/** The ID of the card whose details are exactly `command`, once it is there. */
export const cardFor = ({ page }: LaunchedCompanion, command: string): Promise<string> =>
  until(`a card for ${command}`, async () => {
    const id = await page.evaluate(
      `[...document.querySelectorAll('[data-request-id]')].find((card) =>
        card.querySelector('[data-role="details"]')?.textContent === ${JSON.stringify(command)})?.dataset.requestId ?? ''`,
    );
    return id === '' ? null : String(id);
  });

export async function pressCard(companion: LaunchedCompanion, command: string, inside: string): Promise<void> {
  const requestId = await cardFor(companion, command);
  await press(companion.page, `[data-request-id="${requestId}"] ${inside}`);
}

export const noCard = ({ page }: LaunchedCompanion): Promise<unknown> =>
  until('no card is there', async () => (await page.$('[data-request-id]')) === null);

/** The sessions' lines, as soon as they are these: `project state`. */
export async function showsSessions({ page }: LaunchedCompanion, ...lines: readonly string[]): Promise<void> {
  let seen: unknown;
  const look = async (): Promise<boolean> => {
    seen = await page.evaluate(
      `[...document.querySelectorAll('[data-session-id]')].map((line) =>
        line.querySelector('.session-project').textContent + ' ' + line.dataset.state)`,
    );
    return JSON.stringify(seen) === JSON.stringify(lines);
  };
  await until(`sessions ${lines.join(', ')}`, look, 10_000).catch(() => {
    throw new Error(`sessions are ${JSON.stringify(seen)}, not ${JSON.stringify(lines)}`);
  });
}

/** Takes the rights of others away from nothing: a file that anybody may read. */
export const openToAll = (file: string): void => chmodSync(file, 0o644);
