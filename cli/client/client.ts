/**
 * `companion/client`: a typed client of the host over its Unix socket. It waits in bounded steps, knows a revision from the next,
 * and never asks the user twice for one question (spec §3, §4, R5, R14, R15).
 */
import { LIMITS } from '../../server/protocol/limits.ts';
import { resolvePaths } from '../../server/protocol/paths.ts';
import type { OptionItem } from '../../server/protocol/presentation.ts';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { isTerminal } from '../../server/protocol/status.ts';
import type { JsonObject } from '../../server/protocol/words.ts';
import { interactionAsk } from '../../server/registry/capabilities/interaction.ask.ts';
import { interactionChoose } from '../../server/registry/capabilities/interaction.choose.ts';
import { noticeShow } from '../../server/registry/capabilities/notice.show.ts';
import { progressShow } from '../../server/registry/capabilities/progress.show.ts';
import type { MethodName } from '../../server/registry/catalog.ts';
import { CompanionError } from '../companion-error.ts';
import { loadProfile } from '../profiles.ts';
import { Caller, PATIENCE_MS } from './caller.ts';
import { known } from './known.ts';
import type {
  CallOptions,
  ConnectOptions,
  NoticeOptions,
  Params,
  ProgressFields,
  ProgressOptions,
  QuestionOptions,
  RequestOptions,
  Result,
  TextOptions,
  WaitedSnapshot,
  WaitOptions,
} from './options.ts';
import { Progress } from './progress.ts';
import { abortable, newIdempotencyKey, now, sleep } from './time.ts';

export type {
  CallOptions,
  ConnectOptions,
  NoticeOptions,
  OptionItem,
  Params,
  ProgressFields,
  ProgressOptions,
  QuestionOptions,
  RequestOptions,
  Result,
  Snapshot,
  TextOptions,
  WaitedSnapshot,
  WaitOptions,
};
export { CompanionError, Progress };

export class Client {
  readonly socketPath: string;
  readonly #caller: Caller;
  readonly #withdrawals = new Set<Promise<unknown>>();

  /** Use `connect`. `key` null: without authentication. */
  constructor(socketPath: string, key: string | null) {
    this.socketPath = socketPath;
    this.#caller = new Caller(socketPath, key);
  }

  /** Any method of the protocol by its name. Errors: as `Caller.call`. */
  call<Name extends MethodName>(
    method: Name,
    params: Params<Name>,
    { signal }: CallOptions = {},
  ): Promise<Result<Name>> {
    return this.#caller.call(method, params, { signal }) as Promise<Result<Name>>;
  }

  /** What the runtime is, its limits, and what this key allows. */
  describe(options: CallOptions = {}): Promise<Result<'runtime.describe'>> {
    return this.call('runtime.describe', {}, options);
  }

  /**
   * Creates a request; the snapshot says accepted, not shown and not answered. Gets an idempotency key when it has none, so that
   * nothing that happens to the connection asks twice. While the overlay comes up, tries again for 5 s as the host suggests.
   */
  async create(params: Params<'requests.create'>, options: CallOptions = {}): Promise<Snapshot> {
    const keyed = { ...params, idempotencyKey: params.idempotencyKey ?? newIdempotencyKey() };
    const giveUpAt = now() + PATIENCE_MS;
    for (;;) {
      try {
        return (await this.call('requests.create', keyed, options)) as Snapshot;
      } catch (error) {
        const waitMs = overlayWait(error);
        const leftMs = giveUpAt - now();
        if (waitMs === null || leftMs <= 0) throw error;
        await sleep(Math.min(waitMs, leftMs), options.signal);
      }
    }
  }

  async get(requestId: string, options: CallOptions = {}): Promise<Snapshot> {
    return (await this.call('requests.get', { requestId }, options)) as Snapshot;
  }

  /**
   * Waits, in as many bounded steps as it takes, until the request passes `afterRevision` or has ended, at most `waitMs`
   * (default: no limit; a request ends at its deadline by itself). `unchanged: true` when the time was up before.
   */
  async wait(
    requestId: string,
    { afterRevision = 0, waitMs = Number.POSITIVE_INFINITY, signal }: WaitOptions = {},
  ): Promise<WaitedSnapshot> {
    const endAt = now() + waitMs;
    let stepMs = waitMs;
    // Only a host that has answered once may be away for a moment.
    for (let patient = false; ; patient = true) {
      const params = { requestId, afterRevision, waitMs: Math.min(stepMs, LIMITS.maxWaitMs) };
      const snapshot = (await this.#caller.call('requests.wait', params, { signal, patient })) as WaitedSnapshot;
      stepMs = Math.ceil(endAt - now());
      if (!snapshot.unchanged || isTerminal(snapshot.status) || stepMs <= 0) return snapshot;
    }
  }

  /** Waits like `wait` till the request has ended or `timeoutMs` is over. Returns the newest snapshot, ended or not. */
  async waitUntilEnd(
    requestId: string,
    { timeoutMs = Number.POSITIVE_INFINITY, signal }: CallOptions & { readonly timeoutMs?: number } = {},
  ): Promise<Snapshot> {
    const endAt = now() + timeoutMs;
    for (let afterRevision = 0, leftMs = timeoutMs; ; ) {
      const waiting = { afterRevision, waitMs: leftMs, ...(signal && { signal }) };
      const { unchanged: _, ...snapshot } = await this.wait(requestId, waiting);
      leftMs = Math.ceil(endAt - now());
      if (isTerminal(snapshot.status) || leftMs <= 0) return snapshot;
      afterRevision = snapshot.revision;
    }
  }

  async cancel(
    requestId: string,
    reason?: 'client_cancelled' | 'superseded',
    options: CallOptions = {},
  ): Promise<Snapshot> {
    return (await this.call('requests.cancel', { requestId, ...(reason && { reason }) }, options)) as Snapshot;
  }

  /** One update; a stale `expectedRevision` is REVISION_CONFLICT. */
  async update(params: Params<'requests.update'>, options: CallOptions = {}): Promise<Snapshot> {
    return (await this.call('requests.update', params, options)) as Snapshot;
  }

  /** Shows a short text; returns once it is accepted. */
  notify(
    text: string,
    { title, tone, durationMs, signal, ...request }: NoticeOptions & RequestOptions = {},
  ): Promise<Snapshot> {
    const params = known({ text, title, tone, durationMs });
    return this.create({ capability: noticeShow.id, params, ...request }, signal ? { signal } : {});
  }

  /** Asks the user to pick one of 2 to 5 options, and waits. Returns the option's ID, or null when the user gave no answer. */
  async choose(
    title: string,
    options: readonly OptionItem[],
    {
      details,
      tone,
      allowDecline,
      suggestedId,
      signal,
      ...request
    }: QuestionOptions & { readonly suggestedId?: string } = {},
  ): Promise<string | null> {
    const params = known({ title, options, details, tone, allowDecline, suggestedId });
    const { result } = await this.#ask(interactionChoose.id, params, request, signal);
    return result === null ? null : (result as { selectedId: string }).selectedId;
  }

  /** Asks the user to type something, and waits. Returns the text, or null when the user gave no answer. */
  async ask(
    title: string,
    { details, tone, allowDecline, placeholder, maxLength, multiline, masked, signal, ...request }: TextOptions = {},
  ): Promise<string | null> {
    const params = known({ title, details, tone, allowDecline, placeholder, maxLength, multiline, masked });
    const { result } = await this.#ask(interactionAsk.id, params, request, signal);
    return result === null ? null : (result as { text: string }).text;
  }

  async #ask(
    capability: string,
    params: JsonObject,
    request: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<Snapshot> {
    signal?.throwIfAborted();
    // Not ended by the signal: what may have been accepted must be known to be withdrawn.
    const creating = this.create({ capability, params, ...request });
    try {
      const { requestId } = await abortable(creating, signal);
      return await this.waitUntilEnd(requestId, signal ? { signal } : {});
    } catch (error) {
      if (signal?.aborted && request.idempotencyKey === undefined) {
        this.#withdraw(creating);
      }
      throw error;
    }
  }

  /** Cancels what is being created. Nobody waits for it but `close`: the caller wants to hear of the end at once. */
  #withdraw(creating: Promise<Snapshot>): void {
    const withdrawal = creating.then(({ requestId }) => this.cancel(requestId)).catch(() => {});
    this.#withdrawals.add(withdrawal);
    void withdrawal.then(() => this.#withdrawals.delete(withdrawal));
  }

  /** Puts up a progress card; update and end it through what is returned. */
  async progress(
    title: string,
    { percent = null, message, phase, tone, controls, signal, ...request }: ProgressOptions = {},
  ): Promise<Progress> {
    const params = known({ title, percent, message, phase, tone, controls });
    const create = { capability: progressShow.id, params, ...request };
    return new Progress(this, await this.create(create, signal ? { signal } : {}));
  }

  /** Takes up a progress card of this client again, after a restart say. */
  async resumeProgress(requestId: string, options: CallOptions = {}): Promise<Progress> {
    return new Progress(this, await this.get(requestId, options));
  }

  /** Ends all connections; calls under way fail UNREACHABLE. Questions that are being withdrawn are withdrawn first. */
  close(): void {
    if (this.#withdrawals.size === 0) this.#caller.close();
    else void Promise.all(this.#withdrawals).then(() => this.#caller.close());
  }
}

/** How long the host asks to wait for its overlay, in ms; null when that is not what is wrong. */
function overlayWait(error: unknown): number | null {
  if (!(error instanceof CompanionError) || error.code !== 'RUNTIME_UNAVAILABLE') return null;
  const { reason, retryAfterMs } = error.details ?? {};
  return reason === 'overlay_down' && typeof retryAfterMs === 'number' ? retryAfterMs : null;
}

/**
 * A client for the chosen socket and credential profile; connects with the first call. Never guesses a profile.
 * Errors: CREDENTIAL_MISSING, CREDENTIAL_UNSAFE, PROFILE_AMBIGUOUS.
 */
export async function connect({ socketPath, key, profile, env = process.env }: ConnectOptions = {}): Promise<Client> {
  const paths = resolvePaths(env);
  if (key !== undefined) return new Client(socketPath ?? paths.socketPath, key);
  const loaded = await loadProfile(paths.credentialsFolder, profile ?? env.COMPANION_PROFILE);
  const place = socketPath ?? (env.COMPANION_SOCKET ? paths.socketPath : (loaded.socketPath ?? paths.socketPath));
  return new Client(place, loaded.key);
}
