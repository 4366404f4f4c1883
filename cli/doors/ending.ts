/** What is said when a program has ended: each way of ending has its own words, tone and animation. */

import type { Tone } from '../../server/protocol/words.ts';
import { animationCelebrate } from '../../server/registry/capabilities/animation.celebrate.ts';
import { animationFail } from '../../server/registry/capabilities/animation.fail.ts';
import { animationSleep } from '../../server/registry/capabilities/animation.sleep.ts';
import { animationWait } from '../../server/registry/capabilities/animation.wait.ts';
import { type Exit, exitCodeOf } from './program/exit.ts';
import type { Verdict } from './watch/adapter.ts';
import { toElapsed, toLine } from './watch/text.ts';

/** As the contract of the notice bounds it. */
const MAX_TEXT = 280;
const MAX_WHY = 200;
/** SIGINT, or the word of a shell for it. */
const INTERRUPTED = 130;

export type Outcome = Verdict['outcome'];

export interface Ending {
  readonly outcome: Outcome;
  readonly text: string;
  readonly tone: Tone;
  /** ID of the animation that goes with it; null: none. */
  readonly animation: string | null;
}

const LOOKS: Readonly<
  Record<Outcome, { readonly words: string; readonly tone: Tone; readonly animation: string | null }>
> = {
  done: { words: 'Done', tone: 'success', animation: animationCelebrate.id },
  failed: { words: 'Failed', tone: 'error', animation: animationFail.id },
  abnormal: { words: 'Broke off', tone: 'error', animation: animationFail.id },
  refused: { words: 'Refused', tone: 'warning', animation: animationWait.id },
  cancelled: { words: 'Cancelled', tone: 'information', animation: animationSleep.id },
  declined: { words: 'Declined, nothing was done', tone: 'information', animation: null },
};

/** `exit code 2`, `SIGTERM`; nothing for 0. */
export function exitWords({ code, signal }: Exit): string | undefined {
  if (signal !== null) return `ended by ${signal}`;
  return code === 0 ? undefined : `exit code ${code}`;
}

/** The meaning of an end that the program itself has said nothing about. */
export const verdictOf = ({ code, signal }: Exit): Verdict => {
  if (signal !== null && signal !== 'SIGINT') return { outcome: 'abnormal' };
  if (code === 0) return { outcome: 'done' };
  return { outcome: exitCodeOf({ code, signal }) === INTERRUPTED ? 'cancelled' : 'failed' };
};

/**
 * How the end is told. `wasAsked`: the user wanted the program to stop, and then no end that is not well is a failure.
 * `elapsedMs`: how long it ran.
 */
export function toEnding(verdict: Verdict, exit: Exit, wasAsked: boolean, elapsedMs: number): Ending {
  const isBad = verdict.outcome === 'failed' || verdict.outcome === 'abnormal';
  const outcome = isBad && wasAsked ? 'cancelled' : verdict.outcome;
  const { words, tone, animation } = LOOKS[outcome];
  const why = outcome === 'cancelled' ? undefined : toLine(verdict.message, MAX_WHY);
  const isTold = outcome === 'failed' || outcome === 'abnormal';
  const parts = [words, why, isTold ? exitWords(exit) : undefined, toElapsed(elapsedMs)];
  const text = toLine(parts.filter((part) => part !== undefined).join(' · '), MAX_TEXT)!;
  return { outcome, text, tone, animation };
}
