/** What a format of events is to `companion watch`: lines in, events out. One file per format, all of this one shape; no I/O in any of them. */
import type { Exit } from '../program/exit.ts';

export type { Exit };

/** One line of a program's output, without its end. `cut`: it was longer than is kept; only its beginning is here. */
export interface Line {
  readonly text: string;
  readonly stream: 'stdout' | 'stderr';
  readonly cut: boolean;
}

/**
 * How far something is. `key` tells items that run side by side apart; what has none is about the whole. `percent` is 0 to 100,
 * null when nobody knows. `done` of `total` (null: not known yet) lets items be summed; `unit` says of what.
 */
export interface ProgressEvent {
  readonly kind: 'progress';
  readonly key?: string;
  readonly percent: number | null;
  readonly phase?: string;
  readonly message?: string;
  readonly done?: number;
  readonly total?: number | null;
  readonly unit?: 'bytes' | 'items';
  /** Absent: it goes on. */
  readonly ended?: 'well' | 'badly';
}

export interface PromptOption {
  /** What goes back to the program. */
  readonly value: string;
  readonly label: string;
}

/** The program wants to know something. With no options it wants a text. */
export interface PromptEvent {
  readonly kind: 'prompt';
  readonly id: string;
  readonly question: string;
  readonly options: readonly PromptOption[];
  /** The value that is marked, never chosen for the user. */
  readonly suggested: string | null;
  /** A command or a difference to look at before answering. */
  readonly details?: string;
  /** May not be answered with one press: shown as a text to confirm, or left to the terminal. */
  readonly careful?: boolean;
  /** The line that carries this answer to the program's standard input, without its end. */
  reply(value: string): string;
}

export type WatchEvent =
  | ProgressEvent
  | PromptEvent
  /** The program no longer waits for that prompt's answer. */
  | { readonly kind: 'prompt-closed'; readonly id: string }
  | { readonly kind: 'log'; readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly message: string }
  | {
      readonly kind: 'error';
      readonly message: string;
      readonly code?: string;
      readonly hint?: string;
      readonly recoverable: boolean;
    }
  | { readonly kind: 'heartbeat' }
  /** The program says how it ended; one that says so more than once means the last. `message`: one line for the user. */
  | {
      readonly kind: 'result';
      readonly outcome: 'done' | 'failed' | 'cancelled' | 'refused' | 'declined';
      readonly message?: string;
      /** Nothing follows it: the program's standard input is closed, and one that stays all the same is ended. */
      readonly last?: true;
    };

/** What is shown at the end. `abnormal`: it broke off without the result its format promises. */
export interface Verdict {
  readonly outcome: 'done' | 'failed' | 'cancelled' | 'refused' | 'declined' | 'abnormal';
  readonly message?: string;
}

/** One program being read. */
export interface Reading {
  /** The events in one line; none for what is not this format, which is no error: it passes through as it is. */
  read(line: Line): readonly WatchEvent[];
  /** What the end means, after the last line; null: as any program, by its exit code. */
  verdict(exit: Exit): Verdict | null;
  /** The control line for cancel where it depends on the way the program was started; instead of the adapter's. */
  cancel?(): string | null;
}

export interface Adapter {
  /** As `--adapter` names it. */
  readonly name: string;
  /** One line for help. */
  readonly summary: string;
  /** Reports whether a program whose output holds this line speaks this format; certain of it, for it is asked once. */
  recognizes(line: Line): boolean;
  /** Lines for the program's standard input, without their ends; null: it takes none, and signals are used instead. */
  readonly controls: { readonly cancel: string | null; readonly pause: string | null; readonly resume: string | null };
  /** Programs of this format are silent at most so long, in ms; null: no silence means anything. */
  readonly silenceMs: number | null;
  /** How long an interrupted program gets to end by itself, in ms, before it is told more firmly; null: as long as it takes. Absent: 10 s. */
  readonly patienceMs?: number | null;
  /** The ID of the prompt that a line of the caller's on the program's standard input answers; null for any other line. Absent: no line does. */
  repliesTo?(line: string): string | null;
  /**
   * Reports whether a program typed with these arguments reads answers from its standard input although it has not said a word yet:
   * then a caller's end does not reach it before it has done what it was told. Absent: none does.
   */
  expectsAnswers?(args: readonly string[]): boolean;
  /** `args`: what was typed after the program's name. */
  start(args?: readonly string[]): Reading;
}
