/** Rows of requests, their idempotency records and their tombstones. Every function expects the caller's transaction and never opens one. */
import type { Database } from 'better-sqlite3';
import type { ClientId, RequestId } from '../protocol/ids.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import type { IdempotencyRecord, Lookup } from '../protocol/store.ts';
import type { Seal } from './seal.ts';

type GoneReason = Extract<Lookup, { kind: 'gone' }>['reason'];

interface RequestRow {
  readonly request_id: string;
  readonly client_id: string;
  readonly revision: number;
  readonly keep_until: number | null;
  readonly listed: number;
  readonly idempotency_key: string | null;
  readonly digest: unknown;
  readonly body: string;
}

/** A row as read: `record` is null when the row failed its digest; the rest is then unproven. */
export interface StoredRequest {
  readonly requestId: RequestId;
  readonly clientId: ClientId;
  readonly record: RequestRecord | null;
  readonly keepUntil: number | null;
  readonly idempotencyKey: string | null;
}

export interface RequestsTable {
  insert(record: RequestRecord, idempotencyKey: string | null, keepUntil: number | null): void;
  /** Throws unless the stored revision is `fromRevision`. Returns whether the row had ended before. */
  update(record: RequestRecord, fromRevision: number, keepUntil: number | null): boolean;
  read(requestId: string): StoredRequest | null;
  /** Puts a tombstone in the row's place and deletes its idempotency record. */
  bury(row: StoredRequest, reason: GoneReason, tombstoneUntil: number): void;
  tombstone(requestId: string): { readonly clientId: ClientId; readonly reason: GoneReason } | null;
  insertIdempotency(record: IdempotencyRecord): void;
  idempotency(clientId: ClientId, key: string): IdempotencyRecord | null;
  deleteIdempotencyOf(clientId: ClientId): void;
  unfinishedIds(): readonly string[];
  endedIds(clientId: ClientId | null): readonly string[];
  idsOf(clientId: ClientId): readonly string[];
  /** Ended requests whose time is over at `clockMs`, at most `limit`. */
  dueIds(clockMs: number, limit: number): readonly string[];
  /** Deletes tombstones whose time is over, at most `limit`; returns how many. */
  deleteTombstones(clockMs: number, limit: number): number;
  /** The earliest and the latest end of keeping, in retention-clock ms. */
  nextKeepUntil(): number | null;
  lastKeepUntil(): number | null;
  countEnded(): number;
  /** The sound records of what the user's page lists and is kept longer than until `clockMs`. */
  listedAfter(clockMs: number): readonly RequestRecord[];
  /** Newest first; damaged rows are left out. */
  listed(limit: number): readonly RequestRecord[];
}

/** Prepares every statement once. `isListed` says which records `listed` is to return. Throws when the tables are not as expected. */
export function createRequestsTable(
  db: Database,
  seal: Seal,
  isListed: (record: RequestRecord) => boolean,
): RequestsTable {
  const insert = db.prepare('INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const update = db.prepare(
    'UPDATE requests SET revision = ?, keep_until = ?, listed = ?, digest = ?, body = ? WHERE request_id = ? AND revision = ?',
  );
  const select = db.prepare<[string], RequestRow>('SELECT * FROM requests WHERE request_id = ?');
  const selectBefore = db.prepare<[string], Pick<RequestRow, 'idempotency_key' | 'keep_until'>>(
    'SELECT idempotency_key, keep_until FROM requests WHERE request_id = ?',
  );
  const remove = db.prepare('DELETE FROM requests WHERE request_id = ?');
  const unfinished = db.prepare<[], string>('SELECT request_id FROM requests WHERE keep_until IS NULL').pluck();
  const ended = db.prepare<[], string>('SELECT request_id FROM requests WHERE keep_until IS NOT NULL').pluck();
  const endedOf = db
    .prepare<[string], string>('SELECT request_id FROM requests WHERE keep_until IS NOT NULL AND client_id = ?')
    .pluck();
  const ofClient = db.prepare<[string], string>('SELECT request_id FROM requests WHERE client_id = ?').pluck();
  const due = db
    .prepare<[number, number], string>(
      'SELECT request_id FROM requests WHERE keep_until <= ? ORDER BY keep_until LIMIT ?',
    )
    .pluck();
  const nextKeep = db
    .prepare<[], number | null>(
      `SELECT min(coalesce(r, t), coalesce(t, r)) FROM (SELECT
        (SELECT min(keep_until) FROM requests WHERE keep_until IS NOT NULL) AS r,
        (SELECT min(keep_until) FROM tombstones) AS t)`,
    )
    .pluck();
  const lastKeep = db
    .prepare<[], number | null>('SELECT max(keep_until) FROM requests WHERE keep_until IS NOT NULL')
    .pluck();
  const count = db.prepare<[], number>('SELECT count(*) FROM requests WHERE keep_until IS NOT NULL').pluck();
  const newest = db.prepare<[number], RequestRow>(
    'SELECT * FROM requests WHERE listed = 1 ORDER BY request_id DESC LIMIT ?',
  );
  const newer = db.prepare<[number], RequestRow>('SELECT * FROM requests WHERE keep_until > ? AND listed = 1');
  const insertKey = db.prepare('INSERT INTO idempotency VALUES (?, ?, ?, ?, ?)');
  const selectKey = db.prepare<[string, string], { request_id: string; params_digest: string; digest: unknown }>(
    'SELECT request_id, params_digest, digest FROM idempotency WHERE client_id = ? AND idempotency_key = ?',
  );
  const removeKey = db.prepare('DELETE FROM idempotency WHERE client_id = ? AND idempotency_key = ?');
  const removeKeysOf = db.prepare('DELETE FROM idempotency WHERE client_id = ?');
  const insertStone = db.prepare('INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?, ?)');
  const selectStone = db.prepare<
    [string],
    { request_id: string; client_id: string; reason: string; keep_until: number; digest: unknown }
  >('SELECT * FROM tombstones WHERE request_id = ?');
  const removeStones = db.prepare(
    'DELETE FROM tombstones WHERE request_id IN (SELECT request_id FROM tombstones WHERE keep_until <= ? LIMIT ?)',
  );

  const sealOf = (
    record: { readonly requestId: string; readonly clientId: string; readonly revision: number },
    keepUntil: number | null,
    listed: number,
    idempotencyKey: string | null,
    body: string,
  ) => [record.requestId, record.clientId, record.revision, keepUntil, listed, idempotencyKey, body] as const;

  const recordOf = (row: RequestRow): RequestRecord | null => {
    const ids = { requestId: row.request_id, clientId: row.client_id, revision: row.revision };
    const columns = sealOf(ids, row.keep_until, row.listed, row.idempotency_key, row.body);
    return seal.holds(row.digest, 'requests', ...columns) ? (JSON.parse(row.body) as RequestRecord) : null;
  };

  return {
    insert(record, idempotencyKey, keepUntil) {
      const body = JSON.stringify(record);
      const listed = Number(isListed(record));
      const digest = seal.row('requests', ...sealOf(record, keepUntil, listed, idempotencyKey, body));
      const { requestId, clientId, revision } = record;
      insert.run(requestId, clientId, revision, keepUntil, listed, idempotencyKey, digest, body);
    },
    update(record, fromRevision, keepUntil) {
      const before = selectBefore.get(record.requestId);
      const body = JSON.stringify(record);
      const listed = Number(isListed(record));
      const digest = seal.row('requests', ...sealOf(record, keepUntil, listed, before?.idempotency_key ?? null, body));
      const { requestId, revision } = record;
      const { changes } = update.run(revision, keepUntil, listed, digest, body, requestId, fromRevision);
      if (before === undefined || changes !== 1)
        throw new Error(`the stored request is not of revision ${fromRevision}`);
      return before.keep_until !== null;
    },
    read(requestId) {
      const row = select.get(requestId);
      if (row === undefined) return null;
      return {
        requestId: row.request_id as RequestId,
        clientId: row.client_id as ClientId,
        record: recordOf(row),
        keepUntil: row.keep_until,
        idempotencyKey: row.idempotency_key,
      };
    },
    bury({ requestId, clientId, idempotencyKey }, reason, tombstoneUntil) {
      remove.run(requestId);
      if (idempotencyKey !== null) removeKey.run(clientId, idempotencyKey);
      const columns = [requestId, clientId, reason, tombstoneUntil] as const;
      insertStone.run(...columns, seal.row('tombstones', ...columns));
    },
    tombstone(requestId) {
      const row = selectStone.get(requestId);
      if (row === undefined) return null;
      const columns = [row.request_id, row.client_id, row.reason, row.keep_until] as const;
      const reason = seal.holds(row.digest, 'tombstones', ...columns) ? (row.reason as GoneReason) : 'damaged';
      return { clientId: row.client_id as ClientId, reason };
    },
    insertIdempotency({ clientId, key, requestId, digest }) {
      const columns = [clientId, key, requestId, digest] as const;
      insertKey.run(...columns, seal.row('idempotency', ...columns));
    },
    idempotency(clientId, key) {
      const row = selectKey.get(clientId, key);
      if (row === undefined) return null;
      const isSound = seal.holds(row.digest, 'idempotency', clientId, key, row.request_id, row.params_digest);
      // A damaged record must neither pass for a match nor let the same question be asked twice: '' equals no digest.
      return { clientId, key, requestId: row.request_id as RequestId, digest: isSound ? row.params_digest : '' };
    },
    deleteIdempotencyOf: (clientId) => void removeKeysOf.run(clientId),
    unfinishedIds: () => unfinished.all(),
    endedIds: (clientId) => (clientId === null ? ended.all() : endedOf.all(clientId)),
    idsOf: (clientId) => ofClient.all(clientId),
    dueIds: (clockMs, limit) => due.all(clockMs, limit),
    deleteTombstones: (clockMs, limit) => removeStones.run(clockMs, limit).changes,
    nextKeepUntil: () => nextKeep.get() ?? null,
    lastKeepUntil: () => lastKeep.get() ?? null,
    countEnded: () => count.get() ?? 0,
    listedAfter: (clockMs) => newer.all(clockMs).flatMap((row) => recordOf(row) ?? []),
    listed: (limit) => newest.all(limit).flatMap((row) => recordOf(row) ?? []),
  };
}
