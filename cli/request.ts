/** What all commands that make or follow a request share: its options, its wait, and what its end means for the exit code (R9). */
import type { Snapshot } from '../server/protocol/snapshot.ts';
import { isTerminal } from '../server/protocol/status.ts';
import type { Options, Values } from './args.ts';
import type { Client } from './client/client.ts';
import { known } from './client/known.ts';
import type { RequestOptions } from './client/options.ts';
import type { Answer, Context } from './command.ts';
import { CompanionError } from './companion-error.ts';

export const WAIT_OPTION = {
  wait: {
    kind: 'maybeDuration',
    value: 'DUR',
    help: 'wait for its end, at most DUR; the exit code tells how it ended',
  },
} as const satisfies Options;

export const REQUEST_OPTIONS = {
  timeout: { kind: 'duration', value: 'DUR', help: 'when it expires, counted from now, waiting in the queue included' },
  'idempotency-key': { kind: 'text', value: 'KEY', help: 'the same key and parameters never make a second request' },
  'task-id': { kind: 'text', value: 'ID', help: "the caller's own label" },
  style: { kind: 'text', value: 'STYLE', help: 'the look; see: companion styles list' },
  character: { kind: 'text', value: 'CHARACTER', help: 'see: companion characters list' },
  'allow-substitute': { kind: 'flag', value: '', help: 'allow a declared substitute for what is not supported' },
  ...WAIT_OPTION,
} as const satisfies Options;

/** The options of a create, from the command line. */
export const requestOptions = (values: Values<typeof REQUEST_OPTIONS>): RequestOptions =>
  known({
    timeoutMs: values.timeout,
    idempotencyKey: values['idempotency-key'],
    taskId: values['task-id'],
    style: values.style,
    character: values.character,
    allowSubstitute: values['allow-substitute'],
  });

/** What a snapshot means for whoever waited for its end; null when it completed. */
export function errorOfEnd({ requestId, status, reason, revision }: Snapshot): CompanionError | null {
  const details = { requestId, status, reason, revision };
  switch (status) {
    case 'completed':
      return null;
    case 'failed':
      return new CompanionError('REQUEST_FAILED', { details });
    case 'cancelled':
      return new CompanionError('REQUEST_CANCELLED', { details });
    case 'expired':
      return new CompanionError('REQUEST_EXPIRED', { details });
    default:
      return new CompanionError('WAIT_TIMEOUT', { details });
  }
}

/**
 * Waits for the end, at most `limit` ms (true: as long as it takes). When the user interrupts, an `orphan` (a question that
 * nobody could ask for again) is cancelled; anything else goes on. Errors name the request, so that it can be found again.
 */
async function awaitEnd(context: Context, client: Client, accepted: Snapshot, limit: true | number, orphan: boolean) {
  const signal = context.interruption();
  const { requestId } = accepted;
  if (isTerminal(accepted.status)) return accepted;
  try {
    return await client.waitUntilEnd(requestId, { signal, ...(limit !== true && { timeoutMs: limit }) });
  } catch (error) {
    if (!(error instanceof CompanionError)) throw error;
    if (signal.aborted && orphan) await client.cancel(requestId);
    const { code, message, retryable, details } = error;
    throw new CompanionError(code, { message, retryable, details: { ...details, requestId } });
  }
}

/** The answer of a verb that has made or changed a request; `plain` words the snapshot for people. */
export async function answerRequest(
  context: Context,
  client: Client,
  accepted: Snapshot,
  {
    limit,
    orphan,
    plain,
  }: { limit: true | number | undefined; orphan: boolean; plain(snapshot: Snapshot): string | null },
): Promise<Answer> {
  if (limit === undefined) return { json: accepted, plain: plain(accepted), error: null };
  const last = await awaitEnd(context, client, accepted, limit, orphan);
  return { json: last, plain: plain(last), error: errorOfEnd(last) };
}

/** Nothing to say. */
export const silent = (): null => null;
