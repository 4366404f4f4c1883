import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isKey, isSameVerifier, makeKey, verifierOf } from './keys.ts';

const secret = randomBytes(32);

test('a new key has the published shape, and each one is another', () => {
  const keys = Array.from({ length: 50 }, () => makeKey(secret).key);
  for (const key of keys) expect(key).toMatch(/^cmp_[A-Za-z0-9_-]{43}$/);
  expect(new Set(keys).size).toBe(50);
});

test('the verifier belongs to one key under one secret, and does not hold the key', () => {
  const { key, verifier } = makeKey(secret);
  expect(verifier.byteLength).toBe(32);
  expect(isSameVerifier(verifierOf(key, secret), verifier)).toBe(true);
  expect(isSameVerifier(verifierOf(makeKey(secret).key, secret), verifier)).toBe(false);
  expect(isSameVerifier(verifierOf(key, randomBytes(32)), verifier)).toBe(false);
  expect(Buffer.from(verifier).includes(Buffer.from(key.slice(4), 'base64url').subarray(0, 8))).toBe(false);
});

test('verifiers of different length are different, not an error', () => {
  expect(isSameVerifier(new Uint8Array(16), new Uint8Array(32))).toBe(false);
});

test.each([
  '',
  'cmp_',
  `cmp_${'A'.repeat(42)}`,
  `cmp_${'A'.repeat(44)}`,
  `CMP_${'A'.repeat(43)}`,
  `cmp_${'A'.repeat(42)}=`,
  `cmp_${'A'.repeat(43)}\n`,
  ` cmp_${'A'.repeat(43)}`,
])('%j is not the shape of a key', (text) => {
  expect(isKey(text)).toBe(false);
});
