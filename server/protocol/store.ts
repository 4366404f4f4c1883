/** What the runtime needs of a store; SQLite is behind it. Every write is durable when the call returns (spec §4, R16). */
import type { ClientId, RequestId } from './ids.ts';
import type { Settings } from './settings.ts';
import type { RequestRecord } from './snapshot.ts';
import type { Scope } from './words.ts';

/** A paired client. Instants are epoch ms; `verifier` is the keyed BLAKE2b-256 of its key. */
export interface ClientRecord {
  readonly clientId: ClientId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly verifier: Uint8Array;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** Ties an idempotency key of one client to a request; lives exactly as long as the request's result. */
export interface IdempotencyRecord {
  readonly clientId: ClientId;
  readonly key: string;
  readonly requestId: RequestId;
  /** Keyed digest of the canonical create parameters. */
  readonly digest: string;
}

/** One durable change; all changes of a commit share one transaction. */
export type Write =
  | { readonly kind: 'insert'; readonly record: RequestRecord; readonly idempotency: IdempotencyRecord | null }
  /** Refused, and with it the whole commit, unless the stored revision is `fromRevision`. */
  | { readonly kind: 'update'; readonly record: RequestRecord; readonly fromRevision: number }
  | { readonly kind: 'settings'; readonly settings: Settings }
  | { readonly kind: 'client'; readonly client: ClientRecord }
  /** Deletes the client and clears params, results and idempotency records of all its requests; metadata stays till its time. */
  | { readonly kind: 'revoke'; readonly clientId: ClientId }
  /** Erases ended requests and their idempotency records now (of one client, or all), leaving tombstones. */
  | { readonly kind: 'erase'; readonly clientId: ClientId | null }
  /** The user has looked at what they missed: `countMissed` begins at none again. */
  | { readonly kind: 'looked' };

/** What a look-up by ID can find. `gone` is a tombstone, or a row that failed its digest. */
export type Lookup =
  | { readonly kind: 'found'; readonly record: RequestRecord }
  | { readonly kind: 'gone'; readonly clientId: ClientId; readonly reason: 'retention' | 'erased' | 'damaged' }
  | { readonly kind: 'none' };

/**
 * Thrown by `commit`. `full`: the disk is full, nothing of this commit is stored, the store goes on.
 * `broken`: the outcome is unknown (a failed fsync, an I/O error); the store must be closed and recovered.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: 'full' | 'broken';
  constructor(kind: 'full' | 'broken', cause: unknown) {
    super(`the store is ${kind}`, { cause });
    this.kind = kind;
  }
}

export interface Store {
  /** Writes all or nothing, synced to disk when it returns. Throws StoreError. `urgent` commits (answers, cancels) may use the reserved room. */
  commit(writes: readonly Write[], urgent: boolean): void;
  find(requestId: string): Lookup;
  findIdempotency(clientId: ClientId, key: string): IdempotencyRecord | null;
  clients(): readonly ClientRecord[];
  /** Remembers when a client last called; may be written with a later commit. */
  touchClient(clientId: ClientId, wallMs: number): void;
  settings(): Settings;
  /** Newest ended or open interactions and suppressed notices first, at most `limit`, for the user's Answers page. */
  recent(limit: number): readonly RequestRecord[];
  /** Ended requests kept now. */
  countKept(): number;
  /** Notices that do-not-disturb has kept from the user since they last looked; erased and cleared ones do not count. Reads them all. */
  countMissed(): number;
  /** Removes what has been kept long enough, and old tombstones. Returns ms until the next one is due, or null. */
  sweep(wallMs: number, monoMs: number): number | null;
  /** Raises and returns the catalog revision when `digest` differs from the stored one. */
  catalogRevision(digest: string): number;
  /** Epoch ms at which this database was made. */
  readonly storageSince: number;
  /** Keyed digest of `text`, base64url, for idempotency comparison. */
  digest(text: string): string;
  close(): void;
}
