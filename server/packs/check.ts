/** Says what is wrong with a character manifest, in words its author can act on; [] means it can be played. */
import type { Box, CharacterManifest, PackImage } from '../protocol/character.ts';
import { checkClips } from './check-clips.ts';
import { checkJson } from './check-json.ts';
import { PACK_LIMITS } from './limits.ts';
import { manifestShape } from './manifest-shape.ts';
import type { Reason } from './shape.ts';

const { maxImagePixels, maxPackPixels } = PACK_LIMITS;

const checkBox = (box: Box | undefined, { canvas }: CharacterManifest, path: string): readonly Reason[] =>
  box !== undefined && (box.x + box.w > canvas.w || box.y + box.h > canvas.h)
    ? [`${path}: reaches beyond the canvas`]
    : [];

/** Pixels from a grid's edge to the far side of its last cell. */
const reach = (count: number, cell: number, margin: number, spacing: number): number =>
  margin + count * cell + (count - 1) * spacing;

function checkImage({ w, h, grid }: PackImage, { canvas }: CharacterManifest, path: string): readonly Reason[] {
  const reasons: Reason[] = [];
  if (w * h > maxImagePixels) reasons.push(`${path}: has ${w * h} pixels, at most ${maxImagePixels} are allowed`);
  if (grid === undefined) return reasons;
  const { columns, rows, cellW, cellH, margin = 0, spacing = 0 } = grid;
  if (reach(columns, cellW, margin, spacing) > w || reach(rows, cellH, margin, spacing) > h)
    reasons.push(`${path}/grid: ${columns} x ${rows} cells do not fit into ${w} x ${h} pixels`);
  if (cellW !== canvas.w * canvas.scale || cellH !== canvas.h * canvas.scale)
    reasons.push(`${path}/grid: a cell must be the canvas times its scale`);
  return reasons;
}

/** No two parts have one id, and no two files names that some file systems take for one. */
function checkNames(parts: readonly { readonly id: string; readonly file: string }[], path: string): readonly Reason[] {
  const reasons: Reason[] = [];
  if (new Set(parts.map(({ id }) => id)).size !== parts.length) reasons.push(`${path}: two have the same id`);
  const files = [...new Set(parts.map(({ file }) => file))];
  if (new Set(files.map((file) => file.toLowerCase())).size !== files.length)
    reasons.push(`${path}: two file names differ only in case`);
  return reasons;
}

function checkFiles(whole: CharacterManifest): readonly Reason[] {
  const pixels = whole.images.reduce((sum, { w, h }) => sum + w * h, 0);
  return [
    ...checkBox(whole.contentBox, whole, '/contentBox'),
    ...checkBox(whole.hitArea, whole, '/hitArea'),
    ...checkNames(whole.images, '/images'),
    ...checkNames(whole.sounds ?? [], '/sounds'),
    ...whole.images.flatMap((image, index) => checkImage(image, whole, `/images/${index}`)),
    ...(pixels > maxPackPixels ? [`/images: have ${pixels} pixels, at most ${maxPackPixels} are allowed`] : []),
  ];
}

function checkMappings({ clips, capabilities, styles }: CharacterManifest): readonly Reason[] {
  const noClip = (clip: string, path: string): readonly Reason[] =>
    Object.hasOwn(clips, clip) ? [] : [`${path}: there is no such clip`];
  return Object.entries(capabilities).flatMap(([id, mapping]) => [
    ...noClip(mapping.clip, `/capabilities/${id}/clip`),
    ...Object.entries(mapping.styles ?? {}).flatMap(([style, clip]) => [
      ...noClip(clip, `/capabilities/${id}/styles/${style}`),
      ...(styles?.includes(style) === false
        ? [`/capabilities/${id}/styles/${style}: is not among the styles of this character`]
        : []),
    ]),
  ]);
}

function checkCapabilities(whole: CharacterManifest): readonly Reason[] {
  const { capabilities, declares = {}, substitutes } = whole;
  return [
    ...checkMappings(whole),
    ...Object.keys(capabilities)
      .filter((id) => id.startsWith('vendor.') && !Object.hasOwn(declares, id))
      .map((id) => `/capabilities/${id}: must be under declares too`),
    ...Object.keys(declares)
      .filter((id) => !Object.hasOwn(capabilities, id))
      .map((id) => `/declares/${id}: must be under capabilities too`),
    ...Object.entries(substitutes)
      .filter(([, { capability }]) => !Object.hasOwn(capabilities, capability))
      .map(([id]) => `/substitutes/${id}/capability: the character has no clip for it either`),
  ];
}

function checkRequires({ id, requires = [] }: CharacterManifest): readonly Reason[] {
  const ids = requires.map((each) => each.split('@')[0]);
  return [
    ...(ids.includes(id) ? ['/requires: a pack cannot need itself'] : []),
    ...(new Set(ids).size === ids.length ? [] : ['/requires: names one pack twice']),
  ];
}

/**
 * Every reason why `value` is no playable manifest, shape first: references are only looked at in a well-shaped one.
 * Pure; looks at no file. [] means `value` is a CharacterManifest.
 */
export function checkManifest(value: unknown): readonly Reason[] {
  const dangers = checkJson(value);
  if (dangers.length > 0) return dangers;
  const reasons = manifestShape(value, '');
  if (reasons.length > 0) return reasons;
  const whole = value as CharacterManifest;
  return [...checkFiles(whole), ...checkClips(whole), ...checkCapabilities(whole), ...checkRequires(whole)];
}
