/**
 * Turns the events of one turn of the loop into one commit, and only then announces them (spec §3, §4, R16).
 * The draft of a batch whose commit fails is dropped: nothing of it ever happened.
 */
import { performance } from 'node:perf_hooks';
import type { Now } from '../protocol/clock.ts';
import { ProtocolError } from '../protocol/errors.ts';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import type { Limits } from '../protocol/limits.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import { type Store, StoreError, type Write } from '../protocol/store.ts';
import { advance } from '../scheduler/advance.ts';
import { nextDeadline } from '../scheduler/deadline.ts';
import type { Outcome, SchedulerEvent } from '../scheduler/events.ts';
import { type Counts, initialState, type PendingWrite, type State } from '../scheduler/state.ts';
import type { HostClock } from './clock.ts';

/** A commit blocks the loop for as long as its rows take; more than this would be felt. */
const MAX_BATCH = 64;
/** With a deadline ahead the timer looks this often how long the machine has slept. */
const MAX_TIMER_MS = 60_000;
/** After a commit that failed for want of room. */
const RETRY_MS = 1_000;
const SLEEP_CHECK_MS = 30_000;

/** What a commit has changed; told after it is on disk. */
export interface Commit {
  readonly state: State;
  /** The newest record of each request that changed. */
  readonly records: ReadonlyMap<RequestId, RequestRecord>;
  readonly revoked: readonly ClientId[];
  readonly settingsChanged: boolean;
}

export interface Engine {
  /** Resolves once the event's commit is on disk. Rejects with RUNTIME_UNAVAILABLE when it could not be stored. */
  submit(event: SchedulerEvent, writes?: readonly Write[]): Promise<Outcome>;
  /** Writes that are no request's business (a client, an erasure), committed like any event. */
  write(writes: readonly Write[]): Promise<void>;
  /** The present state: committed, always. */
  state(): State;
  store(): Store;
  /** Reports whether the last creates could not be stored; the next one that can ends it. */
  isStorageFull(): boolean;
  onCommit(listen: (commit: Commit) => void): void;
  /** Refuses everything from now on; pending events are still committed. */
  close(): void;
}

interface Item {
  readonly event: SchedulerEvent | null;
  readonly writes: readonly Write[];
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

export interface EngineOptions {
  readonly store: Store;
  readonly clock: HostClock;
  readonly limits: Limits;
  readonly log: (line: string) => void;
  /** Closes the broken store and opens it anew, with start-up recovery done and a new instance ID; throws when that fails. */
  readonly reopen: () => Store;
  /** The store cannot be had any more. */
  readonly onFatal: (error: unknown) => void;
}

const storageRefusal = (): ProtocolError =>
  new ProtocolError('RUNTIME_UNAVAILABLE', { reason: 'storage', retryAfterMs: RETRY_MS });

const toWrite = ({ record, fromRevision, idempotency }: PendingWrite): Write =>
  fromRevision === null ? { kind: 'insert', record, idempotency } : { kind: 'update', record, fromRevision };

const countsOf = (store: Store): Counts => ({ kept: store.countKept(), missed: store.countMissed() });

const isCreate = ({ event }: Item): boolean => event?.type === 'create';

export function createEngine({ clock, limits, log, reopen, onFatal, ...options }: EngineOptions): Engine {
  let { store } = options;
  let state = initialState(store.settings(), countsOf(store), limits.maxCards);
  let queue: Item[] = [];
  let scheduled = false;
  let closed = false;
  let timer: NodeJS.Timeout | null = null;
  let sleepCheckedAt = 0;
  let isFull = false;
  const listeners: ((commit: Commit) => void)[] = [];

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };

  const enqueue = (event: SchedulerEvent | null, writes: readonly Write[]): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(storageRefusal());
      queue.push({ event, writes, resolve, reject });
      schedule();
    });

  /** The idempotency key is looked up in the turn of its commit, so nothing can come between (R14). */
  const withKnownKey = (event: SchedulerEvent): SchedulerEvent =>
    event.type === 'create' && event.idempotency !== null
      ? { ...event, known: store.findIdempotency(event.idempotency.clientId, event.idempotency.key) }
      : event;

  const commitBatch = (batch: readonly Item[], now: Now): void => {
    const events = batch.flatMap(({ event }) => (event === null ? [] : [withKnownKey(event)]));
    const next = advance(state, events, now, limits);
    const writes: Write[] = [...next.writes.values()].map(toWrite);
    if (next.settings !== null) writes.push({ kind: 'settings', settings: next.settings });
    for (const item of batch) writes.push(...item.writes);
    for (const clientId of next.revoked) writes.push({ kind: 'revoke', clientId });
    if (writes.length > 0) store.commit(writes, !batch.some(isCreate));
    if (next.writes.size > 0 && batch.some(isCreate)) isFull = false;
    const isLess =
      writes.some(({ kind }) => kind === 'erase' || kind === 'revoke') || events.some(({ type }) => type === 'swept');
    state = isLess ? { ...next.state, ...countsOf(store) } : next.state;
    let index = 0;
    const settle = batch.map(({ event, resolve }) => {
      const outcome = event === null ? ({ kind: 'done' } as const) : next.outcomes[index++]!;
      return () => resolve(outcome);
    });
    const records = new Map([...next.writes].map(([requestId, { record }]) => [requestId, record]));
    const commit = { state, records, revoked: next.revoked, settingsChanged: next.settings !== null };
    for (const run of settle) run();
    for (const listen of listeners) listen(commit);
  };

  /** R16: after a failed sync nobody knows what is stored. Nothing of the batch is acknowledged; start-up recovery runs in place. */
  const recover = (batch: readonly Item[], cause: unknown): void => {
    log(`storage failed, recovering: ${cause instanceof Error ? cause.name : 'error'}`);
    const lost = [...batch, ...queue];
    queue = [];
    for (const item of lost) item.reject(storageRefusal());
    const open = [...state.entries.keys()];
    const { overlay, sight, settings } = state;
    try {
      store = reopen();
      state = { ...initialState(store.settings(), countsOf(store), limits.maxCards), overlay, sight };
    } catch (error) {
      closed = true;
      onFatal(error);
      return;
    }
    const records = new Map<RequestId, RequestRecord>();
    for (const requestId of open) {
      const found = store.find(requestId);
      if (found.kind === 'found') records.set(requestId, found.record);
    }
    const settingsChanged = JSON.stringify(settings) !== JSON.stringify(state.settings);
    for (const listen of listeners) listen({ state, records, revoked: [], settingsChanged });
  };

  /** A bug of ours in the batch drops the draft and leaves the store as it was; a broken store does not. */
  const fail = (batch: readonly Item[], error: unknown): void => {
    if (error instanceof StoreError) recover(batch, error);
    else for (const item of batch) item.reject(error instanceof Error ? error : new Error('batch failed'));
  };

  /** No room: creates are refused, what remains may use the reserved room. */
  const commitWithoutCreates = (batch: readonly Item[], now: Now): void => {
    for (const item of batch) if (isCreate(item)) item.reject(storageRefusal());
    const rest = batch.filter((item) => !isCreate(item));
    try {
      if (rest.length > 0) commitBatch(rest, now);
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'full') for (const item of rest) item.reject(storageRefusal());
      else fail(rest, error);
    }
  };

  const flush = (): void => {
    scheduled = false;
    const batch = queue.slice(0, MAX_BATCH);
    queue = queue.slice(MAX_BATCH);
    if (performance.now() - sleepCheckedAt > SLEEP_CHECK_MS) {
      sleepCheckedAt = performance.now();
      clock.noticeSleep();
    }
    const now = clock.now();
    let retryMs = 0;
    try {
      commitBatch(batch, now);
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'full') {
        retryMs = RETRY_MS;
        isFull = true;
        commitWithoutCreates(batch, now);
      } else {
        fail(batch, error);
      }
    }
    if (queue.length > 0) schedule();
    arm(retryMs);
  };

  /** One timer, armed to the next thing that time alone will change. */
  const arm = (atLeastMs: number): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (closed) return;
    const now = clock.now();
    const deadline = nextDeadline(state, now, limits);
    if (deadline === null) return;
    const delay = Math.min(MAX_TIMER_MS, Math.max(atLeastMs, Math.ceil(deadline - now.monoMs), 0));
    timer = setTimeout(() => {
      clock.noticeSleep();
      enqueue({ type: 'tick' }, []).catch(() => {
        // The tick is armed again after every batch, stored or not.
      });
    }, delay);
  };

  return {
    submit: (event, writes = []) => enqueue(event, writes),
    write: async (writes) => {
      await enqueue(null, writes);
    },
    state: () => state,
    store: () => store,
    isStorageFull: () => isFull,
    onCommit: (listen) => listeners.push(listen),
    close: () => {
      if (queue.length > 0) flush();
      closed = true;
      if (timer !== null) clearTimeout(timer);
      for (const item of queue) item.reject(storageRefusal());
      queue = [];
    },
  };
}
