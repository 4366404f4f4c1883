/** Everything that can happen to the scheduler, and what it answers. Refusals are returned, never thrown. */
import type { ErrorCode, ErrorDetails } from '../protocol/errors.ts';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import type { Settings } from '../protocol/settings.ts';
import type { Control, RequestRecord } from '../protocol/snapshot.ts';
import type { IdempotencyRecord } from '../protocol/store.ts';
import type { Sight } from '../protocol/window.ts';
import type { Json, JsonObject, Kind } from '../protocol/words.ts';
import type { End } from './changes.ts';
import type { OverlayState } from './state.ts';

export interface Refusal {
  readonly code: ErrorCode;
  readonly details?: ErrorDetails;
}

export interface CreateEvent {
  readonly type: 'create';
  /** Revision 1, queued. */
  readonly record: RequestRecord;
  readonly kind: Kind;
  readonly timeoutMs: number;
  /** Display time after which it completes; null: it does not by time. */
  readonly displayMs: number | null;
  /** Unfinished requests of this kind that one client may have. */
  readonly maxUnfinishedOfKind: number;
  /** Ends as suppressed while do-not-disturb is on. */
  readonly suppressible: boolean;
  /** Not refused while access is off or outside requests are paused. */
  readonly internal: boolean;
  readonly idempotency: IdempotencyRecord | null;
  /** What the store knows of that key, looked up in this turn. */
  readonly known: IdempotencyRecord | null;
  /** What is wrong with the style or the character; told only when the key is new (R14). */
  readonly unresolved: Refusal | null;
}

export type SchedulerEvent =
  | CreateEvent
  | {
      readonly type: 'update';
      readonly clientId: ClientId;
      readonly requestId: RequestId;
      readonly expectedRevision: number;
      readonly patch: JsonObject;
      readonly end: End | null;
    }
  | {
      readonly type: 'cancel';
      readonly clientId: ClientId;
      readonly requestId: RequestId;
      readonly reason: 'client_cancelled' | 'superseded';
    }
  | { readonly type: 'painted'; readonly requestIds: readonly RequestId[] }
  | { readonly type: 'answer'; readonly requestId: RequestId; readonly result: Json }
  | { readonly type: 'dismiss'; readonly requestId: RequestId }
  | { readonly type: 'decline'; readonly requestId: RequestId }
  | { readonly type: 'control'; readonly requestId: RequestId; readonly action: Control['action'] }
  | { readonly type: 'clipEnded'; readonly requestId: RequestId }
  /** Their clips cannot be shown any more: the character has gone, or its pictures cannot be drawn. */
  | { readonly type: 'unplayable'; readonly requestIds: readonly RequestId[] }
  | { readonly type: 'hold'; readonly requestId: RequestId | null }
  | { readonly type: 'leaf' }
  | { readonly type: 'settings'; readonly patch: Partial<Settings> }
  | { readonly type: 'overlay'; readonly state: OverlayState }
  | { readonly type: 'sight'; readonly sight: Sight }
  | { readonly type: 'revoke'; readonly clientId: ClientId }
  /** The user has looked at what they missed. */
  | { readonly type: 'looked' }
  /** Some of what was kept is gone; whoever has the store counts anew. */
  | { readonly type: 'swept' }
  | { readonly type: 'tick' };

export type Outcome =
  /** The request this was about, as of this commit (or an ended one that only the store has). */
  | { readonly kind: 'request'; readonly requestId: RequestId }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Not among the unfinished ones: the store knows whether it ever was. */
  | { readonly kind: 'absent' }
  /** The user's input was about something that is no longer so; nothing happened. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'done' };
