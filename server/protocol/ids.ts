/** Branded identifiers, each made in one place. Request IDs are time-ordered so that the store appends instead of seeking. */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type RequestId = Branded<'RequestId'>;
export type ClientId = Branded<'ClientId'>;
export type PairingId = Branded<'PairingId'>;
export type RuntimeInstanceId = Branded<'RuntimeInstanceId'>;

/** The client ID under which the host's own requests are kept; no pairing can produce it. */
export const HOST_CLIENT_ID = 'host' as ClientId;

let lastMs = 0;
let counter = 0;

/** A UUID version 7 for `nowMs` (epoch ms): 48 bits of time, 12 bits of sequence inside the millisecond, 62 random bits. */
function uuidV7(nowMs: number): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else {
    counter += 1;
    if (counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const tail = crypto.getRandomValues(new Uint8Array(8));
  tail[0] = (tail[0]! & 0x3f) | 0x80;
  const hex = Array.from(tail, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const sequence = counter.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${hex.slice(0, 4)}-${hex.slice(4)}`;
}

/** A new request ID; `nowMs` is epoch ms and only orders IDs. */
export const newRequestId = (nowMs: number): RequestId => uuidV7(nowMs) as RequestId;
export const newClientId = (): ClientId => crypto.randomUUID() as ClientId;
export const newPairingId = (): PairingId => crypto.randomUUID() as PairingId;
export const newRuntimeInstanceId = (): RuntimeInstanceId => crypto.randomUUID() as RuntimeInstanceId;
