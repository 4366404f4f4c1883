/** Programs of a desktop: each is started by us, known by its process, and ended by it. */
import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';

export type Env = Readonly<Record<string, string | undefined>>;

const started = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Reports whether the program is installed. */
export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** Names those of `programs` that are not installed; null when all are. */
export function notInstalled(...programs: readonly string[]): string | null {
  const absent = programs.filter((program) => !isInstalled(program));
  return absent.length === 0 ? null : `not installed: ${absent.join(' ')}`;
}

/** Starts a program that is ended with this process at the latest. */
export function start(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, options);
  started.add(child);
  child.once('error', () => started.delete(child));
  child.once('exit', () => started.delete(child));
  return child;
}

/** Some programs of X lock themselves up while they close their display (openbox does, in Xlib); so long they are waited for. */
const LEAVES_WITHIN_MS = 5_000;

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Resolves when a program that is about to end is gone, at the latest after being killed for not going. */
export async function gone(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const late = setTimeout(() => child.kill('SIGKILL'), LEAVES_WITHIN_MS);
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(late);
}

/** Ends a program and resolves when it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  child.kill(signal);
  await gone(child);
}

/** Runs a short program to its end and gives what it printed. Throws when it fails. */
export const run = (program: string, args: readonly string[], env: Env = process.env): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { env: env as NodeJS.ProcessEnv }, (error, out, err) => {
      if (error) reject(new Error(`${program} ${args.join(' ')}: ${err || error.message}`));
      else resolve(out);
    });
  });

/** The first line on descriptor 3. Rejects when the program ends without one. */
export const announced = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let line = '';
    (child.stdio[3] as Readable).on('data', (chunk: Buffer) => {
      line += chunk;
      if (line.includes('\n')) resolve(line.trim());
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${child.spawnfile} ended with ${code}`)));
  });
