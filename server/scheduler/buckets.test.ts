import { expect, it } from 'vitest';
import { takeToken } from './buckets.ts';

const rate = { perSecond: 20, burst: 40 };

it('gives a new caller its whole burst, then one token each 50 ms', () => {
  let bucket = takeToken(undefined, rate, 0).bucket;
  for (let count = 1; count < 40; count += 1) bucket = takeToken(bucket, rate, 0).bucket;
  expect(takeToken(bucket, rate, 0).retryAfterMs).toBe(50);
  expect(takeToken(bucket, rate, 49).retryAfterMs).toBe(1);
  expect(takeToken(bucket, rate, 50).retryAfterMs).toBe(0);
});

it('never holds more than the burst, and a clock that goes back refills nothing', () => {
  const { bucket } = takeToken({ tokens: 39, atMonoMs: 0 }, rate, 1_000_000);
  expect(bucket.tokens).toBe(39);
  expect(takeToken({ tokens: 0, atMonoMs: 1_000 }, rate, 0).retryAfterMs).toBe(50);
});
