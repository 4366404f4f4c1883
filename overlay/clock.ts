/** Time for the page as an argument: the browser's own, and one that only moves when a test says so. */

export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** Runs `run` once after `ms` milliseconds; the returned function calls it off and may be called at any time. */
  after(ms: number, run: () => void): () => void;
}

export const realClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

export interface TestClock extends Clock {
  /** Lets `ms` milliseconds pass, running what falls due in the order of its time. */
  advance(ms: number): void;
  /** How many runs are waiting. */
  waiting(): number;
}

/** A clock that stands at 0 until it is advanced. */
export function createTestClock(): TestClock {
  let nowMs = 0;
  let due: { readonly atMs: number; readonly run: () => void }[] = [];
  const next = (untilMs: number) => due.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
  return {
    now: () => nowMs,
    after(ms, run) {
      const entry = { atMs: nowMs + Math.max(0, ms), run };
      due.push(entry);
      return () => {
        due = due.filter((each) => each !== entry);
      };
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (let entry = next(untilMs); entry !== undefined; entry = next(untilMs)) {
        due = due.filter((each) => each !== entry);
        nowMs = entry.atMs;
        entry.run();
      }
      nowMs = untilMs;
    },
    waiting: () => due.length,
  };
}
