/** What the calls of `companion/client` take and give: types only, taken from the contracts of the methods. */
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import type { Tone } from '../../server/protocol/words.ts';
import type { MethodName, Methods } from '../../server/registry/catalog.ts';
import type { Static } from '../../server/registry/schema.ts';

export type Params<Name extends MethodName> = Static<Methods[Name]['params']>;
export type Result<Name extends MethodName> = Static<Methods[Name]['result']>;
export type WaitedSnapshot = Snapshot & { readonly unchanged: boolean };

export interface ConnectOptions {
  /** Default: `COMPANION_SOCKET`, what the profile says, or the place design §1 names. */
  readonly socketPath?: string;
  /** Default: that of `profile`. null: call without a key. */
  readonly key?: string | null;
  /** Default: `COMPANION_PROFILE`, or the only profile there is. */
  readonly profile?: string;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What any request may say about itself. */
export type RequestOptions = Omit<Params<'requests.create'>, 'capability' | 'params'>;

export interface CallOptions {
  /** Ends the call at once, with its reason; whether the host still acted on it is then unknown. */
  readonly signal?: AbortSignal;
}

/** `signal` also withdraws the question, unless it has an idempotency key of the caller, who can then ask for it again. */
export interface QuestionOptions extends RequestOptions, CallOptions {
  readonly details?: string;
  readonly tone?: Tone;
  readonly allowDecline?: boolean;
}

export interface NoticeOptions extends CallOptions {
  readonly title?: string;
  readonly tone?: Tone;
  readonly durationMs?: number;
}

export interface TextOptions extends QuestionOptions {
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly multiline?: boolean;
  readonly masked?: boolean;
}

/** What of a progress card its owner may change. */
export interface ProgressFields {
  /** 0 to 100; null when nobody knows. */
  readonly percent?: number | null;
  readonly message?: string;
  readonly phase?: string;
  readonly tone?: Tone;
  /** The owner's word that it has paused, or goes on. */
  readonly paused?: boolean;
}

export interface ProgressOptions extends Omit<ProgressFields, 'paused'>, RequestOptions, CallOptions {
  readonly controls?: readonly ('pause' | 'cancel')[];
}

export interface WaitOptions extends CallOptions {
  /** Default 0: any revision is news. */
  readonly afterRevision?: number;
  readonly waitMs?: number;
}
