/** What a program's events come to on its card: parallel items summed, a percent that never moves backwards, one line of words. */
import type { Tone } from '../../../server/protocol/words.ts';
import type { ProgressEvent, WatchEvent } from './adapter.ts';
import { toCounts, toElapsed, toLine } from './text.ts';

/** Texts of a card, as the contract of the progress card bounds them. */
const MAX_PHASE = 64;
const MAX_MESSAGE = 280;
const MAX_WORDS = 200;
/** Items side by side that are told apart; programs have dozens. */
const MAX_ITEMS = 1_000;

/** What a card shows. */
export interface Picture {
  readonly percent: number | null;
  readonly phase?: string;
  readonly message: string;
  readonly tone: Tone;
}

interface Sum {
  readonly done: number;
  readonly total: number | null;
  readonly unit: 'bytes' | 'items';
}

const hasCounts = ({ done, total }: ProgressEvent): boolean => done !== undefined || typeof total === 'number';

/** Items as one: their counts added where all of them count the same, else how many of them are through. */
function sumOf(items: readonly ProgressEvent[]): Sum | null {
  if (items.length === 0) return null;
  const [{ unit }] = items as [ProgressEvent];
  const isAlike = items.every((item) => hasCounts(item) && item.unit === unit);
  if (!isAlike) return { done: items.filter(({ ended }) => ended).length, total: items.length, unit: 'items' };
  let done = 0;
  let total: number | null = 0;
  for (const item of items) {
    done += item.done ?? 0;
    total = total === null || typeof item.total !== 'number' ? null : total + item.total;
  }
  return { done, total, unit: unit ?? 'items' };
}

/** The share of `sum` in percent; null when nobody knows. */
const shareOf = ({ done, total }: Sum): number | null =>
  total === null || total <= 0 ? null : Math.min(100, (100 * done) / total);

/** The mean of what items say of themselves, for those that do not count; null when one of them does not know. */
function meanOf(items: readonly ProgressEvent[]): number | null {
  const shares = items.map(({ percent, ended }) => (ended ? 100 : percent));
  if (shares.length === 0 || shares.includes(null)) return null;
  return (shares as number[]).reduce((sum, share) => sum + share, 0) / shares.length;
}

/** The standing of one program. */
export class Account {
  readonly #startedAt: number;
  readonly #items = new Map<string, ProgressEvent>();
  #whole: ProgressEvent | null = null;
  #phase: string | undefined;
  #words: string | undefined;
  #warned = false;
  /** The highest percent that was shown, and in which phase. */
  #reached = 0;
  #reachedIn: string | undefined;
  #failedItems = 0;

  /** `now`: ms that only grow. */
  constructor(now: number) {
    this.#startedAt = now;
  }

  take(event: WatchEvent): void {
    if (event.kind === 'progress') this.#progress(event);
    else if (event.kind === 'log' && event.level !== 'debug') this.#words = event.message;
    else if (event.kind === 'error') {
      this.#words = event.message;
      this.#warned = true;
    }
  }

  #progress(event: ProgressEvent): void {
    if (event.phase !== undefined) this.#phase = event.phase;
    if (event.message !== undefined) this.#words = event.message;
    if (event.key === undefined) {
      this.#whole = event;
      return;
    }
    const before = this.#items.get(event.key);
    if (before === undefined && this.#items.size === MAX_ITEMS) return;
    if (event.ended === 'badly' && before?.ended !== 'badly') this.#failedItems += 1;
    // An item may say its counts once and only its end later.
    this.#items.set(event.key, { ...before, ...event });
  }

  /** `silentMs`: for how long the program has given no sign of life although it should; null while it does. */
  picture(now: number, silentMs: number | null): Picture {
    const items = [...this.#items.values()];
    const sum = this.#sum(items);
    const percent = this.#percent(items, sum);
    const shown = this.#never(percent);
    // Where the bar cannot say it, words do.
    const isHidden = percent !== null && shown === null;
    const counts = sum === null ? undefined : toCounts(sum.done, sum.total, sum.unit);
    const parts = [
      silentMs === null ? undefined : `No sign of life for ${toElapsed(silentMs)}`,
      toLine(this.#words, MAX_WORDS),
      isHidden ? `${Math.floor(percent)} %` : undefined,
      counts,
      this.#failedItems > 0 ? `${this.#failedItems} failed` : undefined,
      toElapsed(now - this.#startedAt),
    ];
    const phase = toLine(this.#phase, MAX_PHASE);
    return {
      percent: shown,
      ...(phase !== undefined && { phase }),
      message: toLine(parts.filter((part) => part !== undefined).join(' · '), MAX_MESSAGE)!,
      tone: silentMs !== null || this.#warned || this.#failedItems > 0 ? 'warning' : 'information',
    };
  }

  #sum(items: readonly ProgressEvent[]): Sum | null {
    const whole = this.#whole;
    if (whole !== null && hasCounts(whole)) {
      return { done: whole.done ?? 0, total: whole.total ?? null, unit: whole.unit ?? 'items' };
    }
    return sumOf(items);
  }

  #percent(items: readonly ProgressEvent[], sum: Sum | null): number | null {
    if (this.#whole !== null && this.#whole.percent !== null) return this.#whole.percent;
    if (this.#whole === null && !items.some(hasCounts)) return meanOf(items);
    return sum === null ? null : shareOf(sum);
  }

  /** `percent`, but never less than what was shown: within a phase the bar stands, in a new one it says nothing. */
  #never(percent: number | null): number | null {
    if (percent === null) return null;
    if (percent >= this.#reached) {
      this.#reached = percent;
      this.#reachedIn = this.#phase;
      return percent;
    }
    return this.#phase === this.#reachedIn ? this.#reached : null;
  }
}
