import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ANONYMOUS } from '../protocol/actor.ts';
import { newClientId } from '../protocol/ids.ts';
import type { ClientRecord } from '../protocol/store.ts';
import { createKeyring } from './keyring.ts';
import { makeKey } from './keys.ts';

const secret = randomBytes(32);

function pair(name: string, createdAt = 1): { key: string; client: ClientRecord } {
  const { key, verifier } = makeKey(secret);
  return { key, client: { clientId: newClientId(), name, scopes: ['notify'], verifier, createdAt, lastUsedAt: null } };
}

const refusal = expect.objectContaining({ code: 'UNAUTHENTICATED', details: undefined });

test('a key names its client, with the name and scopes of the pairing', () => {
  const first = pair('first');
  const second = pair('second');
  const keyring = createKeyring([first.client, second.client], secret);
  expect(keyring.actorOf(`Bearer ${second.key}`)).toEqual({
    kind: 'client',
    clientId: second.client.clientId,
    name: 'second',
    scopes: ['notify'],
  });
  expect(keyring.actorOf(`bearer ${first.key}`)).toMatchObject({ clientId: first.client.clientId });
});

test('without a header the caller is anonymous', () => {
  expect(createKeyring([], secret).actorOf(undefined)).toBe(ANONYMOUS);
});

test('whatever is malformed, over-long or unknown is refused alike and without details', () => {
  const { key, client } = pair('it');
  const keyring = createKeyring([client], secret);
  const headers = [
    '',
    key,
    `Basic ${key}`,
    `Bearer  ${key}`,
    `Bearer ${key} `,
    `Bearer ${key}x`,
    `Bearer ${key}, Bearer ${key}`,
    `Bearer ${makeKey(secret).key}`,
    `Bearer ${'A'.repeat(100_000)}`,
    `Bearer ${client.clientId}`,
  ];
  for (const header of headers) expect(() => keyring.actorOf(header)).toThrow(refusal);
});

test('a removed client is unknown at once, the others are not', () => {
  const gone = pair('gone');
  const stays = pair('stays');
  const keyring = createKeyring([gone.client, stays.client], secret);
  keyring.remove(gone.client.clientId);
  expect(() => keyring.actorOf(`Bearer ${gone.key}`)).toThrow(refusal);
  expect(keyring.get(gone.client.clientId)).toBeUndefined();
  expect(keyring.actorOf(`Bearer ${stays.key}`)).toMatchObject({ name: 'stays' });
});

test('a renamed client keeps its key and its ID', () => {
  const { key, client } = pair('old');
  const keyring = createKeyring([client], secret);
  keyring.rename(client.clientId, 'new');
  expect(keyring.actorOf(`Bearer ${key}`)).toMatchObject({ clientId: client.clientId, name: 'new' });
  expect(keyring.get(client.clientId)).toEqual({ ...client, name: 'new' });
});

test('clients are listed oldest first, added ones too', () => {
  const keyring = createKeyring([pair('b', 2).client], secret);
  keyring.add(pair('c', 3).client);
  keyring.add(pair('a', 1).client);
  expect(keyring.clients().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

test('a client added again with another key leaves the old key behind', () => {
  const first = pair('it');
  const again = { ...first.client, verifier: makeKey(secret).verifier };
  const keyring = createKeyring([first.client], secret);
  keyring.add(again);
  expect(() => keyring.actorOf(`Bearer ${first.key}`)).toThrow(refusal);
  expect(keyring.clients()).toEqual([again]);
});

test('removing or renaming who is not here changes nothing', () => {
  const { client } = pair('it');
  const keyring = createKeyring([client], secret);
  keyring.remove(newClientId());
  keyring.rename(newClientId(), 'x');
  expect(keyring.clients()).toEqual([client]);
});
