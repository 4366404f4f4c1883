/** What the store's tests share: temporary folders, records, and a clock that only moves when told to. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Now } from '../protocol/clock.ts';
import { type ClientId, newClientId, newRequestId, newRuntimeInstanceId } from '../protocol/ids.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import type { ClientRecord, IdempotencyRecord, Store, Write } from '../protocol/store.ts';
import { type OpenedStore, openStore, type StoreOptions } from './open.ts';
import { openSecret } from './secret.ts';

export const WALL = Date.UTC(2030, 0, 1);
export const ALICE = newClientId();
export const BOB = newClientId();
const INSTANCE = newRuntimeInstanceId();

/** A folder that is removed when the test is over. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'companion-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A world in which a store lives: its folder, its clocks and its log. */
export interface World {
  readonly folder: string;
  readonly clock: { wallMs: number; monoMs: number; uptimeMs: number; bootId: string | null };
  readonly lines: string[];
  readonly options: StoreOptions;
  /** Moves every clock. */
  pass(ms: number): void;
  /** Opens the store; it is closed when the test is over. */
  open(): OpenedStore;
  /** Opens the store and returns it alone. */
  store(): Store;
  /** Leaves the files as a power cut would: what was written after this point of `store`'s life is gone. */
  crash(store: Store): void;
  /** Runs SQL on the closed database, as a stranger would. */
  tamper(sql: string): void;
}

export function createWorld(folder = tempFolder()): World {
  const clock = { wallMs: WALL, monoMs: 0, uptimeMs: 0, bootId: 'a' as string | null };
  const lines: string[] = [];
  const now = (): Now => ({ wallMs: clock.wallMs, monoMs: clock.monoMs });
  const options: StoreOptions = {
    folder,
    secret: openSecret(folder),
    limits: LIMITS,
    now,
    log: (line) => lines.push(line),
    isListed: ({ capability, reason }) => capability.startsWith('interaction') || reason === 'suppressed',
    boot: () => ({ bootId: clock.bootId, uptimeMs: clock.uptimeMs }),
  };
  const open = (): OpenedStore => {
    const opened = openStore(options);
    onTestFinished(() => opened.store.close());
    return opened;
  };
  return {
    folder,
    clock,
    lines,
    options,
    pass(ms) {
      clock.wallMs += ms;
      clock.monoMs += ms;
      clock.uptimeMs += ms;
    },
    open,
    store: () => open().store,
    crash(store) {
      const files = ['companion.db', 'companion.db-wal'].map((name) => join(folder, name));
      const contents = files.map((file) => readFileSync(file));
      store.close();
      for (const [index, file] of files.entries()) writeFileSync(file, contents[index]!);
    },
    tamper(sql) {
      const db = new Database(join(folder, 'companion.db'));
      db.exec(sql);
      db.close();
    },
  };
}

/** A queued question of ALICE's; `changes` make it another. */
export function record(changes: Partial<RequestRecord> = {}): RequestRecord {
  return {
    requestId: newRequestId(WALL),
    clientId: ALICE,
    runtimeInstanceId: INSTANCE,
    capability: 'interaction.test',
    capabilityVersion: '0.1.0',
    taskId: null,
    params: { title: 'May I?' },
    status: 'queued',
    revision: 1,
    reason: null,
    createdAt: WALL,
    deadlineAt: WALL + 600_000,
    displayedAt: null,
    endedAt: null,
    retainedUntil: null,
    resolvedCapability: 'interaction.test',
    resolvedStyle: 'plain',
    resolvedCharacter: 'builtin.test',
    substituteReason: null,
    control: null,
    failure: null,
    result: null,
    ...changes,
  };
}

/** The next record: answered. */
export const answered = (from: RequestRecord): RequestRecord => ({
  ...from,
  status: 'completed',
  reason: 'user_answered',
  revision: from.revision + 1,
  endedAt: WALL,
  retainedUntil: WALL + LIMITS.resultRetentionMs,
  result: { selectedId: 'yes' },
});

export const insert = (made: RequestRecord, idempotency: IdempotencyRecord | null = null): Write => ({
  kind: 'insert',
  record: made,
  idempotency,
});

export const update = (next: RequestRecord, fromRevision = next.revision - 1): Write => ({
  kind: 'update',
  record: next,
  fromRevision,
});

/** The idempotency record of `made` under `key`. */
export const keyed = (made: RequestRecord, key: string): IdempotencyRecord => ({
  clientId: made.clientId,
  key,
  requestId: made.requestId,
  digest: `digest of ${key}`,
});

export const client = (clientId: ClientId, name: string): ClientRecord => ({
  clientId,
  name,
  scopes: ['notify', 'interact'],
  verifier: new Uint8Array(32).fill(name.length),
  createdAt: WALL,
  lastUsedAt: null,
});

/** Stores an answered question and returns it. */
export function storeAnswered(store: Store, changes: Partial<RequestRecord> = {}, key?: string): RequestRecord {
  const asked = record(changes);
  const done = answered(asked);
  store.commit([insert(asked, key === undefined ? null : keyed(asked, key)), update(done)], false);
  return done;
}
