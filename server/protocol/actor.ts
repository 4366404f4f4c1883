/** Who is calling. Made from the connection or by the host, never from parameters (spec §3, §5). */
import { type ClientId, HOST_CLIENT_ID } from './ids.ts';
import { SCOPES, type Scope } from './words.ts';

export type Actor =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'client'; readonly clientId: ClientId; readonly name: string; readonly scopes: readonly Scope[] }
  | { readonly kind: 'host'; readonly clientId: ClientId; readonly name: string; readonly scopes: readonly Scope[] };

export const ANONYMOUS: Actor = { kind: 'anonymous' };
/** The host's own caller: the same checks, queue and store as anybody's. */
export const HOST: Extract<Actor, { kind: 'host' }> = {
  kind: 'host',
  clientId: HOST_CLIENT_ID,
  name: 'companion',
  scopes: SCOPES,
};
