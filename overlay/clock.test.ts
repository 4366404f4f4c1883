/** The test clock stands in for the real one, so it must keep order and promises. */
import { expect, test } from 'vitest';
import { createTestClock, realClock } from './clock.ts';

test('the test clock runs what falls due in the order of its time, at its time', () => {
  const clock = createTestClock();
  const seen: [string, number][] = [];
  clock.after(20, () => seen.push(['late', clock.now()]));
  clock.after(10, () => {
    seen.push(['early', clock.now()]);
    clock.after(5, () => seen.push(['from within', clock.now()]));
  });
  clock.advance(9);
  expect(seen).toEqual([]);
  clock.advance(91);
  expect(seen).toEqual([
    ['early', 10],
    ['from within', 15],
    ['late', 20],
  ]);
  expect(clock.now()).toBe(100);
  expect(clock.waiting()).toBe(0);
});

test('what is called off never runs, and may be called off again', () => {
  const clock = createTestClock();
  const callOff = clock.after(10, () => expect.unreachable());
  callOff();
  callOff();
  clock.advance(10);
});

test('the real clock runs once, unless called off', async () => {
  const startedAt = realClock.now();
  realClock.after(0, () => expect.unreachable())();
  await new Promise<void>((resolve) => realClock.after(1, resolve));
  expect(realClock.now()).toBeGreaterThan(startedAt);
});
