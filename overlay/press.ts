/** When a press or key on a card counts: not before the card has stood for a moment, and only for what it showed then (R4). */
import type { Card } from '../server/protocol/link.ts';

/** A card as it stands: what it says, and since when it has stood still where it is (null: not painted yet). Monotonic ms. */
export interface Standing {
  readonly fingerprint: string;
  readonly sinceMs: number | null;
  readonly x: number;
  readonly y: number;
}

/** What was under the finger when it went down. */
export interface Press {
  readonly key: string;
  readonly standing: Standing;
  readonly atMs: number;
}

/** What a card says, as far as an answer depends on it: a progress card may count on under the finger, a question may not change. */
export function fingerprint(card: Card): string {
  const { presentation } = card;
  if (presentation.view !== 'progress') return JSON.stringify(presentation);
  const { title, controls, paused } = presentation;
  return JSON.stringify([title, controls, paused]);
}

/** Reports whether input at `atMs` is late enough after the card was painted or moved. */
export const isArmed = (standing: Standing | undefined, atMs: number, armMs: number): boolean =>
  standing !== undefined && standing.sinceMs !== null && atMs - standing.sinceMs >= armMs;

/** Reports whether a press that is now released still means what it meant when it began. */
export function pressCounts(press: Press, now: Standing | undefined, armMs: number): boolean {
  if (now === undefined || !isArmed(press.standing, press.atMs, armMs)) return false;
  const { fingerprint: said, x, y } = press.standing;
  return said === now.fingerprint && Math.abs(x - now.x) < 1 && Math.abs(y - now.y) < 1;
}
