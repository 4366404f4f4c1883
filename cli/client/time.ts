/** Time and names for the client, from what Node has already loaded at start: `node:crypto` and `node:timers` would cost milliseconds. */

/** Milliseconds that only grow. */
export const now = (): number => process.uptime() * 1_000;

const stopsOf = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `stop` when the signal is aborted; the function returned takes that back. One signal may stand for any number of calls,
 * and has one listener for all of them: Node takes the eleventh for a leak and says so on the program's standard error.
 */
export function onAbort(signal: AbortSignal, stop: () => void): () => void {
  const known = stopsOf.get(signal);
  const stops = known ?? new Set();
  const all = () => {
    for (const each of [...stops]) each();
  };
  if (known === undefined) {
    stopsOf.set(signal, stops);
    signal.addEventListener('abort', all, { once: true });
  }
  stops.add(stop);
  return () => {
    stops.delete(stop);
  };
}

/** Resolves after `milliseconds`, rejects with the signal's reason when that comes first. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      forget?.();
      resolve();
    }, milliseconds);
    const forget =
      signal &&
      onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
  });
}

/** `work`, or a rejection with the signal's reason when that comes first; the work goes on. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    const forget = onAbort(signal, stop);
    work.then(resolve, reject).finally(forget);
  });
}

const random = (): string => Math.random().toString(36).slice(2);

/** A key no other call of this client has; it is a name, not a secret. */
export const newIdempotencyKey = (): string =>
  `auto-${Date.now().toString(36)}-${process.pid.toString(36)}-${random()}${random()}`;
