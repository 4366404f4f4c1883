import { expect, test } from 'vitest';
import { currentBoot, type RetentionMark, retentionClock } from './retention.ts';

const HOUR = 3_600_000;
const mark: RetentionMark = { clockMs: 1_000, wallMs: 10 * HOUR, uptimeMs: 5 * HOUR, bootId: 'a' };

test.each([
  ['time passes in the same boot', { bootId: 'a', uptimeMs: 6 * HOUR, wallMs: 11 * HOUR }, HOUR],
  ['the wall clock jumps a day ahead', { bootId: 'a', uptimeMs: 5 * HOUR + 1, wallMs: 34 * HOUR }, 1],
  ['the wall clock is set to 1970', { bootId: 'a', uptimeMs: 6 * HOUR, wallMs: 0 }, HOUR],
  ['the wall clock is set to 2100', { bootId: 'a', uptimeMs: 6 * HOUR, wallMs: 4_102_444_800_000 }, HOUR],
  ['nothing passes', { bootId: 'a', uptimeMs: 5 * HOUR, wallMs: 10 * HOUR }, 0],
  ['the machine was off for three hours', { bootId: 'b', uptimeMs: 60_000, wallMs: 13 * HOUR }, 3 * HOUR],
  ['the machine was off and its clock was set back', { bootId: 'b', uptimeMs: 60_000, wallMs: HOUR }, 0],
  ['the system does not tell its boot', { bootId: null, uptimeMs: 0, wallMs: 11 * HOUR }, HOUR],
  ['uptime goes back, which it never should', { bootId: 'a', uptimeMs: 0, wallMs: 11 * HOUR }, 0],
])('%s', (_, now, elapsed) => {
  expect(retentionClock(mark, now)).toBe(1_000 + elapsed);
});

test('a mark without a boot is never taken for the same boot', () => {
  const elapsed = retentionClock({ ...mark, bootId: null }, { bootId: null, uptimeMs: 99 * HOUR, wallMs: 11 * HOUR });
  expect(elapsed).toBe(1_000 + HOUR);
});

test.runIf(process.platform === 'linux')('Linux tells its boot and how long it lasts', () => {
  const { bootId, uptimeMs } = currentBoot();
  expect(bootId).toMatch(/^[0-9a-f-]{36}$/);
  expect(uptimeMs).toBeGreaterThan(0);
});
