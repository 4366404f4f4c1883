import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { coalesce } from './coalesce.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('works at once, and for any number of occasions in the pause once more', async () => {
  let runs = 0;
  const { ask } = coalesce(async () => {
    runs += 1;
  }, 50);
  ask();
  expect(runs).toBe(1);
  for (let count = 0; count < 9; count += 1) ask();
  await vi.advanceTimersByTimeAsync(49);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(2);
});

it('leaves no timer behind at rest', async () => {
  const { ask } = coalesce(async () => {}, 50);
  ask();
  await vi.advanceTimersByTimeAsync(50);
  expect(vi.getTimerCount()).toBe(0);
});

it('does not begin while the work before is still being done', async () => {
  let runs = 0;
  let finish = (): void => {};
  const { ask } = coalesce(() => {
    runs += 1;
    return new Promise((resolve) => {
      finish = resolve;
    });
  }, 50);
  ask();
  ask();
  await vi.advanceTimersByTimeAsync(500);
  expect(runs).toBe(1);
  finish();
  await vi.advanceTimersByTimeAsync(50);
  expect(runs).toBe(2);
});

it('goes on after work that failed, and not after stop', async () => {
  let runs = 0;
  const { ask, stop } = coalesce(async () => {
    runs += 1;
    throw new Error('the window has gone');
  }, 50);
  ask();
  await vi.advanceTimersByTimeAsync(50);
  ask();
  expect(runs).toBe(2);
  ask();
  stop();
  ask();
  await vi.advanceTimersByTimeAsync(500);
  expect(runs).toBe(2);
});
