/** One progress card in its owner's hands: knows the newest revision, and meets a conflict by looking once more (R2, R15). */
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { isTerminal, type Status } from '../../server/protocol/status.ts';
import { CompanionError } from '../companion-error.ts';
import type { CallOptions, Params, ProgressFields } from './options.ts';

/** The calls a card makes. */
interface Updater {
  update(params: Params<'requests.update'>, options?: CallOptions): Promise<Snapshot>;
  get(requestId: string, options?: CallOptions): Promise<Snapshot>;
}

/** The revision a conflict names, unless the request has ended and no update can help; null for any other error. */
function actualRevision(error: unknown): number | null {
  if (!(error instanceof CompanionError) || error.code !== 'REVISION_CONFLICT') return null;
  const { actual, status } = error.details ?? {};
  const ended = typeof status === 'string' && isTerminal(status as Status);
  return typeof actual === 'number' && !ended ? actual : null;
}

/** The host may have acted, and its answer has not come. */
const isLost = (error: unknown, { signal }: CallOptions): boolean =>
  error instanceof CompanionError && error.code === 'UNREACHABLE' && !signal?.aborted;

export class Progress {
  readonly #client: Updater;
  #snapshot: Snapshot;

  constructor(client: Updater, snapshot: Snapshot) {
    this.#client = client;
    this.#snapshot = snapshot;
  }

  get requestId(): string {
    return this.#snapshot.requestId;
  }

  /** As of the last call; its `control` is what the user last pressed. */
  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  /** Errors: REVISION_CONFLICT when it has ended (`details.status` says how), or changed twice in the meantime. */
  update(fields: ProgressFields, options: CallOptions = {}): Promise<Snapshot> {
    return this.#send(fields, null, options);
  }

  /** Ends it well; `fields` are its last words. */
  done(fields: ProgressFields = {}, options: CallOptions = {}): Promise<Snapshot> {
    return this.#send({ ...fields, done: true }, 'owner_completed', options);
  }

  /** Ends it badly; `why` (1 to 280 characters) is shown. */
  fail(why: string, fields: ProgressFields = {}, options: CallOptions = {}): Promise<Snapshot> {
    return this.#send({ ...fields, failed: why }, 'owner_failed', options);
  }

  async #send(params: object, end: Snapshot['reason'], options: CallOptions): Promise<Snapshot> {
    const { requestId } = this;
    const send = (expectedRevision: number) =>
      this.#client.update({ requestId, expectedRevision, params: { ...params } }, options);
    try {
      this.#snapshot = await send(this.#snapshot.revision);
    } catch (error) {
      const actual = actualRevision(error);
      if (actual !== null) this.#snapshot = await send(actual);
      else if (isLost(error, options)) this.#snapshot = await this.#sendAgain(send, end, options);
      else throw error;
    }
    return this.#snapshot;
  }

  /** After a lost answer: the same fields twice do no harm, so they are sent again, unless the card has ended by them. */
  async #sendAgain(
    send: (expectedRevision: number) => Promise<Snapshot>,
    end: Snapshot['reason'],
    options: CallOptions,
  ): Promise<Snapshot> {
    const seen = await this.#client.get(this.requestId, options);
    if (!isTerminal(seen.status)) return send(seen.revision);
    if (end !== null && seen.reason === end) return seen;
    const details = { expected: this.#snapshot.revision, actual: seen.revision, status: seen.status };
    throw new CompanionError('REVISION_CONFLICT', { details });
  }
}
