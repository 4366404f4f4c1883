/** One progress card in its owner's hands: knows the newest revision, and meets a conflict by looking once more (R2, R15). */
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { isTerminal, type Status } from '../../server/protocol/status.ts';
import { CompanionError } from '../companion-error.ts';
import type { Params, ProgressFields } from './options.ts';

/** The one call a card makes. */
interface Updater {
  update(params: Params<'requests.update'>): Promise<Snapshot>;
}

/** The revision a conflict names, unless the request has ended and no update can help; null for any other error. */
function actualRevision(error: unknown): number | null {
  if (!(error instanceof CompanionError) || error.code !== 'REVISION_CONFLICT') return null;
  const { actual, status } = error.details ?? {};
  const ended = typeof status === 'string' && isTerminal(status as Status);
  return typeof actual === 'number' && !ended ? actual : null;
}

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
  update(fields: ProgressFields): Promise<Snapshot> {
    return this.#send(fields);
  }

  /** Ends it well; `fields` are its last words. */
  done(fields: ProgressFields = {}): Promise<Snapshot> {
    return this.#send({ ...fields, done: true });
  }

  /** Ends it badly; `why` (1 to 280 characters) is shown. */
  fail(why: string, fields: ProgressFields = {}): Promise<Snapshot> {
    return this.#send({ ...fields, failed: why });
  }

  async #send(params: object): Promise<Snapshot> {
    const send = (expectedRevision: number) =>
      this.#client.update({ requestId: this.requestId, expectedRevision, params: { ...params } });
    try {
      this.#snapshot = await send(this.#snapshot.revision);
    } catch (error) {
      const actual = actualRevision(error);
      if (actual === null) throw error;
      this.#snapshot = await send(actual);
    }
    return this.#snapshot;
  }
}
