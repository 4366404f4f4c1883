/** Programs the bench measures beside the product, or needs for measuring: where they are, and children that end with it. */
import { type ChildProcess, execFile, fork, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Runs from the root of the package, as `npm run bench` does. */
export const DIST = join(process.cwd(), 'dist');
const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly bin: { readonly companion: string } };
export const CLI = join(process.cwd(), bin.companion);

/** Path of an installed program, or null. */
export function which(program: string): string | null {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {}
  }
  return null;
}

/** "X not installed" for the first of `programs` that is missing; null when all are here. */
export function missing(...programs: readonly string[]): string | null {
  const absent = programs.find((program) => which(program) === null);
  return absent === undefined ? null : `${absent} not installed`;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

function keep(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Starts a program that is ended with the bench at the latest. */
export const start = (program: string, args: readonly string[], options: SpawnOptions): ChildProcess =>
  keep(spawn(program, args, options));

/** This bundle once more, in another role; its first message says that it is ready. */
export async function startRole(role: string, options: unknown, env: NodeJS.ProcessEnv = process.env) {
  const child = keep(
    fork(fileURLToPath(import.meta.url), ['--role', role, JSON.stringify(options)], { execArgv: [], env }),
  );
  const ready = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${role} ended with ${code} before it was ready`)));
  });
  return { child, ready };
}

/** Ends a child and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** Ends whatever is still running. */
export const endAll = (): Promise<unknown> => Promise.all([...children].map((child) => end(child)));

/** What a short program prints. Throws when it fails. */
export const run = (program: string, args: readonly string[], env = process.env): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { env }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });

/** Milliseconds in which Node starts, does nothing, and ends. */
export async function bootNode(): Promise<number> {
  const startedAt = performance.now();
  await run(process.execPath, ['-e', '0']);
  return performance.now() - startedAt;
}
