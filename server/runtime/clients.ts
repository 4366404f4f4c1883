/** The paired clients: in the store, in the keyring, and in the Access page; always in that order (design §4, R7). */
import type { Keyring } from '../auth/keyring.ts';
import { assertName } from '../auth/names.ts';
import type { Actor } from '../protocol/actor.ts';
import { HOST } from '../protocol/actor.ts';
import type { ClientId } from '../protocol/ids.ts';
import type { ClientRecord } from '../protocol/store.ts';
import type { HostClock } from './clock.ts';
import type { Engine } from './engine.ts';

/** Last use is for the user's eyes; it is noted this often at most. */
const TOUCH_INTERVAL_MS = 60_000;

export interface Clients {
  /** Who presents this header. Errors: UNAUTHENTICATED. */
  authenticate(authorization: string | undefined): Actor;
  all(): readonly ClientRecord[];
  /** The label for cards; empty for one that is gone. */
  nameOf(clientId: ClientId): string;
  /** Admits a client once it is on disk. */
  admit(client: ClientRecord): Promise<void>;
  /** Errors: INVALID_PARAMS for a bad or taken name. */
  rename(clientId: ClientId, name: string): Promise<void>;
  /** Cancels its requests and clears its results in one transaction; its key is unknown from then on. */
  revoke(clientId: ClientId): Promise<void>;
}

export function createClients(engine: Engine, keyring: Keyring, clock: HostClock): Clients {
  const touchedAt = new Map<ClientId, number>();

  const touch = (clientId: ClientId): void => {
    const { wallMs, monoMs } = clock.now();
    if (monoMs - (touchedAt.get(clientId) ?? Number.NEGATIVE_INFINITY) < TOUCH_INTERVAL_MS) return;
    touchedAt.set(clientId, monoMs);
    engine.store().touchClient(clientId, wallMs);
  };

  return {
    authenticate: (authorization) => {
      const actor = keyring.actorOf(authorization);
      if (actor.kind === 'client') touch(actor.clientId);
      return actor;
    },
    all: () => engine.store().clients(),
    nameOf: (clientId) => (clientId === HOST.clientId ? HOST.name : (keyring.get(clientId)?.name ?? '')),
    admit: async (client) => {
      await engine.write([{ kind: 'client', client }]);
      keyring.add(client);
    },
    rename: async (clientId, name) => {
      const client = keyring.get(clientId);
      if (client === undefined) return;
      const others = keyring.clients().filter((other) => other.clientId !== clientId);
      assertName(
        name,
        others.map((other) => other.name),
      );
      await engine.write([{ kind: 'client', client: { ...client, name } }]);
      keyring.rename(clientId, name);
    },
    revoke: async (clientId) => {
      if (keyring.get(clientId) === undefined) return;
      await engine.submit({ type: 'revoke', clientId });
      keyring.remove(clientId);
      touchedAt.delete(clientId);
    },
  };
}
