/** Where the pixels of a frame lie in its image, and where they belong on the character's canvas: pure arithmetic in image px. */
import type { Box, CharacterManifest, Frame } from '../server/protocol/character.ts';

export interface Pose {
  /** Rectangle of the image; what is turned stands in it as it lies there, with its sides exchanged. */
  readonly from: Box;
  /** The image holds it turned by 90 degrees clockwise. */
  readonly rotated: boolean;
  readonly mirror: boolean;
  /** Rectangle of the canvas it fills, upright. Whole px; may reach beyond the canvas. */
  readonly to: Box;
}

type Figure = Pick<CharacterManifest, 'images' | 'canvas' | 'anchor'>;

/** The canvas in image px. */
export const canvasSize = ({ canvas: { w, h, scale } }: Figure): { width: number; height: number } => ({
  width: w * scale,
  height: h * scale,
});

/** The frame's rectangle as it stands upright: of a cell its place in the grid. */
function uprightBox({ images }: Figure, { image, cell = 0, frame }: Frame): Box {
  if (frame !== undefined) return frame;
  const { columns, cellW, cellH, margin = 0, spacing = 0 } = images.find(({ id }) => id === image)!.grid!;
  const x = margin + (cell % columns) * (cellW + spacing);
  const y = margin + Math.floor(cell / columns) * (cellH + spacing);
  return { x, y, w: cellW, h: cellH };
}

/**
 * How `frame` is drawn: its anchor comes to stand on the manifest's, what was trimmed away is left empty, and a mirrored one is turned
 * round about the line through that anchor. `figure` must have been checked.
 */
export function poseOf(figure: Figure, frame: Frame): Pose {
  const { x, y, w, h } = uprightBox(figure, frame);
  const { rotated = false, mirror = false, sourceSize = { w, h }, spriteSourceSize = { x: 0, y: 0 } } = frame;
  const { width, height } = canvasSize(figure);
  const anchor = frame.anchor ?? figure.anchor;
  const standsAt = { x: figure.anchor.x * width, y: figure.anchor.y * height };
  const left = standsAt.x - anchor.x * sourceSize.w + spriteSourceSize.x;
  const top = standsAt.y - anchor.y * sourceSize.h + spriteSourceSize.y;
  return {
    from: rotated ? { x, y, w: h, h: w } : { x, y, w, h },
    rotated,
    mirror,
    to: { x: Math.round(mirror ? 2 * standsAt.x - left - w : left), y: Math.round(top), w, h },
  };
}

const keys = new WeakMap<Frame, string>();

/** Names what a frame looks like: two that look alike share it, however long each shows. */
export function keyOf(frame: Frame): string {
  const known = keys.get(frame);
  if (known !== undefined) return known;
  const { image, cell, frame: box, rotated, spriteSourceSize, sourceSize, anchor, mirror } = frame;
  const rest = [box, rotated, spriteSourceSize, sourceSize, anchor, mirror];
  const isPlain = rest.every((part) => part === undefined);
  const key = isPlain ? `${image} ${cell}` : `${image} ${cell} ${JSON.stringify(rest)}`;
  keys.set(frame, key);
  return key;
}
