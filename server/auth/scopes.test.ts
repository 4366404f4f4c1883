import { expect, test } from 'vitest';
import { type Actor, ANONYMOUS, HOST } from '../protocol/actor.ts';
import { newClientId } from '../protocol/ids.ts';
import { CONTROL_SCOPE, type Scope } from '../protocol/words.ts';
import { assertKnown, assertScopeSet, assertScopes } from './scopes.ts';

const client = (...scopes: Scope[]): Actor => ({ kind: 'client', clientId: newClientId(), name: 'it', scopes });

test('an anonymous caller is nobody: unauthenticated, not forbidden, and free to do what needs no key', () => {
  const unauthenticated = expect.objectContaining({ code: 'UNAUTHENTICATED' });
  expect(() => assertKnown(ANONYMOUS)).toThrow(unauthenticated);
  expect(() => assertScopes(ANONYMOUS, ['notify'])).toThrow(unauthenticated);
  assertScopes(ANONYMOUS, []);
  assertKnown(client());
  assertKnown(HOST);
});

test('a caller passes with every scope and is forbidden without one', () => {
  assertScopes(client('notify', 'interact'), ['notify', 'interact']);
  assertScopes(client('notify'), []);
  assertScopes(HOST, ['notify', CONTROL_SCOPE]);
  expect(() => assertScopes(client('notify'), ['notify', 'interact'])).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN', details: { requiredScopes: ['notify', 'interact'] } }),
  );
});

test('the control scope gives none of the others', () => {
  expect(() => assertScopes(client(CONTROL_SCOPE), ['discover'])).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN' }),
  );
});

test.each([
  [[], 'minItems'],
  [['notify', 'notify'], 'uniqueItems'],
  [['root' as Scope], 'enum'],
  [['notify', CONTROL_SCOPE], 'controlStandsAlone'],
] as [Scope[], string][])('the scopes %j cannot stand on one key', (scopes, rule) => {
  expect(() => assertScopeSet(scopes)).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMS', details: { faults: [{ path: '/scopes', rule }] } }),
  );
});

test('the four ordinary scopes go together, and control goes alone', () => {
  assertScopeSet(['discover', 'animate', 'notify', 'interact']);
  assertScopeSet([CONTROL_SCOPE]);
});
