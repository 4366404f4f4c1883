/** `(state, events, now) → { state, writes, outcomes }`: the scheduler is a function of the world; no I/O, no timer, no clock of its own (spec §3, §4). */
import type { Now } from '../protocol/clock.ts';
import { assertNever } from '../protocol/errors.ts';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import { HOST_CLIENT_ID } from '../protocol/ids.ts';
import type { Limits } from '../protocol/limits.ts';
import type { Settings } from '../protocol/settings.ts';
import type { Reason } from '../protocol/status.ts';
import { takeToken } from './buckets.ts';
import { changeRecord, endEntry, markPainted, setEntry, stopDisplayClock } from './changes.ts';
import { create } from './create.ts';
import { endOverdue } from './deadline.ts';
import type { Outcome, SchedulerEvent } from './events.ts';
import { mayStand, plan, waitingCards } from './stage.ts';
import { type Draft, draftOf, type Entry, type PendingWrite, type State, sealed } from './state.ts';

export interface Advance {
  readonly state: State;
  /** By request; to be written in one transaction, before anything is announced. */
  readonly writes: ReadonlyMap<RequestId, PendingWrite>;
  /** null: unchanged. */
  readonly settings: Settings | null;
  readonly revoked: readonly ClientId[];
  /** One per event, in order. */
  readonly outcomes: readonly Outcome[];
}

const STALE: Outcome = { kind: 'stale' };
const DONE: Outcome = { kind: 'done' };

/** A batch of events happens at one instant; whatever is overdue at that instant ends first. */
export function advance(state: State, events: readonly SchedulerEvent[], now: Now, limits: Limits): Advance {
  const draft = draftOf(state);
  endOverdue(draft, now, limits);
  const outcomes = events.map((event) => apply(draft, event, now, limits));
  plan(draft, now, limits);
  return {
    state: sealed(draft),
    writes: draft.writes,
    settings: draft.settingsChanged ? draft.settings : null,
    revoked: draft.revoked,
    outcomes,
  };
}

function apply(draft: Draft, event: SchedulerEvent, now: Now, limits: Limits): Outcome {
  const end = (entry: Entry, how: Parameters<typeof endEntry>[2]) =>
    endEntry(draft, entry, how, now, limits.resultRetentionMs);
  switch (event.type) {
    case 'create':
      return create(draft, event, now, limits);
    case 'update':
      return update(draft, event, now, limits);
    case 'cancel': {
      const entry = draft.entries.get(event.requestId);
      if (entry === undefined || entry.record.clientId !== event.clientId) return { kind: 'absent' };
      end(entry, { status: 'cancelled', reason: event.reason });
      return { kind: 'request', requestId: event.requestId };
    }
    case 'painted':
      for (const requestId of event.requestIds) {
        const entry = staged(draft, requestId);
        if (entry !== undefined && !entry.painted) markPainted(draft, entry, now);
      }
      return DONE;
    case 'answer': {
      const entry = openQuestion(draft, event.requestId, now);
      if (entry === undefined) return STALE;
      end(entry, { status: 'completed', reason: 'user_answered', result: event.result });
      return { kind: 'request', requestId: event.requestId };
    }
    case 'decline': {
      const entry = openQuestion(draft, event.requestId, now);
      if (entry === undefined) return STALE;
      end(entry, { status: 'cancelled', reason: 'user_declined' });
      return DONE;
    }
    case 'dismiss': {
      const entry = staged(draft, event.requestId);
      if (entry === undefined || entry.kind === 'animation') return STALE;
      const shown = entry.painted ? entry : markPainted(draft, entry, now);
      end(shown, { status: entry.kind === 'notice' ? 'completed' : 'cancelled', reason: 'user_dismissed' });
      return DONE;
    }
    case 'control': {
      const entry = staged(draft, event.requestId);
      if (entry === undefined || entry.kind !== 'progress') return STALE;
      const shown = entry.painted ? entry : markPainted(draft, entry, now);
      const seq = (entry.record.control?.seq ?? 0) + 1;
      changeRecord(draft, shown, { control: { action: event.action, seq, at: now.wallMs } });
      return DONE;
    }
    case 'clipEnded': {
      const entry = staged(draft, event.requestId);
      if (entry === undefined || entry.kind !== 'animation') return STALE;
      end(entry.painted ? entry : markPainted(draft, entry, now), { status: 'completed', reason: 'clip_ended' });
      return DONE;
    }
    case 'unplayable':
      for (const requestId of event.requestIds) {
        const entry = draft.entries.get(requestId);
        if (entry?.kind === 'animation') end(entry, { status: 'failed', reason: 'display_failed' });
      }
      return DONE;
    case 'hold':
      hold(draft, event.requestId, now);
      return DONE;
    case 'leaf':
      draft.leafed = waitingCards(draft).find(({ kind }) => mayStand(draft, kind))?.record.requestId ?? null;
      return DONE;
    case 'settings':
      changeSettings(draft, event.patch, now, limits);
      return DONE;
    case 'overlay':
      changeOverlay(draft, event.state, now, limits);
      return DONE;
    case 'sight':
      draft.sight = event.sight;
      return DONE;
    case 'revoke':
      cancelWhere(draft, ({ record }) => record.clientId === event.clientId, 'key_revoked', now, limits);
      draft.createBuckets.delete(event.clientId);
      draft.updateBuckets.delete(event.clientId);
      draft.turns.delete(event.clientId);
      draft.revoked.push(event.clientId);
      return DONE;
    case 'looked':
      draft.missed = 0;
      return DONE;
    case 'swept':
    case 'tick':
      return DONE;
    default:
      return assertNever(event);
  }
}

/** The entry, if it has a place on stage now: the only ones the user can mean. */
function staged(draft: Draft, requestId: RequestId): Entry | undefined {
  return draft.sprite === requestId || draft.slots.includes(requestId) ? draft.entries.get(requestId) : undefined;
}

/** A question on stage. Its painting may be reported later than a quick user's answer; the answer proves it. */
function openQuestion(draft: Draft, requestId: RequestId, now: Now): Entry | undefined {
  const entry = staged(draft, requestId);
  if (entry?.kind !== 'interaction') return undefined;
  return entry.painted ? entry : markPainted(draft, entry, now);
}

function update(draft: Draft, event: Extract<SchedulerEvent, { type: 'update' }>, now: Now, limits: Limits): Outcome {
  const entry = draft.entries.get(event.requestId);
  if (entry === undefined || entry.record.clientId !== event.clientId) return { kind: 'absent' };
  const rate = { perSecond: limits.updatesPerSecond, burst: limits.updateBurst };
  const { bucket, retryAfterMs } = takeToken(draft.updateBuckets.get(event.clientId), rate, now.monoMs);
  draft.updateBuckets.set(event.clientId, bucket);
  if (retryAfterMs > 0) return { kind: 'refused', refusal: { code: 'RATE_LIMITED', details: { retryAfterMs } } };
  const { revision, status, params } = entry.record;
  if (revision !== event.expectedRevision) {
    const details = { expected: event.expectedRevision, actual: revision, status };
    return { kind: 'refused', refusal: { code: 'REVISION_CONFLICT', details } };
  }
  const merged = { ...params, ...event.patch };
  if (event.end === null) {
    changeRecord(draft, entry, { params: merged });
  } else {
    endEntry(
      draft,
      setEntry(draft, { ...entry, record: { ...entry.record, params: merged } }),
      event.end,
      now,
      limits.resultRetentionMs,
    );
  }
  return { kind: 'request', requestId: event.requestId };
}

/** The card under the pointer keeps its place and its display time stands still. */
function hold(draft: Draft, requestId: RequestId | null, now: Now): void {
  if (requestId === draft.held) return;
  const released = draft.held === null ? undefined : staged(draft, draft.held);
  draft.held = null;
  if (released?.painted) setEntry(draft, { ...released, shownSinceMonoMs: now.monoMs });
  const taken = requestId === null ? undefined : staged(draft, requestId);
  if (taken === undefined || taken.kind === 'animation') return;
  draft.held = taken.record.requestId;
  setEntry(draft, stopDisplayClock(taken, now));
}

function cancelWhere(draft: Draft, which: (entry: Entry) => boolean, reason: Reason, now: Now, limits: Limits): void {
  for (const entry of [...draft.entries.values()].filter(which)) {
    endEntry(draft, entry, { status: 'cancelled', reason }, now, limits.resultRetentionMs);
  }
}

const fromOutside = ({ record }: Entry): boolean => record.clientId !== HOST_CLIENT_ID;

/** What the user switched off ends by the policy each capability declares: cancelled, with the reason (R2, R6). */
function changeSettings(draft: Draft, patch: Partial<Settings>, now: Now, limits: Limits): void {
  const before = draft.settings;
  const after = { ...before, ...patch };
  draft.settings = after;
  draft.settingsChanged ||= Object.keys(patch).some(
    (name) => !Object.is(before[name as keyof Settings], after[name as keyof Settings]),
  );
  if (before.access && !after.access) cancelWhere(draft, fromOutside, 'access_off', now, limits);
  if (!before.hidden && after.hidden) cancelWhere(draft, () => true, 'hidden', now, limits);
  if (!before.paused && after.paused) cancelWhere(draft, fromOutside, 'paused', now, limits);
  if (!before.doNotDisturb && after.doNotDisturb) {
    cancelWhere(
      draft,
      ({ kind, record }) => kind === 'notice' && record.displayedAt === null,
      'suppressed',
      now,
      limits,
    );
  }
}

function changeOverlay(draft: Draft, overlay: Draft['overlay'], now: Now, limits: Limits): void {
  draft.overlay = overlay;
  draft.held = null;
  // Leaving `up` empties the stage: display clocks stop, and what was shown is painted anew later.
  if (overlay !== 'up') plan(draft, now, limits);
  if (overlay !== 'failed') return;
  for (const entry of [...draft.entries.values()]) {
    endEntry(draft, entry, { status: 'failed', reason: 'display_failed' }, now, limits.resultRetentionMs);
  }
}
