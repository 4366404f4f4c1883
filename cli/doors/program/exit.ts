/** How a process ended, and the exit code that stands for it. */
import { constants } from 'node:os';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const SIGNAL_BASE = 128;

/** As shells have it: a signal is 128 and its number. */
export const exitCodeOf = ({ code, signal }: Exit): number =>
  signal === null ? (code ?? 1) : SIGNAL_BASE + constants.signals[signal];
