/** A store in memory that can be told to fail, and a clock that stands still: for tests of the rooms above the store. */
import { createHash } from 'node:crypto';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import { DEFAULT_SETTINGS, type Settings } from '../protocol/settings.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import { isTerminal } from '../protocol/status.ts';
import type { ClientRecord, IdempotencyRecord, Lookup, Store, Write } from '../protocol/store.ts';
import { StoreError } from '../protocol/store.ts';
import type { HostClock } from './clock.ts';

export class MemoryStore implements Store {
  readonly storageSince = 1_700_000_000_000;
  readonly requests = new Map<string, RequestRecord>();
  readonly keys = new Map<string, IdempotencyRecord>();
  readonly clientMap = new Map<ClientId, ClientRecord>();
  /** One entry per commit: what kinds it wrote. */
  readonly commits: Write['kind'][][] = [];
  current: Settings = { ...DEFAULT_SETTINGS, access: true };
  failNext: StoreError | Error | null = null;
  /** Refuses what is not urgent, as a full disk with reserved room does. */
  isFull = false;
  closed = false;
  private readonly digests = new Set<string>();
  /** IDs of what the user has looked at. */
  private looked = new Set<string>();

  commit(writes: readonly Write[], urgent: boolean): void {
    if (this.closed) throw new StoreError('broken', null);
    const failure = this.failNext ?? (this.isFull && !urgent ? new StoreError('full', null) : null);
    this.failNext = null;
    if (failure !== null) throw failure;
    this.commits.push(writes.map(({ kind }) => kind));
    for (const write of writes) this.apply(write);
  }

  private apply(write: Write): void {
    switch (write.kind) {
      case 'insert':
        this.requests.set(write.record.requestId, write.record);
        if (write.idempotency)
          this.keys.set(`${write.idempotency.clientId} ${write.idempotency.key}`, write.idempotency);
        return;
      case 'update':
        if (this.requests.get(write.record.requestId)?.revision !== write.fromRevision) throw new Error('revision');
        this.requests.set(write.record.requestId, write.record);
        return;
      case 'settings':
        this.current = write.settings;
        return;
      case 'client':
        this.clientMap.set(write.client.clientId, write.client);
        return;
      case 'revoke':
        this.clientMap.delete(write.clientId);
        for (const [id, record] of this.requests) {
          if (record.clientId === write.clientId) this.requests.set(id, { ...record, params: null, result: null });
        }
        return;
      case 'looked':
        this.looked = new Set(this.requests.keys());
        return;
      case 'erase':
        for (const [id, record] of this.requests) if (isTerminal(record.status)) this.requests.delete(id);
    }
  }

  find(requestId: string): Lookup {
    const record = this.requests.get(requestId);
    return record === undefined ? { kind: 'none' } : { kind: 'found', record };
  }
  findIdempotency(clientId: ClientId, key: string): IdempotencyRecord | null {
    return this.keys.get(`${clientId} ${key}`) ?? null;
  }
  clients(): readonly ClientRecord[] {
    return [...this.clientMap.values()];
  }
  touchClient(clientId: ClientId, wallMs: number): void {
    const client = this.clientMap.get(clientId);
    if (client) this.clientMap.set(clientId, { ...client, lastUsedAt: wallMs });
  }
  settings(): Settings {
    return this.current;
  }
  recent(limit: number): readonly RequestRecord[] {
    return [...this.requests.values()].reverse().slice(0, limit);
  }
  countKept(): number {
    return [...this.requests.values()].filter(({ status }) => isTerminal(status)).length;
  }
  countMissed(): number {
    return [...this.requests.values()].filter(
      ({ requestId, reason, params }) => reason === 'suppressed' && params !== null && !this.looked.has(requestId),
    ).length;
  }
  sweep(): number | null {
    return null;
  }
  catalogRevision(digest: string): number {
    this.digests.add(digest);
    return this.digests.size;
  }
  digest(text: string): string {
    return createHash('sha256').update(text).digest('base64url');
  }
  close(): void {
    this.closed = true;
  }
  /** The same store, opened again as the runtime opens one. */
  reopened(): this {
    this.closed = false;
    this.failUnfinished();
    return this;
  }
  /** Start-up recovery, as the real one does it. */
  failUnfinished(): void {
    for (const [id, record] of this.requests) {
      if (isTerminal(record.status)) continue;
      this.requests.set(id, {
        ...record,
        status: 'failed',
        reason: 'runtime_restarted',
        revision: record.revision + 1,
        endedAt: 1,
        retainedUntil: 2,
      });
    }
  }
}

export interface ManualClock extends HostClock {
  monoMs: number;
}

export function createManualClock(): ManualClock {
  const clock = {
    monoMs: 0,
    now: () => ({ wallMs: 1_700_000_000_000 + clock.monoMs, monoMs: clock.monoMs }),
    noticeSleep: () => {},
  };
  return clock;
}

export const asRequestId = (id: string): RequestId => id as RequestId;
