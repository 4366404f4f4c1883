/**
 * The one card of a program: shows the newest picture at most so often, hears what the user presses, comes back after the
 * companion was away, and never holds anybody up.
 */

import { LIMITS } from '../../../server/protocol/limits.ts';
import type { Control, Snapshot } from '../../../server/protocol/snapshot.ts';
import { isTerminal } from '../../../server/protocol/status.ts';
import type { ProgressFields } from '../../client/options.ts';
import type { Progress } from '../../client/progress.ts';
import type { SessionClock } from '../../interface/clock.ts';
import type { Picture } from './account.ts';
import { AGAIN_MS, type Companion, codeOf, mayDoLater, statusOf } from './companion.ts';

/** Between two updates: eight a second, beside what the user presses. */
const UPDATE_MS = 125;
/** Ends that are not the user's word about this card. */
const COMES_BACK: readonly (string | null)[] = [
  'runtime_restarted',
  'display_failed',
  'hidden',
  'paused',
  'access_off',
];

export interface CardPlan {
  readonly companion: Companion;
  readonly clock: SessionClock;
  readonly title: string;
  readonly controls: readonly ('pause' | 'cancel')[];
  /** The user has pressed one of the buttons. */
  onControl(action: Control['action']): void;
  /** Something stands in the way, and will not pass by itself. */
  onRefused(error: unknown): void;
}

/** How a card ends: well, badly and why, or taken away. */
export type CardEnd = { readonly how: 'done' | 'away' } | { readonly how: 'failed'; readonly why: string };

export class Card {
  readonly #plan: CardPlan;
  readonly #stop = new AbortController();
  readonly #picture: () => Picture;
  #isPaused = false;
  /** What is shown may not be the newest. */
  #isStale = false;
  #isSending = false;
  #sent: ProgressFields = {};
  #sentAt = Number.NEGATIVE_INFINITY;
  #progress: Progress | null = null;
  #forgetTimer: (() => void) | null = null;
  /** What is under way; `end` waits for it. */
  #work: Promise<void>;

  /** Puts it up as soon as the companion takes it. `picture` makes the newest one, and is asked only when it is sent. */
  constructor(plan: CardPlan, picture: () => Picture) {
    this.#plan = plan;
    this.#picture = picture;
    this.#work = this.#open();
  }

  /** There is something new to show. */
  show(): void {
    this.#isStale = true;
    this.#poke();
  }

  /** The program has paused, or goes on. */
  setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.show();
  }

  /** Shows the last picture and ends the card. Rejects when the companion does not take it. */
  async end(end: CardEnd): Promise<void> {
    this.#stop.abort();
    this.#forgetTimer?.();
    await this.#work;
    const progress = this.#progress;
    this.#progress = null;
    if (progress === null) return;
    const fields = this.#news();
    if (end.how === 'done') await progress.done(fields);
    else if (end.how === 'failed') await progress.fail(end.why, fields);
    else await this.#plan.companion.cancel(progress.requestId);
  }

  get #isOver(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Resolves when the card is up, or there will be none, or this is over. */
  async #open(): Promise<void> {
    const { companion, title, controls } = this.#plan;
    const { percent, phase, message, tone } = this.#picture();
    try {
      const options = { percent, message, tone, controls, timeoutMs: LIMITS.maxTimeoutMs, ...(phase && { phase }) };
      this.#sent = { percent, message, tone, ...(phase && { phase }) };
      const progress = await companion.progress(title, options);
      this.#progress = progress;
      this.#sentAt = this.#plan.clock.now();
      this.#follow(progress);
      this.show();
    } catch (error) {
      if (this.#isOver) return;
      if (mayDoLater(error)) this.#later(() => this.#reopen());
      this.#plan.onRefused(error);
    }
  }

  #reopen(): void {
    this.#progress = null;
    if (!this.#isOver) this.#work = this.#open();
  }

  #later(act: () => void, delayMs = AGAIN_MS): void {
    this.#forgetTimer?.();
    this.#forgetTimer = this.#plan.clock.after(delayMs, () => {
      this.#forgetTimer = null;
      act();
    });
  }

  /** What the card does not show yet. */
  #news(): ProgressFields {
    const wanted: ProgressFields = {
      ...this.#picture(),
      ...(this.#isPaused !== (this.#sent.paused ?? false) && { paused: this.#isPaused }),
    };
    const sent: Readonly<Record<string, unknown>> = { ...this.#sent };
    return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => sent[name] !== value));
  }

  /** Sends what is new: now, or when enough time has passed since the last. */
  #poke(): void {
    if (!this.#isStale || this.#progress === null || this.#forgetTimer !== null || this.#isOver) return;
    const waitMs = this.#sentAt + UPDATE_MS - this.#plan.clock.now();
    if (waitMs > 0) this.#later(() => this.#poke(), waitMs);
    else if (!this.#isSending) {
      this.#isSending = true;
      this.#work = this.#send(this.#progress).finally(() => {
        this.#isSending = false;
        this.#poke();
      });
    }
  }

  async #send(progress: Progress): Promise<void> {
    this.#isStale = false;
    const news = this.#news();
    if (Object.keys(news).length === 0) return;
    this.#sentAt = this.#plan.clock.now();
    try {
      await progress.update(news);
      this.#sent = { ...this.#sent, ...news };
    } catch (error) {
      if (this.#isOver) return;
      const isConflict = codeOf(error) === 'REVISION_CONFLICT';
      // An ended card is met by who follows it. The user may press as often as they like: the next one gets through.
      if (isConflict && isTerminal(statusOf(error) as Snapshot['status'])) this.#sent = { ...this.#sent, ...news };
      else if (mayDoLater(error)) {
        this.#isStale = true;
        this.#sentAt += isConflict ? 0 : AGAIN_MS;
      } else {
        this.#progress = null;
        this.#plan.onRefused(error);
      }
    }
  }

  /** Hears of every press, and of the card's end. */
  async #follow(progress: Progress): Promise<void> {
    const { companion, onControl } = this.#plan;
    let { revision, control } = progress.snapshot;
    let heard = control?.seq ?? 0;
    while (!this.#isOver && this.#progress === progress) {
      try {
        const waiting = { afterRevision: revision, signal: this.#stop.signal };
        const snapshot = await companion.wait(progress.requestId, waiting);
        if (isTerminal(snapshot.status)) return this.#ended(progress, snapshot.reason);
        ({ revision, control } = snapshot);
        if (control !== null && control.seq > heard) {
          heard = control.seq;
          onControl(control.action);
        }
      } catch (error) {
        if (this.#isOver || !mayDoLater(error)) return;
        await new Promise<void>((resolve) => this.#plan.clock.after(AGAIN_MS, resolve));
      }
    }
  }

  #ended(progress: Progress, reason: string | null): void {
    if (this.#progress !== progress || this.#isOver) return;
    this.#progress = null;
    if (COMES_BACK.includes(reason)) this.#reopen();
  }
}
