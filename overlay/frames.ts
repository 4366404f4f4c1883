/** Which frame of a clip shows at which moment: pure arithmetic, no clock and no picture. */
import type { Clip, Frame } from '../server/protocol/character.ts';

const lengthOf = (frames: readonly Frame[]): number => frames.reduce((sum, { duration }) => sum + duration, 0);

/** Length of the clip from `rounds` rounds, in ms: the first is whole, the others begin where the clip says. Infinity is for ever. */
export function totalMs({ frames, loopStart = 0 }: Clip, rounds: number): number {
  return lengthOf(frames) + (rounds - 1) * lengthOf(frames.slice(loopStart));
}

/** How often the clip plays: `loops` if given, else as its manifest says; Infinity is for ever. */
export function countRounds(clip: Clip, loops: number | null): number {
  if (loops !== null) return loops;
  if (clip.loop === true) return Number.POSITIVE_INFINITY;
  return clip.loop === false ? 1 : clip.loop;
}

/** How many rounds the clip needs for `ms` milliseconds. */
export function roundsFor({ frames, loopStart = 0 }: Clip, ms: number): number {
  return 1 + Math.max(0, Math.ceil((ms - lengthOf(frames)) / lengthOf(frames.slice(loopStart))));
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
  const { frames, loopStart = 0 } = clip;
  const endMs = totalMs(clip, rounds);
  const last = frames.length - 1;
  if (elapsedMs >= endMs) return { frame: last, nextMs: null, ended: true };
  const firstMs = lengthOf(frames);
  const isFirst = elapsedMs < firstMs;
  const from = isFirst ? 0 : loopStart;
  const toEndMs = Number.isFinite(endMs) ? endMs - elapsedMs : null;
  // One frame again and again is one frame.
  if (from === last && loopStart === last) return { frame: last, nextMs: toEndMs, ended: false };
  const aroundMs = isFirst ? elapsedMs : (elapsedMs - firstMs) % lengthOf(frames.slice(loopStart));
  let leftMs = aroundMs;
  for (const [index, { duration }] of frames.slice(from).entries()) {
    if (leftMs < duration)
      return { frame: from + index, nextMs: nextChange(from + index, duration - leftMs), ended: false };
    leftMs -= duration;
  }
  // Rounding may lose what is less than a part of a millisecond.
  return { frame: last, nextMs: 1, ended: false };

  function nextChange(frame: number, restMs: number): number | null {
    // From the last frame on it may be that frame for good.
    return frame === last && loopStart === last ? toEndMs : restMs;
  }
}
