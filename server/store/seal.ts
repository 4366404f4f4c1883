/** Keyed digests: a stored row that was changed by anyone but this program is noticed when it is read. */
import sodium from 'sodium-native';

const DIGEST_BYTES = 32;

type Part = string | number | null;

export interface Seal {
  /** The digest of a row: of its table's name and all its columns, in a fixed order. */
  row(table: string, ...columns: readonly Part[]): Buffer;
  /** Reports whether `digest` is the one `row` would give. */
  holds(digest: unknown, table: string, ...columns: readonly Part[]): boolean;
  /** Keyed digest of `text` for comparing create parameters, base64url. */
  text(text: string): string;
}

/** Lengths make two different rows two different texts, whatever their columns hold. */
const encode = (part: Part): string => {
  if (part === null) return '-';
  const text = String(part);
  return `${text.length}:${text}`;
};

/** Digests keyed with the install secret; each use begins with a word of its own, so that none passes for another. */
export function createSeal(secret: Uint8Array): Seal {
  const key = Buffer.from(secret);
  const digestOf = (text: string): Buffer => {
    const digest = Buffer.allocUnsafe(DIGEST_BYTES);
    sodium.crypto_generichash(digest, Buffer.from(text), key);
    return digest;
  };
  const row = (table: string, ...columns: readonly Part[]): Buffer =>
    digestOf(`row\n${table}\n${columns.map(encode).join('')}`);
  return {
    row,
    holds: (digest, table, ...columns) => Buffer.isBuffer(digest) && row(table, ...columns).equals(digest),
    text: (text) => digestOf(`text\n${text}`).toString('base64url'),
  };
}
