/** Token buckets: how many calls a client may make in a while (R6). */

export interface Bucket {
  readonly tokens: number;
  readonly atMonoMs: number;
}

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Fractions of tokens do not add up exactly; a wait is not a millisecond longer for that. */
const ROUNDING = 1e-6;

/** Takes one token. `retryAfterMs` is 0 when there was one, else the time until the next. A clock that stands still refills nothing. */
export function takeToken(
  bucket: Bucket | undefined,
  { perSecond, burst }: Rate,
  nowMonoMs: number,
): { readonly bucket: Bucket; readonly retryAfterMs: number } {
  const elapsedMs = bucket === undefined ? 0 : Math.max(0, nowMonoMs - bucket.atMonoMs);
  const tokens = Math.min(burst, bucket === undefined ? burst : bucket.tokens + (elapsedMs * perSecond) / 1_000);
  if (tokens >= 1) return { bucket: { tokens: tokens - 1, atMonoMs: nowMonoMs }, retryAfterMs: 0 };
  return {
    bucket: { tokens, atMonoMs: nowMonoMs },
    retryAfterMs: Math.max(1, Math.ceil(((1 - tokens) * 1_000) / perSecond - ROUNDING)),
  };
}
