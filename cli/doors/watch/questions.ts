/** A program's prompts as questions on the figure. What the user picked goes back once; anything else is never an answer (R10). */
import { LIMITS } from '../../../server/protocol/limits.ts';
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import { newIdempotencyKey } from '../../client/time.ts';
import type { SessionClock } from '../../interface/clock.ts';
import type { PromptEvent } from './adapter.ts';
import { AGAIN_MS, type Companion, codeOf, mayDoLater, reasonOf } from './companion.ts';
import { type Question, toQuestion } from './question.ts';

/** The companion lost it, and the user has said nothing: it is asked again. */
const LOST: readonly (string | null)[] = ['runtime_restarted', 'display_failed'];
/** The user has said something, if not to this question. */
const TURNED_AWAY: readonly string[] = ['hidden', 'paused'];
/** This program may not ask any more; it is left with its terminal. */
const CUT_OFF: readonly (string | null)[] = ['access_off', 'key_revoked'];

export interface QuestionsPlan {
  readonly companion: Companion;
  readonly clock: SessionClock;
  /** How long the user may take, in ms. */
  readonly answerWithinMs: number;
  /** Writes one line to the program; false when nobody reads it any more. */
  send(line: string): boolean;
  /** The user does not answer, in whichever way. */
  onUnanswered(): void;
  /** It cannot be asked, and the terminal is all there is. */
  onRefused(error: unknown): void;
}

interface Open {
  readonly prompt: PromptEvent;
  readonly stop: AbortController;
}

export class Questions {
  readonly #plan: QuestionsPlan;
  readonly #open = new Map<string, Open>();
  /** What is being taken down. */
  readonly #leaving = new Set<Promise<unknown>>();

  constructor(plan: QuestionsPlan) {
    this.#plan = plan;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** A prompt with the ID of one that is open takes its place. */
  ask(prompt: PromptEvent): void {
    this.close(prompt.id);
    const open = { prompt, stop: new AbortController() };
    this.#open.set(prompt.id, open);
    this.#put(open);
  }

  /** The program no longer waits for `id`: its card goes, and what is picked on it meanwhile is not written. */
  close(id: string): void {
    this.#open.get(id)?.stop.abort();
    this.#open.delete(id);
  }

  /** Takes all of them down; resolves when they are. */
  async closeAll(): Promise<void> {
    for (const id of [...this.#open.keys()]) this.close(id);
    await Promise.all(this.#leaving);
  }

  /** Asks until there is an end that is the user's. */
  async #put(open: Open): Promise<void> {
    const question = toQuestion(open.prompt);
    for (let key = newIdempotencyKey(); !open.stop.signal.aborted; ) {
      try {
        const snapshot = await this.#askOnce(open, question, key);
        if (snapshot === null || this.#settle(open, question, snapshot)) return;
        key = newIdempotencyKey();
      } catch (error) {
        if (open.stop.signal.aborted) return;
        if (codeOf(error) === 'RUNTIME_UNAVAILABLE' && TURNED_AWAY.includes(reasonOf(error))) {
          this.#forget(open);
          return this.#plan.onUnanswered();
        }
        if (!mayDoLater(error)) {
          this.#forget(open);
          return this.#plan.onRefused(error);
        }
        await new Promise<void>((resolve) => this.#plan.clock.after(AGAIN_MS, resolve));
      }
    }
  }

  /** One request to its end; null when the program has closed the prompt in the meantime. */
  async #askOnce({ stop }: Open, { capability, params }: Question, idempotencyKey: string): Promise<Snapshot | null> {
    const { companion, answerWithinMs: timeoutMs } = this.#plan;
    const request = { capability, params: { ...params }, timeoutMs, idempotencyKey };
    const { requestId } = await companion.create(request);
    const takeDown = (): void => {
      const leaving = companion.cancel(requestId, 'superseded').catch(() => {});
      this.#leaving.add(leaving);
      leaving.then(() => this.#leaving.delete(leaving));
    };
    if (stop.signal.aborted) {
      takeDown();
      return null;
    }
    stop.signal.addEventListener('abort', takeDown, { once: true });
    const snapshot = await companion.waitUntilEnd(requestId, { signal: stop.signal });
    stop.signal.removeEventListener('abort', takeDown);
    return stop.signal.aborted ? null : snapshot;
  }

  #forget({ prompt, stop }: Open): void {
    if (!stop.signal.aborted) this.#open.delete(prompt.id);
  }

  /** What the end of a request means for its prompt; false: it is asked again. */
  #settle(open: Open, question: Question, { status, reason, result }: Snapshot): boolean {
    if (LOST.includes(reason)) return false;
    if (status !== 'completed') {
      this.#forget(open);
      if (CUT_OFF.includes(reason))
        this.#plan.onRefused({ code: 'REQUEST_CANCELLED', message: `The question was taken away (${reason}).` });
      else this.#plan.onUnanswered();
      return true;
    }
    const value = question.read(result);
    // A text that is none of many options is no answer; who typed it is asked again.
    if (value === null) return false;
    this.#forget(open);
    this.#plan.send(open.prompt.reply(value));
    return true;
  }
}

/** The longest a question may stay. */
export const LONGEST_ANSWER_MS = LIMITS.maxTimeoutMs;
