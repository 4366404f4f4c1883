/** One watched program: its lines become events, events become its card, its questions and its end. Knows no process. */
import type { Control } from '../../../server/protocol/snapshot.ts';
import type { SessionClock } from '../../interface/clock.ts';
import { type Ending, toEnding, verdictOf } from '../ending.ts';
import type { Exit } from '../program/exit.ts';
import { Account } from './account.ts';
import type { Adapter, Line, Reading, WatchEvent } from './adapter.ts';
import { Card } from './card.ts';
import type { Companion } from './companion.ts';
import { Detector } from './detector.ts';
import { Questions } from './questions.ts';
import { Stopping } from './stopping.ts';

/** How long a program may keep its format to itself before its card goes up without it. */
const SETTLE_MS = 1_000;
const TICK_MS = 1_000;
/** How often the card is brought up to date although nothing has happened, for the time on it. */
const REFRESH_MS = 10_000;
/** After the last line of its format a program gets so long to end, before SIGTERM and again before SIGKILL. */
const LINGER_MS = 2_000;

/** What of the program is in the session's hands. */
export interface Hands {
  /** Writes one line to its standard input; false when that is closed, or not ours. */
  send(line: string): boolean;
  closeInput(): void;
  /** Nothing it was told is left to do: closed, if nobody will tell it more. */
  closeInputIfOver(): void;
  kill(signal: NodeJS.Signals): void;
}

export interface SessionPlan {
  readonly companion: Companion;
  readonly clock: SessionClock;
  readonly title: string;
  /** What was typed after the program's name. */
  readonly args: readonly string[];
  /** Formats to look for; with one of them and `isSure` it is that, from the start. */
  readonly adapters: readonly Adapter[];
  readonly isSure: boolean;
  /** Pause and resume may be signals. */
  readonly pauseSignals: boolean;
  readonly answerWithinMs: number;
  readonly hands: Hands;
  /** The format is known, or it is known that there is none. */
  onSettled(adapter: Adapter | null): void;
  /** Something cannot be shown; told once a cause. */
  onRefused(error: unknown): void;
}

export class Session {
  readonly #plan: SessionPlan;
  readonly #startedAt: number;
  readonly #account: Account;
  readonly #questions: Questions;
  readonly #detector: Detector;
  readonly #stopping: Stopping;
  #adapter: Adapter | null = null;
  #reading: Reading | null = null;
  #card: Card | null = null;
  #isSettled = false;
  #lastSignAt: number;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isPaused = false;
  #isOver = false;
  #forgetTick = (): void => {};
  #forgetLinger = (): void => {};
  #wasToldToEnd = false;

  constructor(plan: SessionPlan) {
    this.#plan = plan;
    const { companion, clock, answerWithinMs, hands, onRefused } = plan;
    this.#startedAt = clock.now();
    this.#lastSignAt = this.#startedAt;
    this.#account = new Account(this.#startedAt);
    this.#detector = new Detector(plan.adapters);
    this.#stopping = this.#makeStopping();
    this.#questions = new Questions({
      companion,
      clock,
      answerWithinMs,
      send: (line) => hands.send(line),
      onUnanswered: () => this.#stopping.start(),
      onRefused,
    });
    if (plan.isSure) {
      this.#settle(plan.adapters[0]!);
      this.#putUp();
    } else clock.after(SETTLE_MS, () => this.#putUp());
    this.#tick();
  }

  /** Reports whether further lines are of any use. */
  get isListening(): boolean {
    return !this.#isOver && (this.#reading !== null || !this.#detector.isOver);
  }

  #makeStopping(): Stopping {
    const { clock, hands } = this.#plan;
    return new Stopping({
      clock,
      tell: () => {
        const cancel = this.#reading?.cancel?.() ?? this.#adapter?.controls.cancel ?? null;
        return cancel !== null && hands.send(cancel);
      },
      kill: (signal) => this.#kill(signal),
      patienceMs: () => this.#adapter?.patienceMs,
    });
  }

  /** A stopped program hears of no signal before it goes on. */
  #kill(signal: NodeJS.Signals): void {
    this.#plan.hands.kill(signal);
    if (this.#isPaused) this.#plan.hands.kill('SIGCONT');
  }

  take(line: Line): void {
    if (this.#isOver) return;
    // It goes on all the same; one that only comments on being told to end does not.
    if (!this.#wasToldToEnd) this.#forgetLinger();
    this.#lastSignAt = this.#plan.clock.now();
    if (this.#reading === null) {
      const adapter = unlessBroken(() => this.#detector.recognize(line));
      if (adapter !== null) this.#settle(adapter);
      else if (this.#detector.isOver) this.#settleWithout();
      else return;
    }
    const events = unlessBroken(() => this.#reading?.read(line) ?? null) ?? [];
    for (const event of events) this.#hear(event);
    if (this.#reading !== null) this.#putUp();
    if (events.length > 0) this.#card?.show();
  }

  #settle(adapter: Adapter): void {
    this.#adapter = adapter;
    this.#reading = adapter.start(this.#plan.args);
    this.#isSettled = true;
    this.#plan.onSettled(adapter);
  }

  #settleWithout(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#plan.onSettled(null);
  }

  #putUp(): void {
    if (this.#card !== null || this.#isOver) return;
    const { companion, clock, title, pauseSignals, onRefused } = this.#plan;
    const canPause = pauseSignals || (this.#adapter?.controls.pause ?? null) !== null;
    this.#card = new Card(
      {
        companion,
        clock,
        title,
        controls: canPause ? ['pause', 'cancel'] : ['cancel'],
        onControl: (action) => this.#control(action),
        onRefused,
      },
      () => this.#picture(),
    );
  }

  #hear(event: WatchEvent): void {
    this.#account.take(event);
    if (event.kind === 'prompt') this.#questions.ask(event);
    else if (event.kind === 'prompt-closed') this.#questions.close(event.id);
    else if (event.kind === 'result') this.#result(event.last === true);
  }

  /** Nobody waits for an answer after a result; a program that stays after its last one is ended. */
  #result(isLast: boolean): void {
    this.#questions.closeAll();
    const { clock, hands } = this.#plan;
    if (!isLast) {
      hands.closeInputIfOver();
      return;
    }
    this.#stopping.end();
    this.#lastSignAt = Number.POSITIVE_INFINITY;
    hands.closeInput();
    this.#forgetLinger = clock.after(LINGER_MS, () => {
      this.#wasToldToEnd = true;
      this.#kill('SIGTERM');
      this.#forgetLinger = clock.after(LINGER_MS, () => this.#kill('SIGKILL'));
    });
  }

  /** The caller has sent this line to the program itself. */
  hearCaller(line: string): void {
    const id = this.#adapter?.repliesTo?.(line) ?? null;
    if (id !== null) this.#questions.close(id);
  }

  #control(action: Control['action']): void {
    if (action === 'cancel') {
      this.#stopping.start();
      return;
    }
    const { hands, pauseSignals } = this.#plan;
    const line = this.#adapter?.controls[action] ?? null;
    const isTold = line !== null && hands.send(line);
    if (!isTold && !pauseSignals) return;
    if (!isTold) hands.kill(action === 'pause' ? 'SIGSTOP' : 'SIGCONT');
    this.#isPaused = action === 'pause';
    this.#lastSignAt = this.#plan.clock.now();
    this.#card?.setPaused(this.#isPaused);
  }

  /** How long the program has been silent, when it should not be. */
  #silentMs(): number | null {
    const limitMs = this.#adapter?.silenceMs ?? null;
    const silentMs = this.#plan.clock.now() - this.#lastSignAt;
    return limitMs === null || this.#isPaused || silentMs < limitMs ? null : silentMs;
  }

  #picture(): ReturnType<Account['picture']> {
    this.#shownAt = this.#plan.clock.now();
    return this.#account.picture(this.#shownAt, this.#silentMs());
  }

  #tick(): void {
    this.#forgetTick = this.#plan.clock.after(TICK_MS, () => {
      const isDue = this.#plan.clock.now() - this.#shownAt >= REFRESH_MS;
      if (isDue || this.#silentMs() !== null) this.#card?.show();
      this.#tick();
    });
  }

  /** The program has ended and all its lines have been taken: what is to be told. Nothing of it is shown any more. */
  async end(exit: Exit): Promise<Ending> {
    const elapsedMs = this.#plan.clock.now() - this.#startedAt;
    const verdict = unlessBroken(() => this.#reading?.verdict(exit) ?? null) ?? verdictOf(exit);
    const ending = toEnding(verdict, exit, this.#stopping.wasAsked, elapsedMs);
    this.#lastSignAt = Number.POSITIVE_INFINITY;
    this.#isOver = true;
    this.#forgetTick();
    this.#forgetLinger();
    this.#stopping.end();
    await Promise.allSettled([this.#questions.closeAll(), this.#card?.end(cardEnd(ending))]);
    return ending;
  }
}

/** What an adapter says; null when it breaks over what it reads, which may be anything and must not end the program. */
function unlessBroken<T>(ask: () => T | null): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}

/** The same end for the card, whose owner can only say well, badly, or never mind. */
function cardEnd({ outcome, text }: Ending): Parameters<Card['end']>[0] {
  if (outcome === 'done') return { how: 'done' };
  return outcome === 'cancelled' || outcome === 'declined' ? { how: 'away' } : { how: 'failed', why: text };
}
