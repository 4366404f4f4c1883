/** Boxes and points on the root window, in device pixels, and what a monitor is. */
import type { Box } from '../../protocol/window.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Monitor {
  /** Name of its output, as `xrandr` tells it. */
  readonly name: string;
  readonly box: Box;
  /** What panels and docks leave of `box`. */
  readonly workArea: Box;
}

export const right = (box: Box): number => box.x + box.width;
export const bottom = (box: Box): number => box.y + box.height;
export const clampTo = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** What both boxes share; null when nothing. */
export function overlap(one: Box, other: Box): Box | null {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const width = Math.min(right(one), right(other)) - x;
  const height = Math.min(bottom(one), bottom(other)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

export const areaOf = (box: Box | null): number => (box === null ? 0 : box.width * box.height);

export const sameBox = (one: Box, other: Box): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;

export const contains = (outer: Box, inner: Box): boolean =>
  inner.x >= outer.x && inner.y >= outer.y && right(inner) <= right(outer) && bottom(inner) <= bottom(outer);

/** Square of the distance from `point` to the nearest pixel of `box`; 0 inside. */
export function distanceTo(box: Box, point: Point): number {
  const dx = point.x - clampTo(point.x, box.x, right(box));
  const dy = point.y - clampTo(point.y, box.y, bottom(box));
  return dx * dx + dy * dy;
}

/** The box with the greatest share of `box`, else the nearest to its middle; null when there are none. */
export function mostlyOn<T extends { readonly box: Box }>(all: readonly T[], box: Box): T | null {
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const better = (best: T | null, next: T): T => {
    if (best === null) return next;
    const gain = areaOf(overlap(next.box, box)) - areaOf(overlap(best.box, box));
    if (gain !== 0) return gain > 0 ? next : best;
    return distanceTo(next.box, middle) < distanceTo(best.box, middle) ? next : best;
  };
  return all.reduce<T | null>(better, null);
}
