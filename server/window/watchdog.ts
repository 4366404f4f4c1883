/** Notices a page that no longer answers, and says how soon a dead one may start again. No timer runs while nothing is asked. */

/** A page that has not answered for so long hangs. */
export const HANG_MS = 3_000;
/** At rest the page is asked once in so long. */
const PROBE_EVERY_MS = 60_000;
const CRASHES = 3;
const CRASH_WINDOW_MS = 60_000;
const FIRST_DELAY_MS = 250;

export interface Watchdog {
  /** Watches `answer`, which the page gives to something it was sent. */
  expect(answer: Promise<unknown>): void;
  stop(): void;
}

/** Calls `onHang` once when an answer is `HANG_MS` late. `probe` asks the page for nothing but an answer. */
export function startWatchdog(probe: () => Promise<unknown>, onHang: () => void): Watchdog {
  let open = 0;
  let late: NodeJS.Timeout | undefined;
  const settle = (): void => {
    open -= 1;
    // Answers come in order: each one gives the next its full time.
    if (open > 0) late?.refresh();
    else {
      clearTimeout(late);
      late = undefined;
    }
  };
  const expect = (answer: Promise<unknown>): void => {
    open += 1;
    late ??= setTimeout(onHang, HANG_MS);
    answer.then(settle, settle);
  };
  const rest = setInterval(() => expect(probe()), PROBE_EVERY_MS);
  return {
    expect,
    stop: () => {
      clearInterval(rest);
      clearTimeout(late);
      // A late answer must not arm anything any more.
      late = undefined;
    },
  };
}

/** Milliseconds to wait after the newest of these crashes (monotonic ms, oldest first); null: too many, give up. */
export function restartDelay(crashesAt: readonly number[]): number | null {
  const newest = crashesAt.at(-1) ?? 0;
  const recent = crashesAt.filter((at) => newest - at < CRASH_WINDOW_MS).length;
  return recent >= CRASHES ? null : FIRST_DELAY_MS * 4 ** (recent - 1);
}
