/** An outline as the window takes it: one opacity a pixel, packed as run lengths, under a name that says what is in it. */

/** The opacities of RGBA pixels, row by row. */
export function opacities(rgba: Uint8ClampedArray): Uint8Array {
  const alpha = new Uint8Array(rgba.length / 4);
  for (let at = 0; at < alpha.length; at += 1) alpha[at] = rgba[at * 4 + 3]!;
  return alpha;
}

/** Makes every pixel that is not wholly clear opaque, in its own colour. */
export function solidify(rgba: Uint8ClampedArray): void {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 0) rgba[at] = 255;
}

const MAX_RUN = 255;
/** As many arguments as one call surely takes. */
const CHUNK_BYTES = 8_192;

/** Pairs of bytes (count 1 to 255, opacity), base64. */
export function encodeRuns(alpha: Uint8Array): string {
  const bytes: number[] = [];
  for (let at = 0; at < alpha.length; ) {
    let end = at + 1;
    while (end < alpha.length && end - at < MAX_RUN && alpha[end] === alpha[at]) end += 1;
    bytes.push(end - at, alpha[at]!);
    at = end;
  }
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    text += String.fromCharCode(...bytes.slice(at, at + CHUNK_BYTES));
  return btoa(text);
}

/** Two steps of FNV-1a with different beginnings: 64 bits, so that outlines which differ do not meet. */
const SEEDS = [0x811c9dc5, 0x9747b28c] as const;

/** The name of an outline: equal ones share it. */
export function nameMask(alpha: Uint8Array, width: number, height: number): string {
  const hashes = SEEDS.map((seed) => {
    let hash: number = seed;
    for (const value of alpha) hash = Math.imul(hash ^ value, 0x01000193);
    return (hash >>> 0).toString(36);
  });
  return `${width}x${height}-${hashes.join('')}`;
}
