/** Retention: removes what has been kept long enough, on a timer that is never shorter than a minute (spec §4, R8). */
import type { HostClock } from './clock.ts';
import type { Engine } from './engine.ts';

const MIN_INTERVAL_MS = 60_000;
const MAX_INTERVAL_MS = 3_600_000;

/** Sweeps now and whenever something is due; returns a function that stops it. */
export function startSweeper(engine: Engine, clock: HostClock, log: (line: string) => void): () => void {
  let timer: NodeJS.Timeout | null = null;

  const sweep = (): void => {
    const { wallMs, monoMs } = clock.now();
    let dueInMs: number | null = MAX_INTERVAL_MS;
    try {
      dueInMs = engine.store().sweep(wallMs, monoMs);
      if (engine.store().countKept() !== engine.state().kept)
        engine.submit({ type: 'swept' }).catch(() => log('sweep: storage is away'));
    } catch (error) {
      log(`sweep failed: ${error instanceof Error ? error.name : 'error'}`);
    }
    arm(dueInMs);
  };

  /** With nothing kept there is nothing to wait for; the first ended request arms it again. */
  const arm = (dueInMs: number | null): void => {
    if (timer !== null) clearTimeout(timer);
    timer = dueInMs === null ? null : setTimeout(sweep, Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, dueInMs)));
  };

  engine.onCommit(({ state }) => {
    if (timer === null && state.kept > 0) arm(MAX_INTERVAL_MS);
  });
  sweep();
  return () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
}
