/** Carries one JSON-RPC call to the host and brings its answer back, asking again where that cannot act twice (R14). */
import { ERRORS, type ErrorCode } from '../../server/protocol/errors.ts';
import { CONTROL_SCOPE } from '../../server/protocol/words.ts';
import type { MethodName } from '../../server/registry/catalog.ts';
import { vendorHook } from '../../server/registry/methods/vendor.internal.companion.hook.ts';
import { CompanionError } from '../companion-error.ts';
import { Link, LinkError } from './connection.ts';
import { now, sleep } from './time.ts';

/** A read that takes longer than this, connecting included, has no host behind it. */
const READ_TIMEOUT_MS = 1_500;
/** A write may have to wait for a slow disk. */
const WRITE_TIMEOUT_MS = 10_000;
/** A hook waits for the user, and a little for the host to say that they did not answer. */
const HOOK_TIMEOUT_MS = 605_000;
/** How long a create or a wait puts up with a host or an overlay that is just coming back. */
export const PATIENCE_MS = 5_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;

const WRITES: ReadonlySet<MethodName> = new Set<MethodName>([
  'requests.create',
  'requests.update',
  'requests.cancel',
  'auth.revokeSelf',
  'pairing.request',
  CONTROL_SCOPE,
]);
/** Sent again after a lost answer, these could do their work twice or report the first success as an error. */
const ONCE: ReadonlySet<MethodName> = new Set<MethodName>([
  'requests.update',
  'auth.revokeSelf',
  'pairing.request',
  vendorHook.name,
]);

interface WireError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: { readonly code?: unknown; readonly retryable?: unknown; readonly details?: unknown };
}

/** The host's error as ours. One without a name of ours is told by its number. */
function toCompanionError({ code, message, data }: WireError): CompanionError {
  const byNumber = (Object.keys(ERRORS) as ErrorCode[]).find((name) => ERRORS[name].rpcCode === code);
  return new CompanionError(typeof data?.code === 'string' ? data.code : (byNumber ?? 'INTERNAL_ERROR'), {
    ...(typeof message === 'string' && { message }),
    ...(typeof data?.retryable === 'boolean' && { retryable: data.retryable }),
    ...(typeof data?.details === 'object' && data.details !== null && { details: { ...data.details } }),
  });
}

/** The result in a JSON-RPC answer. Throws its error, or LinkError `foreign` when it is none. */
function readAnswer(body: string, id: number): unknown {
  let answer: { jsonrpc?: unknown; id?: unknown; result?: unknown; error?: WireError };
  try {
    answer = JSON.parse(body);
  } catch {
    throw new LinkError('foreign');
  }
  if (answer?.jsonrpc !== '2.0') throw new LinkError('foreign');
  // What never became a call is answered without an ID.
  if (answer.error !== undefined && (answer.id === id || answer.id === null)) throw toCompanionError(answer.error);
  if (answer.id !== id || answer.result === undefined) throw new LinkError('foreign');
  return answer.result;
}

const UNREACHABLE_TEXTS = {
  unreachable: undefined,
  broken: 'The companion hung up before it answered.',
  silent: 'The companion does not answer.',
  foreign: 'Whatever answers on this socket is not a companion.',
} as const;

export interface Sending {
  readonly signal?: AbortSignal | undefined;
  /** Also try again while there is no host at all, because there was one a moment ago. */
  readonly patient?: boolean;
}

export class Caller {
  readonly #socketPath: string;
  readonly #link: Link;
  #lastId = 0;

  constructor(socketPath: string, key: string | null) {
    this.#socketPath = socketPath;
    this.#link = new Link(socketPath, key);
  }

  /**
   * One call. A lost answer is asked for again unless that could act twice; `requests.create` is only repeated with an
   * idempotency key. Errors: CompanionError with the host's code; UNREACHABLE; CREDENTIAL_UNSAFE; the signal's reason.
   */
  async call(method: MethodName, params: object, { signal, patient = false }: Sending = {}): Promise<unknown> {
    const id = ++this.#lastId;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const { timeoutMs, windowMs, again } = policyOf(method, params);
    const giveUpAt = now() + windowMs;
    let answered = patient;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        return readAnswer((await this.#link.exchange(body, timeoutMs, signal)).body, id);
      } catch (error) {
        if (!(error instanceof LinkError)) throw error;
        answered ||= error.kind === 'broken';
        const mayReturn = error.kind === 'broken' || error.kind === 'unreachable';
        const mayTry = again && answered && mayReturn && !this.#link.isClosed();
        if (!mayTry || now() + pauseMs > giveUpAt) throw this.#unreachable(error);
        await sleep(pauseMs, signal);
      }
    }
  }

  #unreachable({ kind }: LinkError): CompanionError {
    const message = UNREACHABLE_TEXTS[kind];
    return new CompanionError('UNREACHABLE', { ...(message && { message }), details: { socket: this.#socketPath } });
  }

  /** Ends all connections; calls under way fail UNREACHABLE. */
  close(): void {
    this.#link.close();
  }
}

function timeoutOf(method: MethodName, waitMs: number): number {
  if (method === vendorHook.name) return HOOK_TIMEOUT_MS;
  return WRITES.has(method) ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS + waitMs;
}

/** How long to wait for the answer, how long to go on trying, and whether to try again at all. */
function policyOf(method: MethodName, params: object): { timeoutMs: number; windowMs: number; again: boolean } {
  const { waitMs = 0, idempotencyKey } = params as { waitMs?: number; idempotencyKey?: string };
  const isCreate = method === 'requests.create';
  return {
    timeoutMs: timeoutOf(method, waitMs),
    windowMs: isCreate || method.endsWith('.wait') ? PATIENCE_MS : READ_TIMEOUT_MS,
    again: !ONCE.has(method) && (!isCreate || idempotencyKey !== undefined),
  };
}
