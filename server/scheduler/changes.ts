/** The elementary changes of a request: each makes the next record, checks the transition table and notes what to write. */
import type { Now } from '../protocol/clock.ts';
import type { RequestId } from '../protocol/ids.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import { REASONS, type Reason, type Status, TRANSITIONS } from '../protocol/status.ts';
import type { Json } from '../protocol/words.ts';
import type { Draft, Entry } from './state.ts';

/** Replaces an entry without any change a client can see. */
export function setEntry(draft: Draft, entry: Entry): Entry {
  draft.entries.set(entry.record.requestId, entry);
  return entry;
}

function noteWrite(draft: Draft, record: RequestRecord, fromRevision: number): void {
  const pending = draft.writes.get(record.requestId);
  draft.writes.set(record.requestId, pending ? { ...pending, record } : { record, fromRevision, idempotency: null });
}

/** The next record of an entry: revision + 1, to be written. Throws when the transition is not in the table: a bug of ours. */
export function changeRecord(draft: Draft, entry: Entry, change: Partial<RequestRecord>): Entry {
  const { record } = entry;
  if (
    change.status !== undefined &&
    change.status !== record.status &&
    !TRANSITIONS[record.status].includes(change.status)
  ) {
    throw new Error(`no transition from ${record.status} to ${change.status}`);
  }
  const next = { ...record, ...change, revision: record.revision + 1 };
  noteWrite(draft, next, record.revision);
  return setEntry(draft, { ...entry, record: next });
}

/** The report that it was painted: queued → running, and a question goes on to awaiting_user in the same commit (R4). */
export function markPainted(draft: Draft, entry: Entry, now: Now): Entry {
  let next = setEntry(draft, {
    ...entry,
    painted: true,
    shownSinceMonoMs: draft.held === entry.record.requestId && entry.kind !== 'animation' ? null : now.monoMs,
  });
  if (next.record.status !== 'queued') return next;
  next = changeRecord(draft, next, { status: 'running', displayedAt: now.wallMs });
  return next.kind === 'interaction' ? changeRecord(draft, next, { status: 'awaiting_user' }) : next;
}

export interface End {
  readonly status: Extract<Status, 'completed' | 'cancelled' | 'expired' | 'failed'>;
  readonly reason: Reason;
  readonly result?: Json;
  readonly failure?: string;
}

/** Ends a request, for good; its place on stage is free at once. */
export function endEntry(
  draft: Draft,
  entry: Entry,
  { status, reason, result = null, failure }: End,
  now: Now,
  resultRetentionMs: number,
): void {
  if (!(REASONS[reason] as readonly Status[]).includes(status)) throw new Error(`${reason} does not go with ${status}`);
  const { requestId } = entry.record;
  changeRecord(draft, entry, {
    status,
    reason,
    result,
    failure: failure ?? entry.record.failure,
    endedAt: now.wallMs,
    retainedUntil: now.wallMs + resultRetentionMs,
  });
  draft.entries.delete(requestId);
  draft.kept += 1;
  if (reason === 'suppressed') draft.missed += 1;
  leaveStage(draft, requestId);
}

function leaveStage(draft: Draft, requestId: RequestId): void {
  const slot = draft.slots.indexOf(requestId);
  if (slot >= 0) draft.slots[slot] = null;
  if (draft.sprite === requestId) draft.sprite = null;
  if (draft.held === requestId) draft.held = null;
  if (draft.leafed === requestId) draft.leafed = null;
}

/** Stops an entry's display clock, keeping the time it has had. */
export const stopDisplayClock = (entry: Entry, now: Now): Entry => ({
  ...entry,
  spentMs: entry.spentMs + (entry.shownSinceMonoMs === null ? 0 : Math.max(0, now.monoMs - entry.shownSinceMonoMs)),
  shownSinceMonoMs: null,
});
