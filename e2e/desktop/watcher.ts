/** A thread that watches a desktop while a test is busy: it says when it has begun, and what it saw when it is told to stop. */
import { Worker, type WorkerOptions } from 'node:worker_threads';

export interface Watcher<Seen> {
  /** Ends the watch. */
  stop(): Promise<Seen>;
}

/** Starts `file` beside this one and resolves with its first word. `tell` tells it to stop; default: by a message. */
export async function startWatcher<Seen>(
  file: string,
  options: WorkerOptions,
  tell?: () => void,
): Promise<Watcher<Seen>> {
  const worker = new Worker(new URL(file, import.meta.url), options);
  const next = <Word>(): Promise<Word> =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  await next();
  return {
    stop: async () => {
      const seen = next<Seen>();
      if (tell === undefined) worker.postMessage('stop');
      else tell();
      try {
        return await seen;
      } finally {
        await worker.terminate();
      }
    },
  };
}
