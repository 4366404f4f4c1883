/** `requests.create`: checks a call in the order of R14 and hands it to the engine (spec §3). */
import canonicalize from 'canonicalize';
import { assertScopes } from '../auth/scopes.ts';
import { invalidParams, ProtocolError } from '../protocol/errors.ts';
import { newRequestId, type RequestId, type RuntimeInstanceId } from '../protocol/ids.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { RequestRecord, Snapshot } from '../protocol/snapshot.ts';
import type { IdempotencyRecord } from '../protocol/store.ts';
import type { JsonObject } from '../protocol/words.ts';
import type { AnyCapability } from '../registry/define.ts';
import type { requestsCreate } from '../registry/methods/requests.create.ts';
import type { Static } from '../registry/schema.ts';
import { assertNoFaults, faultsWith } from '../registry/validate.ts';
import type { CreateEvent, Refusal } from '../scheduler/events.ts';
import type { KnownActor } from './call.ts';
import type { Catalogue, Resolution } from './catalogue.ts';
import type { HostClock } from './clock.ts';
import type { Engine } from './engine.ts';
import { settledSnapshot } from './requests.ts';

type CreateParams = Static<(typeof requestsCreate)['params']>;

export interface CreateDeps {
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly clock: HostClock;
  readonly instanceId: () => RuntimeInstanceId;
}

/** Schema first, then what a schema cannot say; paths are those of the whole call. */
function assertCapabilityParams(capability: AnyCapability, { params, timeoutMs }: CreateParams): JsonObject {
  assertNoFaults(faultsWith(capability.input, params, () => capability.check(params as JsonObject)));
  if (timeoutMs !== undefined && timeoutMs > capability.limits.maxTimeoutMs) {
    throw invalidParams('/timeoutMs', 'maximum');
  }
  return params as JsonObject;
}

const UNRESOLVED: Resolution = {
  resolvedCapability: '',
  resolvedStyle: '',
  resolvedCharacter: '',
  substituteReason: null,
};

/** Style and character; a refusal is kept for the scheduler, which tells it only when the idempotency key is new. */
function tryResolve({ catalogue, engine }: CreateDeps, capability: AnyCapability, params: CreateParams) {
  try {
    const { character, style, allowSubstitute = false } = params;
    const resolution = catalogue.resolve({ capability, character, style, allowSubstitute }, engine.state().settings);
    return { resolution, refusal: null };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const refusal: Refusal = { code: error.code, ...(error.details && { details: error.details }) };
    return { resolution: UNRESOLVED, refusal };
  }
}

/** How long it stays on screen by itself; null: until something else ends it. */
function displayMsOf(capability: AnyCapability, params: JsonObject): number | null {
  const presentation = capability.present(params);
  if (presentation.view === 'notice') return presentation.durationMs;
  return presentation.view === 'clip' ? LIMITS.maxAnimationMs : null;
}

/** The key's record: what is compared are the canonical parameters as sent, without the key itself (R14, RFC 8785). */
function idempotencyOf(
  deps: CreateDeps,
  actor: KnownActor,
  params: CreateParams,
  record: RequestRecord,
): IdempotencyRecord | null {
  const { idempotencyKey, ...compared } = params;
  if (idempotencyKey === undefined) return null;
  const digest = deps.engine.store().digest(canonicalize(compared) ?? '');
  return { clientId: actor.clientId, key: idempotencyKey, requestId: record.requestId, digest };
}

function newRecord(
  deps: CreateDeps,
  actor: KnownActor,
  capability: AnyCapability,
  params: CreateParams,
  resolution: Resolution,
): RequestRecord {
  const { wallMs } = deps.clock.now();
  return {
    requestId: newRequestId(wallMs),
    clientId: actor.clientId,
    runtimeInstanceId: deps.instanceId(),
    capability: capability.id,
    capabilityVersion: capability.version,
    taskId: params.taskId ?? null,
    params: params.params as JsonObject,
    status: 'queued',
    revision: 1,
    reason: null,
    createdAt: wallMs,
    deadlineAt: wallMs + (params.timeoutMs ?? capability.limits.defaultTimeoutMs),
    displayedAt: null,
    endedAt: null,
    retainedUntil: null,
    ...resolution,
    control: null,
    failure: null,
    result: null,
  };
}

/**
 * Accepts a call of a capability; returns its snapshot once it is on disk. `onNamed` hears the ID the request will have, before
 * anything can be seen of it.
 * Errors: UNSUPPORTED_CAPABILITY, FORBIDDEN, INVALID_PARAMS, IDEMPOTENCY_CONFLICT, UNSUPPORTED_STYLE, RUNTIME_UNAVAILABLE, RATE_LIMITED, QUEUE_FULL.
 */
export async function createRequest(
  deps: CreateDeps,
  params: CreateParams,
  actor: KnownActor,
  onNamed: (requestId: RequestId) => void = () => {},
): Promise<Snapshot> {
  const capability = deps.catalogue.get(params.capability);
  assertScopes(actor, capability.requiredScopes);
  const capabilityParams = assertCapabilityParams(capability, params);
  const { resolution, refusal } = tryResolve(deps, capability, params);
  const record = newRecord(deps, actor, capability, params, resolution);
  onNamed(record.requestId);
  const event: CreateEvent = {
    type: 'create',
    record,
    kind: capability.kind,
    timeoutMs: record.deadlineAt - record.createdAt,
    displayMs: displayMsOf(capability, capabilityParams),
    maxUnfinishedOfKind: capability.limits.maxUnfinishedPerClient,
    suppressible: capability.whenUnavailable.doNotDisturb === 'suppress',
    internal: actor.kind === 'host',
    idempotency: idempotencyOf(deps, actor, params, record),
    known: null,
    unresolved: refusal,
  };
  return settledSnapshot(deps.engine, await deps.engine.submit(event), actor.clientId);
}
