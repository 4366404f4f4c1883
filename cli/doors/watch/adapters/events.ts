/** Makes the events of the formats: their texts plain and short, and only the fields there is something to say of. */
import type { ProgressEvent, Verdict, WatchEvent } from '../adapter.ts';
import { toLine } from '../text.ts';

/** Code points of a card's lines; what is longer could not be shown. */
export const MAX_PHASE = 64;
export const MAX_MESSAGE = 280;

type Text = string | null | undefined;

interface Progress extends Omit<ProgressEvent, 'kind' | 'key' | 'phase' | 'message' | 'ended'> {
  readonly key?: Text;
  readonly phase?: Text;
  readonly message?: Text;
  readonly ended?: 'well' | 'badly' | undefined;
}

const fitting = (text: Text, max: number): string | undefined => toLine(text ?? undefined, max);

/** How far something is; texts are made to fit, empty ones are left out. */
export function progress({ key, phase, message, ended, ...amounts }: Progress): ProgressEvent {
  const shownPhase = fitting(phase, MAX_PHASE);
  const shownMessage = fitting(message, MAX_MESSAGE);
  return {
    kind: 'progress',
    ...amounts,
    ...(typeof key === 'string' && { key }),
    ...(shownPhase !== undefined && { phase: shownPhase }),
    ...(shownMessage !== undefined && { message: shownMessage }),
    ...(ended !== undefined && { ended }),
  };
}

/** A line for whoever looks closer; none when there is nothing to read in it. */
export function log(level: 'debug' | 'info' | 'warn' | 'error', text: Text): readonly WatchEvent[] {
  const message = fitting(text, MAX_MESSAGE);
  return message === undefined ? [] : [{ kind: 'log', level, message }];
}

/** Something went wrong; `recoverable`: the program goes on. */
export function problem(text: Text, recoverable: boolean): readonly WatchEvent[] {
  const message = fitting(text, MAX_MESSAGE);
  return message === undefined ? [] : [{ kind: 'error', message, recoverable }];
}

/** What the end means, with one line for the user if there is one. */
export function verdict(outcome: Verdict['outcome'], text?: Text): Verdict {
  const message = fitting(text, MAX_MESSAGE);
  return message === undefined ? { outcome } : { outcome, message };
}

/** The format's programs take no lines; signals are used instead. */
export const NO_CONTROLS = { cancel: null, pause: null, resume: null } as const;
