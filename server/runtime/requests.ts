/** The verbs of an owner over its own requests: get, wait, cancel, update. A missing request and another client's look the same (spec §3, §4). */
import { ProtocolError } from '../protocol/errors.ts';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import { type RequestRecord, type Snapshot, toSnapshot } from '../protocol/snapshot.ts';
import { isTerminal } from '../protocol/status.ts';
import type { JsonObject } from '../protocol/words.ts';
import type { AnyCapability } from '../registry/define.ts';
import { assertNoFaults, faultsWith } from '../registry/validate.ts';
import type { End } from '../scheduler/changes.ts';
import type { Outcome } from '../scheduler/events.ts';
import type { Handlers } from './call.ts';
import type { Catalogue } from './catalogue.ts';
import type { Engine } from './engine.ts';
import type { Waits } from './waits.ts';

/** The committed record of a client's own request. Throws NOT_FOUND, or RESULT_EXPIRED while that can still be told. */
export function ownRecord(engine: Engine, clientId: ClientId, requestId: string): RequestRecord {
  const entry = engine.state().entries.get(requestId as RequestId);
  if (entry !== undefined) {
    if (entry.record.clientId !== clientId) throw new ProtocolError('NOT_FOUND');
    return entry.record;
  }
  const found = engine.store().find(requestId);
  if (found.kind === 'found' && found.record.clientId === clientId) return found.record;
  if (found.kind === 'gone' && found.clientId === clientId)
    throw new ProtocolError('RESULT_EXPIRED', { reason: found.reason });
  throw new ProtocolError('NOT_FOUND');
}

/** What the engine's outcome means to the owner: a snapshot, or the named refusal. */
export function settledSnapshot(engine: Engine, outcome: Outcome, clientId: ClientId): Snapshot {
  if (outcome.kind === 'refused') throw new ProtocolError(outcome.refusal.code, outcome.refusal.details);
  if (outcome.kind === 'request') return toSnapshot(ownRecord(engine, clientId, outcome.requestId));
  throw new Error(`no snapshot in outcome ${outcome.kind}`);
}

/** What an update ends, if it does; `done` and `failed` are the owner's own words (R2). */
function endOf({ done, failed }: JsonObject): End | null {
  if (done === true) return { status: 'completed', reason: 'owner_completed' };
  return typeof failed === 'string' ? { status: 'failed', reason: 'owner_failed', failure: failed } : null;
}

function assertUpdate(capability: AnyCapability, update: unknown): JsonObject {
  const check = () => capability.checkUpdate(update as JsonObject);
  assertNoFaults(
    capability.updatableFields.length === 0
      ? [{ path: '', rule: 'not updatable' }]
      : faultsWith(capability.update, update, check),
  );
  return update as JsonObject;
}

export interface RequestDeps {
  readonly engine: Engine;
  readonly waits: Waits;
  readonly catalogue: Catalogue;
}

type RequestVerbs = Pick<Handlers, 'requests.get' | 'requests.wait' | 'requests.cancel' | 'requests.update'>;

export function createRequestVerbs({ engine, waits, catalogue }: RequestDeps): RequestVerbs {
  return {
    'requests.get': ({ requestId }, { clientId }) => toSnapshot(ownRecord(engine, clientId, requestId)),

    'requests.wait': async ({ requestId, afterRevision, waitMs }, { clientId }, signal) => {
      const present = ownRecord(engine, clientId, requestId);
      if (present.revision <= afterRevision && !isTerminal(present.status) && waitMs > 0) {
        await waits.wait(clientId, present.requestId, afterRevision, waitMs, signal);
      }
      const record = ownRecord(engine, clientId, requestId);
      return { ...toSnapshot(record), unchanged: record.revision <= afterRevision };
    },

    'requests.cancel': async ({ requestId, reason = 'client_cancelled' }, { clientId }) => {
      const record = ownRecord(engine, clientId, requestId);
      if (!isTerminal(record.status)) {
        await engine.submit({ type: 'cancel', clientId, requestId: record.requestId, reason });
      }
      return toSnapshot(ownRecord(engine, clientId, requestId));
    },

    'requests.update': async ({ requestId, expectedRevision, params }, { clientId }) => {
      const record = ownRecord(engine, clientId, requestId);
      const patch = assertUpdate(catalogue.recall(record.capability), params);
      const { done: _done, failed: _failed, ...fields } = patch;
      const outcome = await engine.submit({
        type: 'update',
        clientId,
        requestId: record.requestId,
        expectedRevision,
        patch: fields,
        end: endOf(patch),
      });
      if (outcome.kind === 'absent') {
        const { revision, status } = ownRecord(engine, clientId, requestId);
        throw new ProtocolError('REVISION_CONFLICT', { expected: expectedRevision, actual: revision, status });
      }
      return settledSnapshot(engine, outcome, clientId);
    },
  };
}
