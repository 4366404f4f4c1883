/** Holds a tool's call open while the user thinks, and lets go in time: with the answer, or with the word that there is none yet. */
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import type { Client } from '../../client/client.ts';

/** Often enough that no client takes the call for dead. */
export const BEAT_MS = 15_000;

export interface Holding {
  /** How long the call may last. */
  readonly withinMs: number;
  /** Ends when the caller has given up, or has gone. */
  readonly signal: AbortSignal;
  /** Tells the caller that it goes on, `elapsedMs` after it began; null when it did not ask to hear. */
  readonly beat: ((elapsedMs: number) => void) | null;
}

/** Calls `beat` now and every BEAT_MS until the returned function is called. */
export function startBeating(beat: Holding['beat']): () => void {
  if (beat === null) return () => {};
  let beats = 0;
  beat(0);
  const timer = setInterval(() => beat(++beats * BEAT_MS), BEAT_MS);
  return () => clearInterval(timer);
}

/**
 * Waits for the end of the question `requestId`, and no longer than the call may last; returns the newest snapshot, ended or not.
 * A caller that gives up takes its question back, unless it is `keyed`: then whoever calls again with the key finds it (R9).
 */
export async function holdQuestion(
  client: Client,
  requestId: string,
  { withinMs, signal, beat }: Holding,
  keyed: boolean,
): Promise<Snapshot> {
  // Whether it came in time, the request's end says; if the host is gone, so does the wait.
  const takeBack = (): void => void client.cancel(requestId).catch(() => {});
  if (!keyed) {
    if (signal.aborted) takeBack();
    else signal.addEventListener('abort', takeBack, { once: true });
  }
  const stop = startBeating(beat);
  try {
    return await client.waitUntilEnd(requestId, { timeoutMs: withinMs, ...(keyed && { signal }) });
  } finally {
    stop();
    signal.removeEventListener('abort', takeBack);
  }
}
