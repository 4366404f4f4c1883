/** From boxes of the page to the pieces of its shape: whole device pixels, cut off where the page cuts them off. */
import type { Box, Piece } from '../server/protocol/window.ts';

/** Edges in CSS px, as the browser measures them. */
export interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Radii of top left, top right, bottom right, bottom left. */
export type Radii = readonly [number, number, number, number];

/** The box in device pixels; each edge is rounded by itself, so that what touches goes on touching. */
export function toDevice({ left, top, right, bottom }: Edges, ratio: number): Box {
  const [x, y] = [Math.round(left * ratio), Math.round(top * ratio)];
  return { x, y, width: Math.round(right * ratio) - x, height: Math.round(bottom * ratio) - y };
}

/** What lies in all of `boxes`; null when that is nothing. */
export function common(...boxes: readonly Edges[]): Edges | null {
  const left = Math.max(...boxes.map((box) => box.left));
  const top = Math.max(...boxes.map((box) => box.top));
  const right = Math.min(...boxes.map((box) => box.right));
  const bottom = Math.min(...boxes.map((box) => box.bottom));
  return right > left && bottom > top ? { left, top, right, bottom } : null;
}

/** Reports whether `inner` is not cut off by `outer`; half a pixel is the rounding of a browser. */
export const isWithin = (inner: Edges, outer: Edges): boolean =>
  inner.left >= outer.left - 0.5 &&
  inner.top >= outer.top - 0.5 &&
  inner.right <= outer.right + 0.5 &&
  inner.bottom <= outer.bottom + 0.5;

/** Radii as a browser draws them: all smaller by one measure when two of them do not fit a side. */
function fitRadii(radii: Radii, width: number, height: number): Radii {
  const [a, b, c, d] = radii;
  const share = Math.min(1, width / (a + b), width / (c + d), height / (a + d), height / (b + c));
  return radii.map((radius) => Math.round(radius * share * 100) / 100) as unknown as Radii;
}

const hasRoomFor = ([a, b, c, d]: Radii, { width, height }: Box): boolean =>
  width >= Math.max(a + b, c + d) && height >= Math.max(a + d, b + c);

/**
 * The piece of a box with round corners (CSS px) of which only `clip` is to be seen; null when that is nothing, or so narrow a strip
 * that its corners would show what is behind the page's own.
 */
export function boxPiece(edges: Edges, radii: Radii, clip: Edges, ratio: number): Piece | null {
  const seen = common(edges, clip);
  if (seen === null) return null;
  const whole = toDevice(edges, ratio);
  const box = toDevice(seen, ratio);
  const fitted = fitRadii(radii.map((radius) => radius * ratio) as unknown as Radii, whole.width, whole.height);
  // A cut corner keeps its radius: less is shown than is there, never more.
  return box.width > 0 && box.height > 0 && hasRoomFor(fitted, box) ? { kind: 'box', ...box, radii: fitted } : null;
}
