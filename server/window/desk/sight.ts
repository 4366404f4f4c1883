/** What may be seen of the companion just now (R6). Pure. */
import type { FullScreenPolicy, Sight } from '../../protocol/window.ts';

const COVERED: Readonly<Record<FullScreenPolicy, Sight>> = { hide: 'none', stay: 'clear', 'notices-only': 'notices' };

export interface Circumstances {
  readonly policy: FullScreenPolicy;
  /** A full-screen program has the figure's monitor. */
  readonly isCovered: boolean;
  readonly isLocked: boolean;
  /** The machine sleeps or is about to, or the monitors are off. */
  readonly isAsleep: boolean;
}

export function sightOf({ policy, isCovered, isLocked, isAsleep }: Circumstances): Sight {
  if (isLocked || isAsleep) return 'none';
  return isCovered ? COVERED[policy] : 'clear';
}
