/** The scheduler's whole world: unfinished requests, who stands on stage, rates, the user's settings. Immutable between batches (spec §3, §4, R6). */
import type { ClientId, RequestId } from '../protocol/ids.ts';
import type { Settings } from '../protocol/settings.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import type { IdempotencyRecord } from '../protocol/store.ts';
import type { Sight } from '../protocol/window.ts';
import type { Kind } from '../protocol/words.ts';
import type { Bucket } from './buckets.ts';

/** One unfinished request. Everything in ms of the monotonic clock but the record's own instants. */
export interface Entry {
  readonly record: RequestRecord;
  readonly kind: Kind;
  readonly deadlineMonoMs: number;
  /** Order of arrival. */
  readonly sequence: number;
  /** Display time after which it completes; null: display time does not end it. */
  readonly displayMs: number | null;
  /** Display time used in earlier stretches on screen. */
  readonly spentMs: number;
  /** Since when its display time runs; null: not painted, folded, or held. */
  readonly shownSinceMonoMs: number | null;
  /** Since when it has its place on stage; null: none. */
  readonly stagedSinceMonoMs: number | null;
  /** The page has reported this stretch on stage as painted. */
  readonly painted: boolean;
}

/** `failed`: the overlay was given up; `starting` covers a crash that is being mended. */
export type OverlayState = 'starting' | 'up' | 'failed';

export interface State {
  readonly entries: ReadonlyMap<RequestId, Entry>;
  /** Card slots by index; at most `limits.maxCards`. */
  readonly slots: readonly (RequestId | null)[];
  readonly sprite: RequestId | null;
  /** The card under the pointer or the focus. */
  readonly held: RequestId | null;
  /** The card the user leafed to. */
  readonly leafed: RequestId | null;
  /** When each client last got a place on stage: a counter, smaller is longer ago. */
  readonly turns: ReadonlyMap<ClientId, number>;
  readonly turnCounter: number;
  readonly sequence: number;
  readonly createBuckets: ReadonlyMap<ClientId, Bucket>;
  readonly updateBuckets: ReadonlyMap<ClientId, Bucket>;
  /** Ended requests the store keeps. */
  readonly kept: number;
  /** Notices suppressed since the user last looked at what they missed, and still kept. */
  readonly missed: number;
  readonly overlay: OverlayState;
  /** What the desktop leaves to be seen. Nothing ends by it: what may not stand waits. */
  readonly sight: Sight;
  readonly settings: Settings;
}

/** What the store counts and the scheduler goes on counting. */
export type Counts = Pick<State, 'kept' | 'missed'>;

export function initialState(settings: Settings, counts: Counts, maxCards: number): State {
  return {
    entries: new Map(),
    slots: Array.from({ length: maxCards }, () => null),
    sprite: null,
    held: null,
    leafed: null,
    turns: new Map(),
    turnCounter: 0,
    sequence: 0,
    createBuckets: new Map(),
    updateBuckets: new Map(),
    ...counts,
    overlay: 'starting',
    sight: 'clear',
    settings,
  };
}

/** What a batch has changed about one request: to be inserted, or updated from the revision the store has. */
export interface PendingWrite {
  readonly record: RequestRecord;
  /** null: the store does not have it yet. */
  readonly fromRevision: number | null;
  readonly idempotency: IdempotencyRecord | null;
}

/** A state being changed; dropped when its commit fails. */
export interface Draft {
  entries: Map<RequestId, Entry>;
  slots: (RequestId | null)[];
  sprite: RequestId | null;
  held: RequestId | null;
  leafed: RequestId | null;
  turns: Map<ClientId, number>;
  turnCounter: number;
  sequence: number;
  createBuckets: Map<ClientId, Bucket>;
  updateBuckets: Map<ClientId, Bucket>;
  kept: number;
  missed: number;
  overlay: OverlayState;
  sight: Sight;
  settings: Settings;
  readonly writes: Map<RequestId, PendingWrite>;
  settingsChanged: boolean;
  readonly revoked: ClientId[];
}

export function draftOf(state: State): Draft {
  return {
    ...state,
    entries: new Map(state.entries),
    slots: [...state.slots],
    turns: new Map(state.turns),
    createBuckets: new Map(state.createBuckets),
    updateBuckets: new Map(state.updateBuckets),
    writes: new Map(),
    settingsChanged: false,
    revoked: [],
  };
}

export function sealed({ writes: _writes, settingsChanged: _changed, revoked: _revoked, ...state }: Draft): State {
  return state;
}
