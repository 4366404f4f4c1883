import { expect, it } from 'vitest';
import { createClock } from './clock.ts';

it('counts time asleep once it has been noticed, and nothing twice', () => {
  let processMs = 1_000;
  let uptimeMs = 500_000;
  const clock = createClock(
    () => processMs,
    () => uptimeMs,
    () => 0,
  );
  expect(clock.now().monoMs).toBe(1_000);
  processMs += 100;
  uptimeMs += 100 + 3_600_000;
  clock.noticeSleep();
  clock.noticeSleep();
  expect(clock.now().monoMs).toBe(1_100 + 3_600_000);
});

it('is not moved by the steps of the uptime, nor by a system that tells none', () => {
  let uptimeMs: number | null = 500_000;
  const clock = createClock(
    () => 0,
    () => uptimeMs,
    () => 0,
  );
  uptimeMs = 500_020;
  clock.noticeSleep();
  expect(clock.now().monoMs).toBe(0);
  uptimeMs = null;
  clock.noticeSleep();
  expect(clock.now().monoMs).toBe(0);
});
