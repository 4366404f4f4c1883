/** Says what of a manifest's clips does not fit its images, its sounds and each other. */
import { type CharacterManifest, type Clip, type Frame, IDLE_CLIP, type PackImage } from '../protocol/character.ts';
import { PACK_LIMITS } from './limits.ts';
import type { Reason } from './shape.ts';

/** A rectangle lies in its image, and what was trimmed around it is told in numbers that agree. */
function checkRectangle(
  { frame, rotated, spriteSourceSize: at, sourceSize }: Frame,
  image: PackImage,
  path: string,
): readonly Reason[] {
  if (frame === undefined) return [];
  const reasons: Reason[] = [];
  const [w, h] = rotated === true ? [frame.h, frame.w] : [frame.w, frame.h];
  if (frame.x + w > image.w || frame.y + h > image.h)
    reasons.push(
      `${path}/frame: ${w} x ${h} pixels from ${frame.x}, ${frame.y} reach beyond the image of ${image.w} x ${image.h}`,
    );
  if (at === undefined || sourceSize === undefined) return reasons;
  if (at.w !== frame.w || at.h !== frame.h)
    reasons.push(`${path}/spriteSourceSize: is ${at.w} x ${at.h}, the frame is ${frame.w} x ${frame.h}`);
  if (at.x + at.w > sourceSize.w || at.y + at.h > sourceSize.h)
    reasons.push(`${path}/spriteSourceSize: reaches beyond the sourceSize`);
  return reasons;
}

function checkFrame({ images, canvas }: CharacterManifest, frame: Frame, path: string): readonly Reason[] {
  const image = images.find(({ id }) => id === frame.image);
  if (image === undefined) return [`${path}/image: there is no such image`];
  if (frame.cell !== undefined) {
    if (image.grid === undefined) return [`${path}/cell: the image has no grid`];
    const cells = image.grid.columns * image.grid.rows;
    return frame.cell < cells ? [] : [`${path}/cell: is ${frame.cell}, the image has ${cells}, counted from 0`];
  }
  const reasons = checkRectangle(frame, image, path);
  const untrimmed = frame.sourceSize ?? frame.frame;
  const [maxW, maxH] = [canvas.w * canvas.scale, canvas.h * canvas.scale];
  if (untrimmed === undefined || (untrimmed.w <= maxW && untrimmed.h <= maxH)) return reasons;
  return [...reasons, `${path}: is ${untrimmed.w} x ${untrimmed.h} pixels, the canvas holds ${maxW} x ${maxH}`];
}

/** True when following `fallback` from this clip comes round to it without ever meeting a clip that loops for ever. */
function goesRound(clips: CharacterManifest['clips'], start: string): boolean {
  const seen = new Set<string>();
  let at: string | undefined = start;
  while (at !== undefined && Object.hasOwn(clips, at) && clips[at]?.loop !== true) {
    if (seen.has(at)) return true;
    seen.add(at);
    at = clips[at]?.fallback;
  }
  return false;
}

function checkClip(whole: CharacterManifest, clipName: string, clip: Clip): readonly Reason[] {
  const { frames, stillFrame, loopStart, fallback, sound } = clip;
  const path = `/clips/${clipName}`;
  const reasons = frames.flatMap((frame, index) => checkFrame(whole, frame, `${path}/frames/${index}`));
  const past = (index: number): string => `is ${index}, the clip has ${frames.length} frames, counted from 0`;
  if (stillFrame >= frames.length) reasons.push(`${path}/stillFrame: ${past(stillFrame)}`);
  if (loopStart !== undefined && loopStart >= frames.length) reasons.push(`${path}/loopStart: ${past(loopStart)}`);
  if (fallback !== undefined && !Object.hasOwn(whole.clips, fallback))
    reasons.push(`${path}/fallback: there is no such clip`);
  if (goesRound(whole.clips, clipName)) reasons.push(`${path}/fallback: goes round in a circle`);
  if (sound !== undefined && !whole.sounds?.some(({ id }) => id === sound))
    reasons.push(`${path}/sound: there is no such sound`);
  return reasons;
}

/** `whole` has the shape of a manifest. Every frame, sound and clip that a clip names is there, and playing always ends in a clip that loops. */
export function checkClips(whole: CharacterManifest): readonly Reason[] {
  const clips = Object.entries(whole.clips);
  const idle = Object.hasOwn(whole.clips, IDLE_CLIP) ? whole.clips[IDLE_CLIP] : undefined;
  const frames = clips.reduce((sum, [, each]) => sum + each.frames.length, 0);
  return [
    ...(idle?.loop === true ? [] : [`/clips/${IDLE_CLIP}: must be there and loop for ever`]),
    ...(frames > PACK_LIMITS.maxFrames
      ? [`/clips: have ${frames} frames, at most ${PACK_LIMITS.maxFrames} are allowed`]
      : []),
    ...clips.flatMap(([clipName, each]) => checkClip(whole, clipName, each)),
  ];
}
