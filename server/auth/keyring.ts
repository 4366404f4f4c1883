/** Turns a presented key into an Actor. Never reads a client ID or a name from parameters (spec §3, §5). */
import { type Actor, ANONYMOUS } from '../protocol/actor.ts';
import { ProtocolError } from '../protocol/errors.ts';
import type { ClientId } from '../protocol/ids.ts';
import type { ClientRecord } from '../protocol/store.ts';
import { isKey, isSameVerifier, verifierOf } from './keys.ts';

/** The scheme is case-insensitive by RFC 9110; what follows it is exact. */
const BEARER = /^bearer $/i;
const SCHEME_LENGTH = 'Bearer '.length;

interface Entry {
  readonly client: ClientRecord;
  readonly actor: Actor;
}

export interface Keyring {
  /**
   * Who presents this `Authorization` header. No header: ANONYMOUS.
   * Errors: UNAUTHENTICATED, without details, for anything malformed, over-long, unknown or revoked.
   */
  actorOf(authorizationHeader: string | undefined): Actor;
  /** Admits a client, or replaces the record of one already here. */
  add(client: ClientRecord): void;
  /** From now on its key is unknown. Nothing happens when the client is not here. */
  remove(clientId: ClientId): void;
  /** Changes the label that cards show. Nothing happens when the client is not here. */
  rename(clientId: ClientId, name: string): void;
  /** Oldest pairing first. */
  clients(): readonly ClientRecord[];
  get(clientId: ClientId): ClientRecord | undefined;
}

const fingerprint = (verifier: Uint8Array): string =>
  Buffer.from(verifier.buffer, verifier.byteOffset, verifier.byteLength).toString('latin1');

const toEntry = (client: ClientRecord): Entry => ({
  client,
  actor: { kind: 'client', clientId: client.clientId, name: client.name, scopes: client.scopes },
});

/** A keyring of the paired clients; `secret` is the install secret their verifiers were made with. */
export function createKeyring(clients: readonly ClientRecord[], secret: Uint8Array): Keyring {
  const byVerifier = new Map<string, Entry>();
  const byId = new Map<ClientId, ClientRecord>();

  const remove = (clientId: ClientId): void => {
    const client = byId.get(clientId);
    if (client === undefined) return;
    byId.delete(clientId);
    byVerifier.delete(fingerprint(client.verifier));
  };
  const add = (client: ClientRecord): void => {
    remove(client.clientId);
    byId.set(client.clientId, client);
    byVerifier.set(fingerprint(client.verifier), toEntry(client));
  };
  for (const client of clients) add(client);

  return {
    actorOf(authorizationHeader) {
      if (authorizationHeader === undefined) return ANONYMOUS;
      const key = authorizationHeader.slice(SCHEME_LENGTH);
      if (!BEARER.test(authorizationHeader.slice(0, SCHEME_LENGTH)) || !isKey(key))
        throw new ProtocolError('UNAUTHENTICATED');
      const verifier = verifierOf(key, secret);
      const entry = byVerifier.get(fingerprint(verifier));
      if (entry === undefined || !isSameVerifier(verifier, entry.client.verifier))
        throw new ProtocolError('UNAUTHENTICATED');
      return entry.actor;
    },
    add,
    remove,
    rename(clientId, name) {
      const client = byId.get(clientId);
      if (client !== undefined) add({ ...client, name });
    },
    clients: () => [...byId.values()].sort((left, right) => left.createdAt - right.createdAt),
    get: (clientId) => byId.get(clientId),
  };
}
