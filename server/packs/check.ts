/** Says what is wrong with a character manifest, in words its author can act on; [] means it can be played. */
import { type CharacterManifest, type Clip, IDLE_CLIP } from '../protocol/character.ts';
import {
  between,
  type Check,
  dictionary,
  either,
  line,
  list,
  matching,
  object,
  oneOf,
  type Reason,
  whole,
} from './shape.ts';

const MAX_SIDE_PX = 8_192;
const MAX_SHEET_PX = 32_000_000;
const MAX_FRAMES = 2_048;

const name = matching(/^[a-z][a-z0-9_-]{0,63}$/, 'names are lower case, at most 64 characters');
const dotted = matching(
  /^(?=.{1,128}$)[a-z][A-Za-z0-9-]*(\.[a-z][A-Za-z0-9-]*)+$/,
  'IDs are dotted names of at most 128 characters',
);
const localText = (max: number): Check => object({ default: line(max) }, { zh: line(max) });
const side = whole(1, MAX_SIDE_PX);

const frame = object({ image: name, cell: whole(0, 65_535), duration: whole(20, 60_000) });
const clip = object(
  {
    frames: list(frame, 1, 256),
    loop: either(oneOf(true, false), whole(1, 1_000)),
    stillFrame: whole(0, 255),
  },
  { fallback: name },
);
const image = object({
  id: name,
  file: matching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.png$/, 'must be the plain name of a .png file in the same folder'),
  w: side,
  h: side,
  grid: object({ columns: whole(1, 256), rows: whole(1, 256), cellW: side, cellH: side }),
});
const manifest = object({
  schema: oneOf('desktop-companion.character/1'),
  id: dotted,
  version: matching(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/, 'must be three numbers, such as 1.0.0'),
  displayName: localText(64),
  description: localText(280),
  authors: list(object({ name: line(128) }), 1, 32),
  license: line(64),
  canvas: object({ w: whole(16, 512), h: whole(16, 512), scale: whole(1, 4), scaling: oneOf('smooth', 'pixelated') }),
  anchor: object({ x: between(0, 1), y: between(0, 1) }),
  contentBox: object({ x: whole(0, 511), y: whole(0, 511), w: whole(1, 512), h: whole(1, 512) }),
  images: list(image, 1, 16),
  clips: dictionary(name, clip, 1, 256),
  capabilities: dictionary(dotted, object({ clip: name, basis: oneOf('declared', 'named', 'guessed') }), 0, 256),
  substitutes: dictionary(dotted, object({ capability: dotted, reason: line(280) }), 0, 256),
});

function checkSizes({ canvas, contentBox, images }: CharacterManifest): readonly Reason[] {
  const reasons: Reason[] = [];
  if (contentBox.x + contentBox.w > canvas.w || contentBox.y + contentBox.h > canvas.h)
    reasons.push('/contentBox: reaches beyond the canvas');
  for (const [index, { w, h, grid }] of images.entries()) {
    if (grid === undefined) continue;
    if (w * h > MAX_SHEET_PX)
      reasons.push(`/images/${index}: has ${w * h} pixels, at most ${MAX_SHEET_PX} are allowed`);
    if (grid.columns * grid.cellW > w || grid.rows * grid.cellH > h)
      reasons.push(`/images/${index}/grid: ${grid.columns} x ${grid.rows} cells do not fit into ${w} x ${h} pixels`);
    if (grid.cellW !== canvas.w * canvas.scale || grid.cellH !== canvas.h * canvas.scale)
      reasons.push(`/images/${index}/grid: a cell must be the canvas times its scale`);
  }
  if (new Set(images.map(({ id }) => id)).size !== images.length) reasons.push('/images: two have the same id');
  return reasons;
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

function checkClip(
  whole: CharacterManifest,
  clipName: string,
  { frames, stillFrame, fallback }: Clip,
): readonly Reason[] {
  const path = `/clips/${clipName}`;
  const reasons: Reason[] = [];
  for (const [index, { image: id, cell }] of frames.entries()) {
    const grid = whole.images.find((each) => each.id === id)?.grid;
    if (grid === undefined) reasons.push(`${path}/frames/${index}/image: there is no such image`);
    else if (cell !== undefined && cell >= grid.columns * grid.rows)
      reasons.push(`${path}/frames/${index}/cell: is ${cell}, the image has ${grid.columns * grid.rows}`);
  }
  if (stillFrame >= frames.length)
    reasons.push(`${path}/stillFrame: is ${stillFrame}, the clip has ${frames.length} frames`);
  if (fallback !== undefined && !Object.hasOwn(whole.clips, fallback))
    reasons.push(`${path}/fallback: there is no such clip`);
  if (goesRound(whole.clips, clipName)) reasons.push(`${path}/fallback: goes round in a circle`);
  return reasons;
}

function checkClips(whole: CharacterManifest): readonly Reason[] {
  const clips = Object.entries(whole.clips);
  const idle = Object.hasOwn(whole.clips, IDLE_CLIP) ? whole.clips[IDLE_CLIP] : undefined;
  const frames = clips.reduce((sum, [, each]) => sum + each.frames.length, 0);
  return [
    ...(idle?.loop === true ? [] : [`/clips/${IDLE_CLIP}: must be there and loop for ever`]),
    ...(frames > MAX_FRAMES ? [`/clips: have ${frames} frames, at most ${MAX_FRAMES} are allowed`] : []),
    ...clips.flatMap(([clipName, each]) => checkClip(whole, clipName, each)),
  ];
}

function checkCapabilities({ clips, capabilities, substitutes }: CharacterManifest): readonly Reason[] {
  return [
    ...Object.entries(capabilities)
      .filter(([, { clip: clipName }]) => !Object.hasOwn(clips, clipName))
      .map(([id]) => `/capabilities/${id}/clip: there is no such clip`),
    ...Object.entries(substitutes)
      .filter(([, { capability }]) => !Object.hasOwn(capabilities, capability))
      .map(([id]) => `/substitutes/${id}/capability: the character has no clip for it either`),
  ];
}

/**
 * Every reason why `value` is no playable manifest, shape first: references are only looked at in a well-shaped one.
 * Pure; looks at no file. [] means `value` is a CharacterManifest.
 */
export function checkManifest(value: unknown): readonly Reason[] {
  const reasons = manifest(value, '');
  if (reasons.length > 0) return reasons;
  const whole = value as CharacterManifest;
  return [...checkSizes(whole), ...checkClips(whole), ...checkCapabilities(whole)];
}
