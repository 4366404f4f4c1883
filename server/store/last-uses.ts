/** When each client last called: remembered at once, written now and then, because a write of its own for each call would cost a sync. */
import type { ClientId } from '../protocol/ids.ts';
import type { ClientRecord } from '../protocol/store.ts';
import type { ClientsTable } from './small-tables.ts';

const WRITE_INTERVAL_MS = 60_000;

export interface LastUses {
  note(clientId: ClientId, wallMs: number): void;
  forget(clientId: ClientId): void;
  /** The client with its last use, written or not. */
  merge(client: ClientRecord): ClientRecord;
  /** Reports whether it is time to write them along with a commit. */
  isDue(monoMs: number): boolean;
  /** Writes what is newer than the stored rows; expects the caller's transaction. */
  write(monoMs: number): void;
}

export function createLastUses(clients: ClientsTable, openedMonoMs: number): LastUses {
  const noted = new Map<ClientId, number>();
  let writtenMonoMs = openedMonoMs;
  const merge = (client: ClientRecord): ClientRecord => ({
    ...client,
    lastUsedAt: noted.get(client.clientId) ?? client.lastUsedAt,
  });
  return {
    note: (clientId, wallMs) => void noted.set(clientId, wallMs),
    forget: (clientId) => void noted.delete(clientId),
    merge,
    isDue: (monoMs) => noted.size > 0 && monoMs - writtenMonoMs >= WRITE_INTERVAL_MS,
    write(monoMs) {
      writtenMonoMs = monoMs;
      if (noted.size === 0) return;
      for (const stored of clients.readAll().clients) {
        const client = merge(stored);
        if (client.lastUsedAt !== stored.lastUsedAt) clients.write(client);
      }
    },
  };
}
