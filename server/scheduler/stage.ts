/** Who stands on stage: three card slots and the sprite slot; order, fairness and folding of R6. */
import type { Now } from '../protocol/clock.ts';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import type { Limits } from '../protocol/limits.ts';
import { setEntry, stopDisplayClock } from './changes.ts';
import type { Draft, Entry, State } from './state.ts';

const CLASS_OF: Readonly<Record<Entry['kind'], number>> = { interaction: 0, notice: 1, progress: 2, animation: 3 };

type TurnLimits = Pick<Limits, 'questionTurnMs' | 'progressTurnMs'>;

/** When an entry's turn on stage is over, if others of its class wait; notices end by themselves. */
export function turnEndsAtMonoMs(entry: Entry, limits: TurnLimits): number {
  if (entry.stagedSinceMonoMs === null) return Number.NEGATIVE_INFINITY;
  if (entry.kind === 'interaction') return entry.stagedSinceMonoMs + limits.questionTurnMs;
  if (entry.kind === 'progress') return entry.stagedSinceMonoMs + limits.progressTurnMs;
  return Number.POSITIVE_INFINITY;
}

/** Reports whether anything may be drawn now. */
export const canShow = ({ overlay, settings }: Pick<State, 'overlay' | 'settings'>): boolean =>
  overlay === 'up' && !settings.hidden;

/** Cards in the order in which they deserve a slot. */
function byMerit(draft: Draft, now: Now, limits: TurnLimits): Entry[] {
  const merit = (entry: Entry): readonly number[] => {
    const { requestId, clientId } = entry.record;
    const stays = turnEndsAtMonoMs(entry, limits) > now.monoMs;
    return [
      draft.held === requestId ? 0 : 1,
      draft.leafed === requestId ? 0 : 1,
      CLASS_OF[entry.kind],
      stays ? 0 : 1,
      draft.turns.get(clientId) ?? -1,
      entry.sequence,
    ];
  };
  return [...draft.entries.values()]
    .filter(({ kind }) => kind !== 'animation')
    .map((entry) => ({ entry, merit: merit(entry) }))
    .sort((a, b) => compareMerits(a.merit, b.merit))
    .map(({ entry }) => entry);
}

function compareMerits(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - b[index]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** One card per client first; more per client only while nobody else waits; one question per client always. */
function choose(cards: readonly Entry[], maxCards: number): Entry[] {
  const chosen: Entry[] = [];
  const clients = new Set<ClientId>();
  for (const card of cards) {
    if (chosen.length === maxCards) return chosen;
    if (clients.has(card.record.clientId)) continue;
    clients.add(card.record.clientId);
    chosen.push(card);
  }
  const asking = new Set(chosen.filter(({ kind }) => kind === 'interaction').map(({ record }) => record.clientId));
  for (const card of cards) {
    if (chosen.length === maxCards) break;
    if (chosen.includes(card)) continue;
    if (card.kind === 'interaction') {
      if (asking.has(card.record.clientId)) continue;
      asking.add(card.record.clientId);
    }
    chosen.push(card);
  }
  return chosen;
}

function enterStage(draft: Draft, requestId: RequestId, now: Now): void {
  const entry = draft.entries.get(requestId)!;
  draft.turnCounter += 1;
  draft.turns.set(entry.record.clientId, draft.turnCounter);
  setEntry(draft, { ...entry, stagedSinceMonoMs: now.monoMs, painted: false, shownSinceMonoMs: null });
}

/** Takes an entry off the stage: it keeps its status, and its display time stands still. */
function fold(draft: Draft, requestId: RequestId, now: Now): void {
  const entry = draft.entries.get(requestId);
  if (entry !== undefined)
    setEntry(draft, { ...stopDisplayClock(entry, now), stagedSinceMonoMs: null, painted: false });
}

function planCards(draft: Draft, now: Now, limits: TurnLimits): void {
  const chosen = canShow(draft)
    ? choose(byMerit(draft, now, limits), draft.slots.length).map(({ record }) => record.requestId)
    : [];
  for (const [index, requestId] of draft.slots.entries()) {
    if (requestId === null || chosen.includes(requestId)) continue;
    fold(draft, requestId, now);
    draft.slots[index] = null;
  }
  for (const requestId of chosen) {
    if (draft.slots.includes(requestId)) continue;
    draft.slots[draft.slots.indexOf(null)] = requestId;
    enterStage(draft, requestId, now);
  }
}

function planSprite(draft: Draft, now: Now): void {
  if (!canShow(draft)) {
    if (draft.sprite !== null) fold(draft, draft.sprite, now);
    draft.sprite = null;
    return;
  }
  if (draft.sprite !== null) return;
  const next = [...draft.entries.values()]
    .filter(({ kind }) => kind === 'animation')
    .sort(
      (a, b) =>
        (draft.turns.get(a.record.clientId) ?? -1) - (draft.turns.get(b.record.clientId) ?? -1) ||
        a.sequence - b.sequence,
    )[0];
  if (next === undefined) return;
  draft.sprite = next.record.requestId;
  enterStage(draft, next.record.requestId, now);
}

/** Settles the stage for the present entries. Idempotent at one `now`. */
export function plan(draft: Draft, now: Now, limits: TurnLimits): void {
  planCards(draft, now, limits);
  planSprite(draft, now);
}

/** Cards that wait for a slot or are folded, oldest turn first. */
export function waitingCards({ entries, slots, turns }: Pick<State, 'entries' | 'slots' | 'turns'>): Entry[] {
  return [...entries.values()]
    .filter(({ kind, record }) => kind !== 'animation' && !slots.includes(record.requestId))
    .sort(
      (a, b) =>
        (a.record.displayedAt ?? 0) - (b.record.displayedAt ?? 0) ||
        (turns.get(a.record.clientId) ?? -1) - (turns.get(b.record.clientId) ?? -1) ||
        a.sequence - b.sequence,
    );
}
