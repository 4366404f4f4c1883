/** What the framing (rpc) needs of the runtime: who is calling, and the one call. */
import type { Actor } from './actor.ts';

export interface Door {
  /** The actor behind an `Authorization` header; undefined → ANONYMOUS. Throws ProtocolError UNAUTHENTICATED. */
  authenticate(authorization: string | undefined): Actor;
  /** Whether the method may block its caller; undefined when there is no such method. */
  waits(method: string): boolean | undefined;
  /**
   * Does every check from the method on (R14) and resolves with its result. `signal` aborts when the caller's
   * connection is gone; it is shared by all calls of a connection, so listeners have to be taken off again.
   * Throws ProtocolError; anything else is a bug, which the runtime has logged.
   */
  call(actor: Actor, method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
}
