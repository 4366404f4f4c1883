/** Looks into a running process by its system calls, and makes some of them fail, with `strace` (Linux). */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../harness.ts';

export interface Trace {
  /** The calls so far, each on one line without the thread's number, in the order in which they ended. */
  calls(): string[];
  /** Lets the process go on by itself. */
  stop(): Promise<void>;
}

/** Attaches to every thread of `pid`; `args` say what to watch or to break. Resolves when it is watching. */
export async function trace(pid: number, ...args: readonly string[]): Promise<Trace> {
  const folder = mkdtempSync(join(tmpdir(), 'companion-trace-'));
  const log = join(folder, 'log');
  const child = spawn('strace', ['-f', '-y', '-s', '256', '-o', log, ...args, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.once('error', () => {});
  await until('strace is attached', () => {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`strace: ${said}`);
    return said.includes('attached');
  });
  let text: string | null = null;
  const read = (): string => text ?? readFileSync(log, 'utf8');
  return {
    calls: () => wholeCalls(read()),
    stop: async () => {
      child.kill('SIGINT');
      await ended;
      text = read();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where a call's line breaks off; the space belongs to the mark. */
const CUT = ' <unfinished ...>';

/** Puts the halves of calls together that another thread's call was logged in between. */
export function wholeCalls(text: string): string[] {
  const begun = new Map<string, string>();
  return text.split('\n').flatMap((line) => {
    const [, thread = '', call = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (call.endsWith(CUT)) {
      begun.set(thread, call.slice(0, -CUT.length));
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(call);
    return resumed === null ? [call] : [`${begun.get(thread) ?? ''}${resumed[1]}`];
  });
}

/** Reports whether this machine lets us attach to a process that is not our tracer's child. */
export function canTrace(): boolean {
  const sleeper = spawn('sleep', ['60']);
  const { stderr } = spawnSync('timeout', ['1', 'strace', '-p', String(sleeper.pid)], { encoding: 'utf8' });
  sleeper.kill('SIGKILL');
  return stderr?.includes('attached') ?? false;
}
