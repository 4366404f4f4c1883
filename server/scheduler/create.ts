/** Acceptance of a request, in the order idempotency → style and character → availability → rate → capacity (R14). */
import type { Now } from '../protocol/clock.ts';
import type { ErrorDetails } from '../protocol/errors.ts';
import type { Limits } from '../protocol/limits.ts';
import { takeToken } from './buckets.ts';
import { endEntry, setEntry } from './changes.ts';
import type { CreateEvent, Outcome, Refusal } from './events.ts';
import { plan } from './stage.ts';
import type { Draft, Entry, State } from './state.ts';

/** While the overlay is being started or mended. */
const OVERLAY_RETRY_MS = 2_000;
const FULL_RETRY_MS = 1_000;

/** Why nothing is accepted now, or null. `internal` callers are not bound by access and pause. */
export function unavailability(
  { settings, overlay }: Pick<State, 'settings' | 'overlay'>,
  internal: boolean,
): ErrorDetails | null {
  if (!internal && !settings.access) return { reason: 'access_off' };
  if (settings.hidden) return { reason: 'hidden' };
  if (!internal && settings.paused) return { reason: 'paused' };
  if (overlay === 'up') return null;
  return overlay === 'starting'
    ? { reason: 'overlay_down', retryAfterMs: OVERLAY_RETRY_MS }
    : { reason: 'overlay_down' };
}

/** The key's earlier request, from this batch or from the store. */
function earlierRequest(draft: Draft, { idempotency, known }: CreateEvent): CreateEvent['known'] {
  if (idempotency === null) return null;
  if (known !== null) return known;
  for (const { idempotency: pending } of draft.writes.values()) {
    if (pending !== null && pending.clientId === idempotency.clientId && pending.key === idempotency.key)
      return pending;
  }
  return null;
}

function rateRefusal(draft: Draft, event: CreateEvent, now: Now, limits: Limits): Refusal | null {
  const { clientId } = event.record;
  const rate = { perSecond: limits.createsPerSecond, burst: limits.createBurst };
  const { bucket, retryAfterMs } = takeToken(draft.createBuckets.get(clientId), rate, now.monoMs);
  draft.createBuckets.set(clientId, bucket);
  return retryAfterMs > 0 ? { code: 'RATE_LIMITED', details: { retryAfterMs } } : null;
}

function capacityRefusal(draft: Draft, event: CreateEvent, limits: Limits): Refusal | null {
  const full = (limit: string, value: number): Refusal => ({
    code: 'QUEUE_FULL',
    details: { limit, value, retryAfterMs: FULL_RETRY_MS },
  });
  if (draft.entries.size >= limits.maxUnfinished) return full('maxUnfinished', limits.maxUnfinished);
  let ofClient = 0;
  let ofKind = 0;
  for (const { record, kind } of draft.entries.values()) {
    if (record.clientId !== event.record.clientId) continue;
    ofClient += 1;
    if (kind === event.kind) ofKind += 1;
  }
  if (ofClient >= limits.maxUnfinishedPerClient) return full('maxUnfinishedPerClient', limits.maxUnfinishedPerClient);
  if (event.kind === 'interaction' && ofKind >= event.maxUnfinishedOfKind)
    return full('maxInteractionsPerClient', event.maxUnfinishedOfKind);
  if (event.kind === 'animation' && ofKind >= event.maxUnfinishedOfKind)
    return full('maxAnimationsPerClient', event.maxUnfinishedOfKind);
  if (draft.kept + draft.entries.size >= limits.maxKeptResults) return full('maxKeptResults', limits.maxKeptResults);
  return null;
}

/** The ninth waiting notice of a client evicts that client's oldest; nothing else is ever evicted. */
function evictNotice(draft: Draft, added: Entry, now: Now, limits: Limits): void {
  const waits = (entry: Entry) =>
    entry.kind === 'notice' && entry.record.clientId === added.record.clientId && entry.record.displayedAt === null;
  const count = () =>
    [...draft.entries.values()].filter((entry) => waits(entry) && !draft.slots.includes(entry.record.requestId));
  if (count().length <= limits.maxWaitingNoticesPerClient) return;
  plan(draft, now, limits);
  const waiting = count().sort((a, b) => a.sequence - b.sequence);
  if (waiting.length > limits.maxWaitingNoticesPerClient) {
    endEntry(draft, waiting[0]!, { status: 'cancelled', reason: 'queue_evicted' }, now, limits.resultRetentionMs);
  }
}

function accept(draft: Draft, event: CreateEvent, now: Now, limits: Limits): Outcome {
  const { record } = event;
  draft.sequence += 1;
  draft.writes.set(record.requestId, { record, fromRevision: null, idempotency: event.idempotency });
  const entry = setEntry(draft, {
    record,
    kind: event.kind,
    deadlineMonoMs: now.monoMs + event.timeoutMs,
    sequence: draft.sequence,
    displayMs: event.displayMs,
    spentMs: 0,
    shownSinceMonoMs: null,
    stagedSinceMonoMs: null,
    painted: false,
  });
  if (event.suppressible && draft.settings.doNotDisturb) {
    endEntry(draft, entry, { status: 'cancelled', reason: 'suppressed' }, now, limits.resultRetentionMs);
  } else if (event.kind === 'notice') {
    evictNotice(draft, entry, now, limits);
  }
  return { kind: 'request', requestId: record.requestId };
}

/** Accepts or refuses one create. A retry under a known key takes no token and is never refused by anything that changes with time. */
export function create(draft: Draft, event: CreateEvent, now: Now, limits: Limits): Outcome {
  const earlier = earlierRequest(draft, event);
  if (earlier !== null) {
    return earlier.digest === event.idempotency?.digest
      ? { kind: 'request', requestId: earlier.requestId }
      : { kind: 'refused', refusal: { code: 'IDEMPOTENCY_CONFLICT', details: { requestId: earlier.requestId } } };
  }
  if (event.unresolved !== null) return { kind: 'refused', refusal: event.unresolved };
  const unavailable = unavailability(draft, event.internal);
  if (unavailable !== null) return { kind: 'refused', refusal: { code: 'RUNTIME_UNAVAILABLE', details: unavailable } };
  const refusal = rateRefusal(draft, event, now, limits) ?? capacityRefusal(draft, event, limits);
  return refusal === null ? accept(draft, event, now, limits) : { kind: 'refused', refusal };
}
