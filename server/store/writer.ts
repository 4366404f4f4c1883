/** What each kind of write does to the tables. Expects the caller's transaction; counts how many ended requests come and go. */
import type { Now } from '../protocol/clock.ts';
import { assertNever } from '../protocol/errors.ts';
import type { ClientId } from '../protocol/ids.ts';
import type { Limits } from '../protocol/limits.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import { isTerminal } from '../protocol/status.ts';
import type { Write } from '../protocol/store.ts';
import type { RequestsTable } from './requests-table.ts';
import type { RetentionKeeper } from './retention.ts';
import { type ClientsTable, LOOKED_NAME, type MetaTable, SETTINGS_NAME } from './small-tables.ts';

export interface Tables {
  readonly requests: RequestsTable;
  readonly clients: ClientsTable;
  readonly meta: MetaTable;
}

export interface Writer {
  /** Returns by how much the number of ended requests changed. Throws when a revision is not the expected one. */
  apply(write: Write, at: Now): number;
  /** Ends every unfinished request as failed/runtime_restarted; a damaged one leaves a tombstone. Returns how many there were. */
  failUnfinished(at: Now): number;
  /** Removes at most `limit` requests and tombstones whose time is over. Returns the change in the number of ended requests. */
  removeDue(at: Now, limit: number): number;
}

export function createWriter({ requests, clients, meta }: Tables, keeper: RetentionKeeper, limits: Limits): Writer {
  const keepUntilOf = (record: RequestRecord, at: Now): number | null =>
    isTerminal(record.status) ? keeper.clockAt(at.monoMs) + limits.resultRetentionMs : null;

  /** A damaged row says so, unless the user wanted it gone anyway. */
  const bury = (requestId: string, reason: 'retention' | 'erased' | 'damaged', at: Now): number => {
    const row = requests.read(requestId);
    if (row === null) return 0;
    const told = row.record === null && reason !== 'erased' ? 'damaged' : reason;
    requests.bury(row, told, keeper.clockAt(at.monoMs) + limits.tombstoneRetentionMs);
    return row.keepUntil === null ? 0 : -1;
  };
  const buryAll = (ids: readonly string[], reason: 'retention' | 'erased', at: Now): number =>
    ids.reduce((change, requestId) => change + bury(requestId, reason, at), 0);

  const clear = (requestId: string, at: Now): number => {
    const row = requests.read(requestId);
    if (row === null || row.record === null) return bury(requestId, 'damaged', at);
    const cleared: RequestRecord = { ...row.record, params: null, result: null, failure: null };
    requests.update(cleared, cleared.revision, row.keepUntil);
    return 0;
  };
  const revoke = (clientId: ClientId, at: Now): number => {
    const change = requests.idsOf(clientId).reduce((sum, requestId) => sum + clear(requestId, at), 0);
    requests.deleteIdempotencyOf(clientId);
    clients.remove(clientId);
    return change;
  };

  const insert = ({ record, idempotency }: Extract<Write, { kind: 'insert' }>, at: Now): number => {
    const keepUntil = keepUntilOf(record, at);
    requests.insert(record, idempotency?.key ?? null, keepUntil);
    if (idempotency !== null) requests.insertIdempotency(idempotency);
    return keepUntil === null ? 0 : 1;
  };
  const update = (record: RequestRecord, fromRevision: number, at: Now): number => {
    const keepUntil = keepUntilOf(record, at);
    const hadEnded = requests.update(record, fromRevision, keepUntil);
    if (hadEnded) throw new Error('an ended request cannot be updated');
    return keepUntil === null ? 0 : 1;
  };

  return {
    apply(write, at) {
      switch (write.kind) {
        case 'insert':
          return insert(write, at);
        case 'update':
          return update(write.record, write.fromRevision, at);
        case 'settings':
          meta.write(SETTINGS_NAME, write.settings);
          return 0;
        case 'looked':
          meta.write(LOOKED_NAME, keeper.clockAt(at.monoMs) + limits.resultRetentionMs);
          return 0;
        case 'client':
          clients.write(write.client);
          return 0;
        case 'revoke':
          return revoke(write.clientId, at);
        case 'erase':
          return buryAll(requests.endedIds(write.clientId), 'erased', at);
        default:
          return assertNever(write);
      }
    },
    failUnfinished(at) {
      const ids = requests.unfinishedIds();
      for (const requestId of ids) {
        const record = requests.read(requestId)?.record ?? null;
        if (record === null) bury(requestId, 'damaged', at);
        else update(failed(record, at.wallMs, limits.resultRetentionMs), record.revision, at);
      }
      return ids.length;
    },
    removeDue(at, limit) {
      const clockMs = keeper.clockAt(at.monoMs);
      const change = buryAll(requests.dueIds(clockMs, limit), 'retention', at);
      requests.deleteTombstones(clockMs, limit);
      return change;
    },
  };
}

const failed = (record: RequestRecord, wallMs: number, retentionMs: number): RequestRecord => ({
  ...record,
  status: 'failed',
  reason: 'runtime_restarted',
  revision: record.revision + 1,
  endedAt: wallMs,
  retainedUntil: wallMs + retentionMs,
});
