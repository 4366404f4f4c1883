/** Creates one request with the caller's key, tells how it goes, and ends as it ends (R10). */
import { PackError } from '../../../server/packs/types.ts';
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import { isTerminal } from '../../../server/protocol/status.ts';
import type { JsonObject } from '../../../server/protocol/words.ts';
import type { Client } from '../../client/client.ts';
import type { Conversation, Outcome, World } from '../define.ts';
import { done, failed } from '../define.ts';
import { outcomeOfError } from './outcome-of-error.ts';

/** What of `snapshot` is news to who has heard `before`. */
function tell(conversation: Conversation, snapshot: Snapshot, before: Snapshot | null): void {
  const { requestId, capability, status, control, deadlineAt } = snapshot;
  if (before === null) conversation.data('request', { requestId, capability, deadlineAt });
  if (status !== before?.status && !isTerminal(status)) conversation.progress(status, -1, capability);
  if (control !== null && control.seq !== before?.control?.seq) conversation.data('control', { ...control });
}

/** How a request that has ended reads as the end of a call. */
function outcomeOf({ status, reason, result }: Snapshot): Outcome {
  if (status === 'completed') {
    // Without an answer there is no data: it can only be an object.
    return { ...done({}), data: typeof result === 'object' ? (result as JsonObject | null) : { value: result } };
  }
  const data = { reason };
  if (status === 'failed') return failed(new PackError('E_INTERNAL', `the request failed: ${reason}`), data);
  const error = new PackError('E_CANCELLED', `the request was ${status}: ${reason}`);
  return { exitCode: 130, data, error, recoverable: false };
}

async function follow(client: Client, accepted: Snapshot, conversation: Conversation): Promise<Outcome> {
  const { requestId } = accepted;
  // Whether it comes in time, the request's end says; if the host is gone, so does the wait.
  const takeBack = (): void => void client.cancel(requestId, 'client_cancelled').catch(() => {});
  if (conversation.signal.aborted) takeBack();
  conversation.signal.addEventListener('abort', takeBack, { once: true });
  let [snapshot, before]: [Snapshot, Snapshot | null] = [accepted, null];
  for (;;) {
    tell(conversation, snapshot, before);
    if (isTerminal(snapshot.status)) return outcomeOf(snapshot);
    before = snapshot;
    snapshot = await client.wait(requestId, { afterRevision: snapshot.revision });
  }
}

/** Runs the capability `id` in the companion. What the host or the way to it refuses is an outcome, not an exception. */
export async function runRequest(
  id: string,
  params: JsonObject,
  conversation: Conversation,
  world: World,
): Promise<Outcome> {
  try {
    const client = await world.connect();
    return await follow(client, await client.create({ capability: id, params }), conversation);
  } catch (thrown) {
    return outcomeOfError(thrown, world.env);
  }
}
