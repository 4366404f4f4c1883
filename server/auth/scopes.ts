/** What a caller may do: scopes are checked by ID, and the control scope stands alone (spec §5, R17). */
import type { Actor } from '../protocol/actor.ts';
import { invalidParams, ProtocolError } from '../protocol/errors.ts';
import { CONTROL_SCOPE, SCOPES, type Scope } from '../protocol/words.ts';

/** Passes when the caller has presented a key, or is the host. Errors: UNAUTHENTICATED. */
export function assertKnown(actor: Actor): asserts actor is Exclude<Actor, { readonly kind: 'anonymous' }> {
  if (actor.kind === 'anonymous') throw new ProtocolError('UNAUTHENTICATED');
}

/** Passes when the caller has every scope in `requiredScopes`; nobody lacks none. Errors: UNAUTHENTICATED, FORBIDDEN with all that are required. */
export function assertScopes(actor: Actor, requiredScopes: readonly Scope[]): void {
  if (requiredScopes.length === 0) return;
  assertKnown(actor);
  if (!requiredScopes.every((scope) => actor.scopes.includes(scope)))
    throw new ProtocolError('FORBIDDEN', { requiredScopes });
}

/** Passes when these scopes may stand together on one key. Errors: INVALID_PARAMS at `/scopes`. */
export function assertScopeSet(scopes: readonly Scope[]): void {
  const rule = brokenRule(scopes);
  if (rule !== null) throw invalidParams('/scopes', rule);
}

function brokenRule(scopes: readonly Scope[]): string | null {
  if (scopes.length === 0) return 'minItems';
  if (new Set(scopes).size !== scopes.length) return 'uniqueItems';
  if (!scopes.every((scope) => SCOPES.includes(scope))) return 'enum';
  if (scopes.length > 1 && scopes.includes(CONTROL_SCOPE)) return 'controlStandsAlone';
  return null;
}
