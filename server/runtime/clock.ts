/** The host's clocks. Deadlines count time asleep: what `/proc/uptime` has gained over the process clock is added (R8). */
import { readFileSync } from 'node:fs';
import type { Now } from '../protocol/clock.ts';

export interface HostClock {
  now(): Now;
  /** Looks how long the machine has slept; called at timers and, now and then, before a batch. */
  noticeSleep(): void;
}

/** `/proc/uptime` has steps of 10 ms and both readings take time: less than this is no sleep. */
const MIN_SLEEP_MS = 500;

const processMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

function uptimeMs(): number | null {
  try {
    return Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 1_000;
  } catch {
    return null;
  }
}

/** A clock over the given readings, all in ms; `readUptimeMs` is null where the system does not tell. */
export function createClock(readProcessMs = processMs, readUptimeMs = uptimeMs, readWallMs = Date.now): HostClock {
  const offset = (): number | null => {
    const uptime = readUptimeMs();
    return uptime === null ? null : uptime - readProcessMs();
  };
  const base = offset();
  let sleptMs = 0;
  return {
    now: () => ({ wallMs: readWallMs(), monoMs: readProcessMs() + sleptMs }),
    noticeSleep: () => {
      const present = offset();
      if (base === null || present === null) return;
      const slept = present - base;
      if (slept - sleptMs > MIN_SLEEP_MS) sleptMs = slept;
    },
  };
}
