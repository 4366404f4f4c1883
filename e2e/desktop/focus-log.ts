/** Who had the keyboard, and when: asked every 30 ms by a thread of its own, so that a busy test misses nothing. */
import { Worker } from 'node:worker_threads';
import type { Desk } from './desk.ts';

export interface FocusLog {
  readonly samples: number;
  /** The longest time in which nobody looked. */
  readonly longestGapMs: number;
  /** The first sample and every one that differs from the one before; `at` in epoch ms. */
  readonly changes: readonly { readonly focus: number; readonly at: number }[];
}

export interface FocusWatch {
  /** Ends the watch. */
  stop(): Promise<FocusLog>;
}

const EVERY_MS = 30;

/** Watches from now on; resolves with the first sample. */
export async function watchFocus(desk: Desk): Promise<FocusWatch> {
  const worker = new Worker(new URL('./focus-watch.mjs', import.meta.url), {
    workerData: { display: desk.display, everyMs: EVERY_MS },
  });
  const next = <T>(): Promise<T> =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  await next();
  return {
    stop: async () => {
      const log = next<FocusLog>();
      worker.postMessage('stop');
      try {
        return await log;
      } finally {
        await worker.terminate();
      }
    },
  };
}
