/** Brings a program to its end when the user wants that: first by what it understands, then more firmly, step by step (R10). */
import type { SessionClock } from '../../interface/clock.ts';

const STEP_MS = 10_000;

export interface StopPlan {
  readonly clock: SessionClock;
  /** Tells the program in its own words; false when it takes none. */
  tell(): boolean;
  kill(signal: NodeJS.Signals): void;
  /** How long it may take to obey each step, in ms; null: as long as it likes; undefined: 10 s. */
  patienceMs(): number | null | undefined;
}

export class Stopping {
  readonly #plan: StopPlan;
  #wasAsked = false;
  #forget = (): void => {};

  constructor(plan: StopPlan) {
    this.#plan = plan;
  }

  /** The user has asked for the end; whatever end comes is one. */
  get wasAsked(): boolean {
    return this.#wasAsked;
  }

  /** Asked twice, nothing more happens than asked once. */
  start(): void {
    if (this.#wasAsked) return;
    this.#wasAsked = true;
    if (this.#plan.tell()) this.#next(['SIGINT', 'SIGTERM']);
    else {
      this.#plan.kill('SIGINT');
      this.#next(['SIGTERM']);
    }
  }

  #next([signal, ...more]: readonly NodeJS.Signals[]): void {
    const { clock, kill } = this.#plan;
    const { stepMs = STEP_MS } = { stepMs: this.#plan.patienceMs() };
    if (signal === undefined || stepMs === null) return;
    this.#forget = clock.after(stepMs, () => {
      kill(signal);
      this.#next(more);
    });
  }

  /** The program has ended. */
  end(): void {
    this.#forget();
  }
}
