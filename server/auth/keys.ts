/** Keys: 32 random bytes handed over once; what stays here can only recognise them (docs/auth-profile.md, section 6). */
import { randomBytes } from 'node:crypto';
import sodium from 'sodium-native';

const KEY = /^cmp_[A-Za-z0-9_-]{43}$/;
const VERIFIER_BYTES = 32;
/** Sets verifiers apart from everything else that is digested with the install secret. */
const DOMAIN = 'verifier\n';

/** Reports whether `text` has the exact shape of a key; says nothing about whom it belongs to. */
export const isKey = (text: string): boolean => KEY.test(text);

/** What the host keeps of a key: BLAKE2b-256 of it, keyed with the install secret. */
export function verifierOf(key: string, secret: Uint8Array): Uint8Array {
  const verifier = Buffer.allocUnsafe(VERIFIER_BYTES);
  sodium.crypto_generichash(verifier, Buffer.from(DOMAIN + key), Buffer.from(secret.buffer, secret.byteOffset, 32));
  return verifier;
}

/** A new key and its verifier. The key is to be handed out once and then forgotten. */
export function makeKey(secret: Uint8Array): { readonly key: string; readonly verifier: Uint8Array } {
  const key = `cmp_${randomBytes(32).toString('base64url')}`;
  return { key, verifier: verifierOf(key, secret) };
}

/** Compares two verifiers without telling by its duration where they differ. */
export const isSameVerifier = (left: Uint8Array, right: Uint8Array): boolean =>
  left.byteLength === right.byteLength && sodium.sodium_memcmp(asBuffer(left), asBuffer(right));

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
