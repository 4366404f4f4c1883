/** Has the figure work for as long as a program runs; nobody waits for it, and it says nothing when it cannot. */
import { animationWork } from '../../../server/registry/capabilities/animation.work.ts';
import type { SessionClock } from '../../interface/clock.ts';
import type { Companion } from '../watch/companion.ts';

/** Programs that are through sooner are not worth a move. */
const SETTLE_MS = 500;
/** As many as the contract of an animation allows; the host ends each when it has lasted long enough. */
const LOOPS = 20;

/** Starts soon. What is returned ends it. */
export function startWorking(companion: Companion, clock: SessionClock): () => Promise<void> {
  const stop = new AbortController();
  let requestId: string | null = null;
  const work = async (): Promise<void> => {
    const request = { capability: animationWork.id, params: { loops: LOOPS }, allowSubstitute: true };
    while (!stop.signal.aborted) {
      ({ requestId } = await companion.create(request, { signal: stop.signal }));
      const { status } = await companion.waitUntilEnd(requestId, { signal: stop.signal });
      // Whoever has sent it away, or whatever has broken it: it does not come back by itself.
      if (status !== 'completed') return;
    }
  };
  let working: Promise<void> = Promise.resolve();
  const forget = clock.after(SETTLE_MS, () => {
    working = work().catch(() => {});
  });
  return async () => {
    forget();
    stop.abort();
    await working;
    if (requestId !== null) await companion.cancel(requestId);
  };
}
