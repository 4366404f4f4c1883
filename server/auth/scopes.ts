/** What a caller may do: scopes are checked by ID, and the control scope stands alone (spec §5, R17). */
import type { Actor } from '../protocol/actor.ts';
import { invalidParams, ProtocolError } from '../protocol/errors.ts';
import { CONTROL_SCOPE, SCOPES, type Scope } from '../protocol/words.ts';

/** Passes when the caller is known and has every scope in `required`. Errors: UNAUTHENTICATED, FORBIDDEN with the missing scopes. */
export function assertScopes(actor: Actor, required: readonly Scope[]): void {
  if (actor.kind === 'anonymous') throw new ProtocolError('UNAUTHENTICATED');
  const missing = required.filter((scope) => !actor.scopes.includes(scope));
  if (missing.length > 0) throw new ProtocolError('FORBIDDEN', { missing });
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
