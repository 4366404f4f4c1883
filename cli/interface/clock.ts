/** Time for a session: what has passed, what it is called, and what is to happen later. Tests pass their own. */

export interface SessionClock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Epoch milliseconds. */
  wall(): number;
  /** Calls `act` once after `delayMs`; what is returned forgets it. */
  after(delayMs: number, act: () => void): () => void;
}

export const realClock: SessionClock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: (delayMs, act) => {
    const timer = setTimeout(act, delayMs);
    return () => clearTimeout(timer);
  },
};
