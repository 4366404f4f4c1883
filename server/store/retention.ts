/** The retention clock: milliseconds that content has really been kept, whatever the wall clock does (R8). */
import { readFileSync } from 'node:fs';
import type { Now } from '../protocol/clock.ts';
import type { MetaTable } from './small-tables.ts';

const MARK = 'retentionMark';
/** A wall clock this far from where the monotonic clock expects it has jumped (R8). */
const WALL_JUMP_MS = 3_600_000;

/** A boot of the machine and how long it has lasted. `bootId` is null where the system does not tell. */
export interface Boot {
  readonly bootId: string | null;
  readonly uptimeMs: number;
}

/** What the retention clock showed at a moment, told by every other clock. Instants and durations in ms. */
export interface RetentionMark extends Boot {
  readonly clockMs: number;
  readonly wallMs: number;
}

/**
 * What the retention clock shows now, some time after `mark`, perhaps in another process. In the same boot the uptime decides, which no one
 * can set; over a reboot only the wall clock is left, and one set back counts as no time.
 */
export function retentionClock(mark: RetentionMark, now: Boot & { readonly wallMs: number }): number {
  const isSameBoot = mark.bootId !== null && mark.bootId === now.bootId;
  const elapsedMs = isSameBoot ? now.uptimeMs - mark.uptimeMs : now.wallMs - mark.wallMs;
  return mark.clockMs + Math.max(0, Math.round(elapsedMs));
}

/** The running boot, from the Linux kernel; uptime counts time asleep. */
export function currentBoot(): Boot {
  try {
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const uptimeMs = Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 1000;
    return { bootId, uptimeMs };
  } catch {
    return { bootId: null, uptimeMs: 0 };
  }
}

export interface RetentionKeeper {
  /** The retention clock at `monoMs`; inside one process it follows the monotonic clock and nothing else. */
  clockAt(monoMs: number): number;
  /** Stores a mark for the next start; expects the caller's transaction. */
  writeMark(at: Now): void;
  /** Reports whether the wall clock has jumped since the last mark, so that a mark should be written before a reboot trusts that clock. */
  hasWallJumped(at: Now): boolean;
}

/** Goes on from the stored mark. `fallbackMs` is where the clock starts without a sound one. */
export function createRetentionKeeper(
  meta: MetaTable,
  boot: () => Boot,
  opened: Now,
  fallbackMs: number,
): RetentionKeeper {
  const stored = meta.read(MARK).value as RetentionMark | null;
  const openedClockMs = stored === null ? fallbackMs : retentionClock(stored, { ...boot(), wallMs: opened.wallMs });
  let marked = opened;
  const clockAt = (monoMs: number): number => openedClockMs + Math.max(0, Math.round(monoMs - opened.monoMs));
  return {
    clockAt,
    writeMark(at) {
      const mark: RetentionMark = { ...boot(), wallMs: at.wallMs, clockMs: clockAt(at.monoMs) };
      meta.write(MARK, mark);
      marked = at;
    },
    hasWallJumped: ({ wallMs, monoMs }) => Math.abs(wallMs - marked.wallMs - (monoMs - marked.monoMs)) > WALL_JUMP_MS,
  };
}
