/** Time: what is over at `now`, and when the next thing will be. The host keeps one timer, armed to `nextDeadline`. */
import type { Now } from '../protocol/clock.ts';
import type { Limits } from '../protocol/limits.ts';
import { endEntry } from './changes.ts';
import { countWaiting, turnEndsAtMonoMs } from './stage.ts';
import type { Draft, Entry, State } from './state.ts';

/** When an entry's display time is used up; Infinity while its clock stands still. A card shown again stays at least `minNoticeMs`. */
function displayEndsAtMonoMs(entry: Entry, limits: Pick<Limits, 'minNoticeMs'>): number {
  if (entry.displayMs === null || entry.shownSinceMonoMs === null) return Number.POSITIVE_INFINITY;
  const left = entry.displayMs - entry.spentMs;
  return entry.shownSinceMonoMs + (entry.spentMs > 0 ? Math.max(limits.minNoticeMs, left) : left);
}

/** Ends what is over. A deadline that has passed wins over anything that arrives after it. */
export function endOverdue(draft: Draft, now: Now, limits: Limits): void {
  for (const entry of [...draft.entries.values()]) {
    if (entry.deadlineMonoMs <= now.monoMs) {
      endEntry(draft, entry, { status: 'expired', reason: 'deadline' }, now, limits.resultRetentionMs);
    } else if (displayEndsAtMonoMs(entry, limits) <= now.monoMs) {
      const reason = entry.kind === 'animation' ? 'clip_ended' : 'displayed';
      endEntry(draft, entry, { status: 'completed', reason }, now, limits.resultRetentionMs);
    }
  }
}

/** The next instant (monotonic ms) at which something changes by time alone; null: never. */
export function nextDeadline(state: State, now: Now, limits: Limits): number | null {
  const contested = countWaiting(state) > 0;
  let next = Number.POSITIVE_INFINITY;
  for (const entry of state.entries.values()) {
    next = Math.min(next, entry.deadlineMonoMs, displayEndsAtMonoMs(entry, limits));
    const turnEnd = turnEndsAtMonoMs(entry, limits);
    if (contested && turnEnd > now.monoMs) next = Math.min(next, turnEnd);
  }
  return Number.isFinite(next) ? next : null;
}
