/** The caller's standard input on its way to the program, and when its end is passed on. */
import type { SessionClock } from '../../interface/clock.ts';
import { carryInput } from '../program/caller-input.ts';
import type { Input } from '../program/input.ts';
import type { Adapter } from './adapter.ts';
import { LineCutter } from './lines.ts';

/**
 * A caller with nothing to say has closed its input before anything is known of the program; one whose answers come from the
 * figure must not see that end. Speakers say something within five seconds.
 */
const UNKNOWN_MS = 6_000;

/** Whether answers and controls go to this program's standard input. */
const takesLines = ({ controls, repliesTo }: Adapter): boolean =>
  repliesTo !== undefined || Object.values(controls).some((line) => line !== null);

export class Feed {
  readonly #input: Input;
  readonly #stop: () => void;
  #hasEnded = false;
  /** The program has done all it was told, and waits for more. */
  #isIdle = false;
  #adapter: Adapter | null | undefined;

  /**
   * `expectsAnswers`: the program is known to read some although it has not spoken yet. `onLine` hears each line the caller
   * sends, once the format is one in which that means something.
   */
  constructor(input: Input, clock: SessionClock, expectsAnswers: boolean, onLine: (line: string) => void) {
    this.#input = input;
    const cutter = new LineCutter('stdout', ({ text, cut }) => {
      if (!cut) onLine(text);
    });
    this.#stop = carryInput(input, {
      look: (bytes) => {
        this.#isIdle = false;
        if (this.#adapter?.repliesTo !== undefined) cutter.push(bytes);
      },
      onEnd: (said) => {
        this.#hasEnded = true;
        if (expectsAnswers) this.#decide(undefined);
        else if (said) this.#decide(null);
        else clock.after(UNKNOWN_MS, () => this.#decide(null));
        this.#decide(undefined);
      },
    });
  }

  /** The format is known; null: there is none. */
  settle(adapter: Adapter | null): void {
    this.#adapter = adapter;
    this.#decide(undefined);
  }

  /** The program has said how something ended, and may be told more: a caller who has ended will not. */
  hearResult(): void {
    this.#isIdle = true;
    this.#decide(undefined);
  }

  /** Passes the caller's end on, unless answers are to follow. `otherwise` stands for a format not known yet. */
  #decide(otherwise: null | undefined): void {
    const adapter = this.#adapter === undefined ? otherwise : this.#adapter;
    if (!this.#hasEnded || adapter === undefined) return;
    if (adapter === null || !takesLines(adapter) || this.#isIdle) this.#input.close();
  }

  /** The program has ended. */
  end(): void {
    this.#stop();
  }
}
