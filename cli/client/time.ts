/** Time and names for the client, from what Node has already loaded at start: `node:crypto` and `node:timers` would cost milliseconds. */

/** Milliseconds that only grow. */
export const now = (): number => process.uptime() * 1_000;

/** Resolves after `milliseconds`, rejects with the signal's reason when that comes first. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

/** `work`, or a rejection with the signal's reason when that comes first; the work goes on. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const random = (): string => Math.random().toString(36).slice(2);

/** A key no other call of this client has; it is a name, not a secret. */
export const newIdempotencyKey = (): string =>
  `auto-${Date.now().toString(36)}-${process.pid.toString(36)}-${random()}${random()}`;
