/** How long a peer may keep us waiting: each single wait has a bound, and so have all of them together. */
import { PackError } from './types.ts';

export interface PatienceLimits {
  /** Milliseconds without a byte. */
  readonly idleMs: number;
  /** Milliseconds of waiting in all; what passes between the waits, such as a pause of the user's, does not count. */
  readonly totalMs: number;
}

export interface Patience {
  /** Aborts when the peer took too long, with an E_NETWORK as its reason, and when the caller's own signal aborts. */
  readonly signal: AbortSignal;
  /** Resolves as `work` does; meanwhile the clock runs. */
  spend<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Patience with the peer at `where`, for as long as `signal` lasts. */
export function createPatience(where: string, limits: PatienceLimits, signal: AbortSignal): Patience {
  const tooLong = new AbortController();
  let leftMs = limits.totalMs;
  return {
    signal: AbortSignal.any([signal, tooLong.signal]),
    spend: async (work) => {
      const since = performance.now();
      const timer = setTimeout(
        () => tooLong.abort(new PackError('E_NETWORK', `${where}: takes too long to answer`)),
        Math.min(limits.idleMs, leftMs),
      );
      try {
        return await work();
      } finally {
        clearTimeout(timer);
        leftMs = Math.max(0, leftMs - (performance.now() - since));
      }
    },
  };
}
