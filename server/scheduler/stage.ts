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

/** Reports whether a request of this kind may be drawn now. */
export const mayStand = (
  { overlay, settings, sight }: Pick<State, 'overlay' | 'settings' | 'sight'>,
  kind: Entry['kind'],
): boolean => overlay === 'up' && !settings.hidden && (sight === 'clear' || (sight === 'notices' && kind === 'notice'));

/** Orders two cards by who deserves a slot first: negative when `a` does. */
type Precedence = (a: Entry, b: Entry) => number;

/** Held, leafed to, class, still in its turn, whose client's last turn is longest ago, oldest. */
function precedence(draft: Draft, now: Now, limits: TurnLimits): Precedence {
  const first = (a: boolean, b: boolean): number => Number(b) - Number(a);
  const stays = (entry: Entry): boolean => turnEndsAtMonoMs(entry, limits) > now.monoMs;
  const lastTurn = ({ record }: Entry): number => draft.turns.get(record.clientId) ?? -1;
  return (a, b) =>
    first(a.record.requestId === draft.held, b.record.requestId === draft.held) ||
    first(a.record.requestId === draft.leafed, b.record.requestId === draft.leafed) ||
    CLASS_OF[a.kind] - CLASS_OF[b.kind] ||
    first(stays(a), stays(b)) ||
    lastTurn(a) - lastTurn(b) ||
    a.sequence - b.sequence;
}

/** Each client's best card, best client first. One pass: this runs with every commit, over every open request. */
function bestOfEachClient(cards: readonly Entry[], precede: Precedence): Entry[] {
  const best = new Map<ClientId, Entry>();
  for (const entry of cards) {
    const rival = best.get(entry.record.clientId);
    if (rival === undefined || precede(entry, rival) < 0) best.set(entry.record.clientId, entry);
  }
  return [...best.values()].sort(precede);
}

/** The best card that is not chosen yet, and is not a second question of one client. */
function nextBest(cards: readonly Entry[], chosen: readonly Entry[], precede: Precedence): Entry | null {
  const asking = new Set(chosen.filter(({ kind }) => kind === 'interaction').map(({ record }) => record.clientId));
  let best: Entry | null = null;
  for (const entry of cards) {
    if (chosen.includes(entry)) continue;
    if (entry.kind === 'interaction' && asking.has(entry.record.clientId)) continue;
    if (best === null || precede(entry, best) < 0) best = entry;
  }
  return best;
}

/** One card per client first; more per client only while nobody else waits; one question per client always. */
function choose(draft: Draft, now: Now, limits: TurnLimits): Entry[] {
  const precede = precedence(draft, now, limits);
  const cards = [...draft.entries.values()].filter(({ kind }) => kind !== 'animation' && mayStand(draft, kind));
  const chosen = bestOfEachClient(cards, precede).slice(0, draft.slots.length);
  while (chosen.length < draft.slots.length) {
    const next = nextBest(cards, chosen, precede);
    if (next === null) break;
    chosen.push(next);
  }
  return chosen;
}

function enterStage(draft: Draft, requestId: RequestId, now: Now): void {
  const entry = draft.entries.get(requestId)!;
  draft.turnCounter += 1;
  draft.turns.set(entry.record.clientId, draft.turnCounter);
  setEntry(draft, { ...entry, stagedSinceMonoMs: now.monoMs, painted: false, shownSinceMonoMs: null });
}

/** Takes an entry off the stage: it keeps its status, and its display time stands still. A clip begins anew, and so does its time. */
function fold(draft: Draft, requestId: RequestId, now: Now): void {
  if (draft.held === requestId) draft.held = null;
  const entry = draft.entries.get(requestId);
  if (entry === undefined) return;
  const stopped = stopDisplayClock(entry, now);
  const spentMs = entry.kind === 'animation' ? 0 : stopped.spentMs;
  setEntry(draft, { ...stopped, spentMs, stagedSinceMonoMs: null, painted: false });
}

function planCards(draft: Draft, now: Now, limits: TurnLimits): void {
  const chosen = choose(draft, now, limits).map(({ record }) => record.requestId);
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
  if (!mayStand(draft, 'animation')) {
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

/** How many cards wait for a slot or are folded. */
export function countWaiting({ entries, slots }: Pick<State, 'entries' | 'slots'>): number {
  let cards = 0;
  for (const { kind } of entries.values()) if (kind !== 'animation') cards += 1;
  return cards - slots.filter((requestId) => requestId !== null).length;
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
