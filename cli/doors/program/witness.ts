/**
 * Tells a signal that went to the whole group from one that went to this process alone; nothing in Node does. A small
 * process in the same group dies of the former and lives through the latter.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** How long the news of its death may take. */
const NEWS_MS = 50;

export interface Witness {
  /** Reports whether `signal`, which has just been received, went to the whole group. */
  saw(signal: NodeJS.Signals): Promise<boolean>;
  end(): void;
}

export function openWitness(): Witness {
  let current: ChildProcess;
  let death: { readonly signal: NodeJS.Signals | null; readonly at: number } | null = null;
  let hear = (): void => {};
  const start = (): void => {
    // It waits for a line that never comes, and goes when this process does.
    current = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    current.on('error', () => {});
    current.stdin!.on('error', () => {});
    current.on('exit', (_code, signal) => {
      death = { signal, at: performance.now() };
      hear();
    });
    current.unref();
    (current.stdin as unknown as { unref(): void }).unref();
  };
  start();
  return {
    saw: async (signal) => {
      if (death === null) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, NEWS_MS);
          hear = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const died = death as { readonly signal: NodeJS.Signals | null } | null;
      if (died === null) return false;
      death = null;
      start();
      return died.signal === signal;
    },
    end: () => {
      current.kill('SIGKILL');
    },
  };
}
