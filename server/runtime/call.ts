/**
 * The one door: every call, from outside or from the host itself, is checked here in the order of R14 and handed to its verb.
 * Never reads a client ID from parameters. Spec §1, §3, §5.
 */
import { assertKnown, assertScopes } from '../auth/scopes.ts';
import type { Actor } from '../protocol/actor.ts';
import { ProtocolError } from '../protocol/errors.ts';
import type { MethodName, Methods } from '../registry/catalog.ts';
import { findMethod } from '../registry/catalog.ts';
import { type Method, SCOPES_FOR } from '../registry/define.ts';
import type { Static } from '../registry/schema.ts';
import { faultsOf } from '../registry/validate.ts';

/** A caller whose identity is settled: a paired client, or the host. */
export type KnownActor = Exclude<Actor, { kind: 'anonymous' }>;

type Needs<Name extends MethodName> = Methods[Name]['needs'];

/** One verb per method: typed by the catalogue, so that a missing or surplus handler does not compile. */
export type Handlers = {
  readonly [Name in MethodName]: (
    params: Static<Methods[Name]['params']>,
    actor: Needs<Name> extends 'nothing' ? Actor : KnownActor,
    signal: AbortSignal,
  ) => unknown;
};

export type Call = (actor: Actor, method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;

type AnyHandler = (params: unknown, actor: Actor, signal: AbortSignal) => unknown;

/** Params by name only; absent is the same as empty. Throws INVALID_PARAMS with the paths and rules, never the values. */
function assertParams(method: Method, params: unknown): unknown {
  const given = params === undefined ? {} : params;
  const faults = faultsOf(method.params, given);
  if (faults.length > 0) throw new ProtocolError('INVALID_PARAMS', { faults });
  return given;
}

/** Makes the door over `handlers`. Whatever is thrown that is not ours is logged by name and leaves as INTERNAL_ERROR. */
export function createCall(handlers: Handlers, log: (line: string) => void): Call {
  return async (actor, name, params, signal) => {
    const method = findMethod(name);
    if (method === undefined) throw new ProtocolError('METHOD_NOT_FOUND');
    if (method.needs !== 'nothing') assertKnown(actor);
    const valid = assertParams(method, params);
    assertScopes(actor, SCOPES_FOR[method.needs]);
    try {
      return await (handlers[name as MethodName] as AnyHandler)(valid, actor, signal);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      // The stack names places in our code; messages may carry content and stay out of the log (R12).
      const place =
        error instanceof Error ? `${error.name} ${error.stack?.split('\n')[1]?.trim() ?? ''}` : typeof error;
      log(`internal error in ${name}: ${place}`);
      throw new ProtocolError('INTERNAL_ERROR');
    }
  };
}
