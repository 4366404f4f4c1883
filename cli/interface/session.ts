/** One run of one capability: a stream of lines with exactly one result as its last, whatever happens (§5, §6, §8 of the NDJSON interface). */
import { PackError } from '../../server/packs/types.ts';
import type { Json, JsonObject } from '../../server/protocol/words.ts';
import type { SessionClock } from './clock.ts';
import { type Control, LineReader, readControl } from './controls.ts';
import {
  type AnyNdjsonCapability,
  type Conversation,
  failed,
  type Outcome,
  type Question,
  type World,
} from './define.ts';
import { type Line, type LogLevel, toLine } from './lines.ts';
import { Prompts } from './prompts.ts';
import type { Wire } from './wire.ts';

/** Silence after which a sign of life is due. */
const HEARTBEAT_MS = 5_000;
/** How long a cancelled capability may take to leave things in good order. What it does is atomic: cut off later, it harms nothing. */
const GRACE_MS = 10_000;
/** A writer of nonsense is not answered for ever. */
const MAX_WARNINGS = 20;

/** What was thrown as an error of the interface; what nobody foresaw is `internal: …`. */
export function toPackError(thrown: unknown): PackError {
  if (thrown instanceof PackError && thrown.code !== 'E_INTERNAL') return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new PackError('E_INTERNAL', `internal: ${message}`, thrown instanceof PackError ? thrown.hint : null);
}

const cancelled = (message: string, hint: string | null = null): PackError =>
  new PackError('E_CANCELLED', message, hint);

/** `error` as its line. */
export const errorLine = ({ code, message, hint }: PackError, recoverable: boolean): Line => ({
  kind: 'error',
  code,
  message,
  recoverable,
  ...(hint !== null && { hint }),
});

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

class Session implements Conversation {
  readonly #capability: AnyNdjsonCapability;
  readonly #wire: Wire;
  readonly #clock: SessionClock;
  readonly #stop = new AbortController();
  readonly #prompts = new Prompts();
  readonly #lines = new LineReader();
  readonly #cutOff = deferred<Outcome>();
  #pause: Deferred<void> | null = null;
  #isInputOver = false;
  #isOver = false;
  #warnings = 0;
  #hasTold = false;
  #lastAt: number;
  #stopHeartbeat = (): void => {};

  constructor(capability: AnyNdjsonCapability, wire: Wire, clock: SessionClock) {
    this.#capability = capability;
    this.#wire = wire;
    this.#clock = clock;
    this.#lastAt = clock.now();
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Runs the capability to its end. Returns the exit code; what could not be told has not ended well. */
  async run(params: JsonObject, world: World): Promise<number> {
    this.#listen();
    this.#beat();
    const outcome = this.#judge(await Promise.race([this.#call(params, world), this.#cutOff.promise]));
    this.#end(outcome);
    const isTold = await this.#wire.drained();
    return isTold ? outcome.exitCode : outcome.exitCode || 1;
  }

  async #call(params: JsonObject, world: World): Promise<Outcome> {
    try {
      return await this.#capability.run(params, this, world);
    } catch (thrown) {
      const error = toPackError(thrown);
      return error.code === 'E_CANCELLED' ? { ...failed(error), exitCode: 130 } : failed(error);
    }
  }

  /** What fails after a cancel failed because of it; what was done nevertheless is done. And who fails says why. */
  #judge(outcome: Outcome): Outcome {
    const { exitCode, error } = outcome;
    if (exitCode === 0) return outcome;
    if (this.signal.aborted) return { ...outcome, exitCode: 130, error: this.signal.reason as PackError };
    if (error !== null || this.#hasTold) return outcome;
    return { ...outcome, error: new PackError('E_INTERNAL', `${this.#capability.name} failed and did not say why`) };
  }

  #end({ exitCode, data, error, recoverable }: Outcome): void {
    if (error !== null) this.#write(errorLine(error, recoverable));
    this.#write({ kind: 'result', exitCode, ...(data !== null && { data }) });
    this.#isOver = true;
    this.#stopHeartbeat();
  }

  #write(line: Line): void {
    // Whoever was cut off may still be talking.
    if (this.#isOver) return;
    this.#lastAt = this.#clock.now();
    if (line.kind === 'error') this.#hasTold = true;
    this.#wire.write(toLine(line));
  }

  #beat(): void {
    const leftMs = this.#lastAt + HEARTBEAT_MS - this.#clock.now();
    this.#stopHeartbeat = this.#clock.after(Math.max(leftMs, 1), () => {
      if (this.#clock.now() - this.#lastAt >= HEARTBEAT_MS) {
        const ts = `${new Date(this.#clock.wall()).toISOString().slice(0, 19)}Z`;
        this.#write({ kind: 'heartbeat', ts });
      }
      this.#beat();
    });
  }

  #listen(): void {
    this.#wire.listen({
      onInput: (chunk) => this.#hear(this.#lines.push(chunk)),
      onInputEnd: () => {
        this.#hear(this.#lines.end());
        this.#isInputOver = true;
        this.#giveUpAsking();
      },
      onGone: () => this.#cancel(cancelled('nobody reads the output')),
      onSignal: () => this.#cancel(cancelled('told to end by a signal')),
      onCrash: (thrown) => {
        this.#cutOff.resolve(failed(toPackError(thrown)));
      },
    });
  }

  #hear(lines: readonly (string | null)[]): void {
    for (const line of lines) {
      const read = readControl(line);
      if (read === null) continue;
      if ('junk' in read) this.#warn(read.junk);
      else this.#obey(read.control);
    }
  }

  #warn(what: string): void {
    this.#warnings += 1;
    if (this.#warnings <= MAX_WARNINGS) this.log('warn', `interface: ${what}`);
    if (this.#warnings === MAX_WARNINGS) this.log('warn', 'interface: further warnings about stdin are left out');
  }

  #obey(control: Control): void {
    switch (control.action) {
      case 'cancel':
        this.#cancel(cancelled('operation cancelled'));
        break;
      case 'pause':
        this.#hold();
        break;
      case 'resume':
        this.#pause?.resolve();
        this.#pause = null;
        break;
      case 'prompt-reply':
        this.#reply(control.id, control.value);
    }
  }

  #hold(): void {
    if (!this.#capability.pausable) this.#warn(`${this.#capability.name} cannot be paused`);
    else this.#pause ??= deferred();
  }

  #reply(id: string, value: string): void {
    const reply = this.#prompts.reply(id, value);
    if (reply === 'taken') return;
    if (reply === 'kept') this.log('info', 'interface: a prompt-reply is kept until its question is asked');
    else if (reply === 'late') this.#warn('a prompt-reply names no open prompt');
    else this.error(new PackError('E_INVALID_INPUT', `the reply to ${id} must be one of: ${reply.options.join(', ')}`));
  }

  #cancel(reason: PackError): void {
    if (this.signal.aborted) return;
    this.#stop.abort(reason);
    this.#prompts.rejectAll(reason);
    this.#pause?.resolve();
    const cut = (): void => this.#cutOff.resolve({ ...failed(reason), exitCode: 130 });
    if (this.#capability.droppable) cut();
    else this.#clock.after(GRACE_MS, cut);
  }

  async unpaused(): Promise<void> {
    while (this.#pause !== null && !this.signal.aborted) await this.#pause.promise;
    this.signal.throwIfAborted();
  }

  progress(phase: string, percent: number, message: string): void {
    this.#write({ kind: 'progress', phase, percent, message });
  }

  log(level: LogLevel, message: string): void {
    this.#write({ kind: 'log', level, message });
  }

  data(dataKind: string, payload: Json): void {
    this.#write({ kind: 'data', dataKind, payload });
  }

  error(error: PackError): void {
    this.#write(errorLine(error, true));
  }

  async ask(question: Question): Promise<string> {
    this.signal.throwIfAborted();
    const id = this.#prompts.nextId(question.id);
    const early = this.#prompts.takeEarly(id);
    if (early === undefined && this.#isInputOver) {
      throw cancelled('nobody can answer: the input is closed', 'pass "yes": true');
    }
    this.#write({ ...question, kind: 'prompt', id });
    const answer = this.#prompts.open(id, question);
    if (early !== undefined) this.#reply(id, early);
    this.#giveUpAsking();
    return answer;
  }

  /** Without input no answer can come any more. */
  #giveUpAsking(): void {
    if (!this.#isInputOver || !this.#prompts.isWaiting) return;
    this.#cancel(cancelled('the input was closed while a question was open'));
  }
}

/** Runs `capability` with parameters that fit its schema. Returns its exit code once its last line is out. Never throws. */
export const runSession = (
  capability: AnyNdjsonCapability,
  params: JsonObject,
  world: World,
  wire: Wire,
): Promise<number> => new Session(capability, wire, world.clock).run(params, world);
