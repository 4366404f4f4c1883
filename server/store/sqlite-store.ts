/** The Store on SQLite: what `commit` has returned for is on disk, and what is read is what was written, or reported as damaged (spec §4). */
import Database from 'better-sqlite3';
import type { Now } from '../protocol/clock.ts';
import type { Limits } from '../protocol/limits.ts';
import { DEFAULT_SETTINGS, type Settings } from '../protocol/settings.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import { type Lookup, type Store, StoreError } from '../protocol/store.ts';
import { DamageError } from './database.ts';
import { createLastUses } from './last-uses.ts';
import { createRequestsTable, type RequestsTable } from './requests-table.ts';
import type { Reserve } from './reserve.ts';
import { type Boot, createRetentionKeeper } from './retention.ts';
import { createSeal, type Seal } from './seal.ts';
import { createClientsTable, createMetaTable, LOOKED_NAME, type MetaTable, SETTINGS_NAME } from './small-tables.ts';
import { createTransactor } from './transaction.ts';
import { createWriter, type Tables } from './writer.ts';

/** Rows that one sweep removes at most, so that it never holds the loop for long. */
const SWEEP_ROWS = 500;

export interface StoreParts {
  /** Configured, and locked to this process. */
  readonly db: Database.Database;
  /** The install secret. */
  readonly secret: Uint8Array;
  readonly limits: Limits;
  readonly reserve: Reserve;
  readonly now: () => Now;
  readonly boot: () => Boot;
  /** Says which records `recent` is to return. */
  readonly isListed: (record: RequestRecord) => boolean;
  /** One line for the log; numbers only. */
  readonly log: (line: string) => void;
}

/**
 * A store on a configured connection. Every unfinished request of an earlier instance is failed as `runtime_restarted` first, in one
 * transaction; `interrupted` says how many. Throws SQLite's own errors, StoreError and DamageError.
 */
export function startStore(parts: StoreParts): { readonly store: Store; readonly interrupted: number } {
  const { db, limits, reserve, now, log } = parts;
  const seal = createSeal(parts.secret);
  const tables = prepareTables(db, seal, parts.isListed);
  const { requests, clients, meta } = tables;
  const opened = now();
  const storageSince = readStorageSince(meta, opened.wallMs, log);
  const keeper = createRetentionKeeper(meta, parts.boot, opened, fallbackClock(requests, limits));
  const writer = createWriter(tables, keeper, limits);
  const uses = createLastUses(clients, opened.monoMs);
  const transactor = createTransactor(db);

  /** May use the reserved room, once it is the only room left. */
  const writeUrgently = <Result>(work: () => Result): Result => {
    try {
      return transactor.write(work);
    } catch (error) {
      if (!(error instanceof StoreError && error.kind === 'full' && reserve.release())) throw error;
      log('store: the disk is full; the reserve has been released');
      return transactor.write(work);
    }
  };

  if (!reserve.hold()) log('store: there is no room for the reserve');
  const interrupted = writeUrgently(() => {
    meta.write('storageSince', storageSince);
    keeper.writeMark(opened);
    return writer.failUnfinished(opened);
  });
  let kept = requests.countEnded();

  const store: Store = {
    storageSince,
    commit(writes, urgent) {
      if (!urgent && !transactor.isBroken() && !reserve.hold())
        throw new StoreError('full', new Error('the reserve cannot be regained'));
      const work = (): number => {
        const at = now();
        const change = writes.reduce((sum, write) => sum + writer.apply(write, at), 0);
        if (keeper.hasWallJumped(at)) keeper.writeMark(at);
        if (uses.isDue(at.monoMs)) uses.write(at.monoMs);
        return change;
      };
      kept += urgent ? writeUrgently(work) : transactor.write(work);
      for (const write of writes) if (write.kind === 'revoke') uses.forget(write.clientId);
      if (writes.some(({ kind }) => kind === 'revoke' || kind === 'erase')) transactor.tidy(true);
    },
    find: (requestId) => transactor.read(() => lookUp(requests, requestId)),
    findIdempotency: (clientId, key) => transactor.read(() => requests.idempotency(clientId, key)),
    clients: () =>
      transactor.read(() => {
        const { clients: sound, damaged } = clients.readAll();
        if (damaged > 0) log(`store: damaged client rows ignored: ${damaged}`);
        return sound.map(uses.merge);
      }),
    touchClient: uses.note,
    settings: () => transactor.read(() => readSettings(meta, log)),
    recent: (limit) => transactor.read(() => requests.listed(limit)),
    countKept: () => kept,
    countMissed: () => transactor.read(() => countMissed(requests, meta)),
    sweep(wallMs, monoMs) {
      const msToNext = (): number | null => {
        const next = transactor.read(() => requests.nextKeepUntil());
        return next === null ? null : Math.max(0, next - keeper.clockAt(monoMs));
      };
      if (msToNext() !== 0) return msToNext();
      kept += writeUrgently(() => {
        keeper.writeMark({ wallMs, monoMs });
        uses.write(monoMs);
        return writer.removeDue({ wallMs, monoMs }, SWEEP_ROWS);
      });
      transactor.tidy(false);
      return msToNext();
    },
    catalogRevision(digest) {
      const stored = transactor.read(() => meta.read('catalog').value) as { digest: string; revision: number } | null;
      if (stored?.digest === digest) return stored.revision;
      const revision = (stored?.revision ?? 0) + 1;
      writeUrgently(() => meta.write('catalog', { digest, revision }));
      return revision;
    },
    digest: seal.text,
    close() {
      if (!db.open) return;
      try {
        if (!transactor.isBroken()) transactor.write(() => writeLast(now()));
      } catch {
        log('store: last uses could not be written at the end');
      } finally {
        db.close();
      }
    },
  };
  const writeLast = (at: Now): void => {
    uses.write(at.monoMs);
    keeper.writeMark(at);
  };
  return { store, interrupted };
}

/** A statement that does not compile on an up-to-date database means that its schema is not what the migrations made. */
function prepareTables(db: Database.Database, seal: Seal, isListed: StoreParts['isListed']): Tables {
  try {
    return {
      requests: createRequestsTable(db, seal, isListed),
      clients: createClientsTable(db, seal),
      meta: createMetaTable(db, seal),
    };
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_ERROR')
      throw new DamageError('the schema is not ours');
    throw error;
  }
}

function readStorageSince(meta: MetaTable, wallMs: number, log: StoreParts['log']): number {
  const { value, isDamaged } = meta.read('storageSince');
  if (isDamaged) log('store: a row failed its digest, or the install secret is not the one of this database');
  return typeof value === 'number' ? value : wallMs;
}

/** Without a sound mark nothing may be removed early: the clock goes on from the end of the newest result. */
const fallbackClock = (requests: RequestsTable, limits: Limits): number =>
  Math.max(0, (requests.lastKeepUntil() ?? 0) - limits.resultRetentionMs);

function readSettings(meta: MetaTable, log: StoreParts['log']): Settings {
  const { value, isDamaged } = meta.read(SETTINGS_NAME);
  if (isDamaged) log('store: the settings were damaged; defaults are in force and access is off');
  return { ...DEFAULT_SETTINGS, ...(value as Partial<Settings> | null) };
}

/** A revoked client's rows have no parameters any more. */
function countMissed(requests: RequestsTable, meta: MetaTable): number {
  const looked = (meta.read(LOOKED_NAME).value as number | null) ?? 0;
  return requests.listedAfter(looked).filter(({ reason, params }) => reason === 'suppressed' && params !== null).length;
}

function lookUp(requests: RequestsTable, requestId: string): Lookup {
  const row = requests.read(requestId);
  if (row?.record) return { kind: 'found', record: row.record };
  if (row !== null) return { kind: 'gone', clientId: row.clientId, reason: 'damaged' };
  const tombstone = requests.tombstone(requestId);
  return tombstone === null ? { kind: 'none' } : { kind: 'gone', ...tombstone };
}
