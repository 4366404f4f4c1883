/** Clients, and the few single values of the database. Rows that fail their digest are treated as not there; nothing opens a transaction. */
import type { Database } from 'better-sqlite3';
import type { ClientId } from '../protocol/ids.ts';
import type { ClientRecord } from '../protocol/store.ts';
import type { Scope } from '../protocol/words.ts';
import type { Seal } from './seal.ts';

export interface ClientsTable {
  write(client: ClientRecord): void;
  remove(clientId: ClientId): void;
  /** The clients whose rows are sound, and how many were not. */
  readAll(): { readonly clients: readonly ClientRecord[]; readonly damaged: number };
}

interface ClientBody {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** base64url */
  readonly verifier: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export function createClientsTable(db: Database, seal: Seal): ClientsTable {
  const upsert = db.prepare('INSERT OR REPLACE INTO clients VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM clients WHERE client_id = ?');
  const all = db.prepare<[], { client_id: string; digest: unknown; body: string }>('SELECT * FROM clients');
  return {
    write({ clientId, verifier, ...rest }) {
      const stored: ClientBody = { ...rest, verifier: Buffer.from(verifier).toString('base64url') };
      const body = JSON.stringify(stored);
      upsert.run(clientId, seal.row('clients', clientId, body), body);
    },
    remove: (clientId) => void remove.run(clientId),
    readAll() {
      const rows = all.all();
      const sound = rows.filter(({ client_id, digest, body }) => seal.holds(digest, 'clients', client_id, body));
      const clients = sound.map(({ client_id, body }) => toClient(client_id as ClientId, JSON.parse(body)));
      return { clients, damaged: rows.length - sound.length };
    },
  };
}

const toClient = (clientId: ClientId, { verifier, ...rest }: ClientBody): ClientRecord => ({
  clientId,
  ...rest,
  verifier: new Uint8Array(Buffer.from(verifier, 'base64url')),
});

export const SETTINGS_NAME = 'settings';
/** Until when is kept what ended as the user last looked at what they missed, in retention-clock ms. */
export const LOOKED_NAME = 'looked';

export interface MetaTable {
  /** The value of that name; null when there is none or its row is damaged, and `isDamaged` tells which. */
  read(name: string): { readonly value: unknown; readonly isDamaged: boolean };
  write(name: string, value: unknown): void;
}

export function createMetaTable(db: Database, seal: Seal): MetaTable {
  const select = db.prepare<[string], { digest: unknown; body: string }>(
    'SELECT digest, body FROM meta WHERE name = ?',
  );
  const upsert = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?, ?)');
  return {
    read(name) {
      const row = select.get(name);
      if (row === undefined) return { value: null, isDamaged: false };
      const isDamaged = !seal.holds(row.digest, 'meta', name, row.body);
      return { value: isDamaged ? null : JSON.parse(row.body), isDamaged };
    },
    write(name, value) {
      const body = JSON.stringify(value);
      upsert.run(name, seal.row('meta', name, body), body);
    },
  };
}
