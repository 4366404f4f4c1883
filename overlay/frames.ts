/** Which frame of a clip shows at which moment: pure arithmetic, no clock and no picture. */
import type { Clip } from '../server/protocol/character.ts';

/** Length of one round of the clip, in ms. */
export const roundMs = (clip: Clip): number => clip.frames.reduce((sum, { duration }) => sum + duration, 0);

/** How often the clip plays: `loops` if given, else as its manifest says; Infinity is for ever. */
export function countRounds(clip: Clip, loops: number | null): number {
  if (loops !== null) return loops;
  if (clip.loop === true) return Number.POSITIVE_INFINITY;
  return clip.loop === false ? 1 : clip.loop;
}

export interface Moment {
  /** Index into the clip's frames; after the end it stays at the last one. */
  readonly frame: number;
  /** From now until something changes (another frame, or the end), in ms; null when nothing ever will. */
  readonly nextMs: number | null;
  readonly ended: boolean;
}

/** What shows `elapsedMs` after the start of a clip that plays `rounds` rounds. */
export function momentAt(clip: Clip, rounds: number, elapsedMs: number): Moment {
  const round = roundMs(clip);
  const last = clip.frames.length - 1;
  if (elapsedMs >= round * rounds) return { frame: last, nextMs: null, ended: true };
  if (last === 0) {
    const leftMs = round * rounds - elapsedMs;
    return { frame: 0, nextMs: Number.isFinite(leftMs) ? leftMs : null, ended: false };
  }
  let leftMs = elapsedMs % round;
  let frame = 0;
  for (const { duration } of clip.frames) {
    if (leftMs < duration) return { frame, nextMs: duration - leftMs, ended: false };
    leftMs -= duration;
    frame += 1;
  }
  return { frame: last, nextMs: round - (elapsedMs % round), ended: false };
}
