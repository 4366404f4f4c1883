/** What panels leave of each monitor (EWMH). Pure. A panel takes room only from the monitor it is on. */
import type { Box } from '../../protocol/window.ts';
import { areaOf, bottom, contains, overlap, right, type Size } from './geometry.ts';

/** Room a panel keeps for itself along one side of the root window. */
export interface Strut {
  readonly side: 'left' | 'right' | 'top' | 'bottom';
  /** How far it reaches from that side of the root. */
  readonly depth: number;
  /** Where it begins and ends along that side; `to` is not in it any more. */
  readonly from: number;
  readonly to: number;
}

const SIDES = ['left', 'right', 'top', 'bottom'] as const;
/** A strut that would take more than this share of a monitor is meant for one further in, or is nonsense. */
const MAX_SHARE = 0.5;

/**
 * The struts of one client from `_NET_WM_STRUT_PARTIAL` (12 numbers) or, where that is missing, `_NET_WM_STRUT` (4), which does
 * not say where along the side the panel is: the panel's own `box` does.
 */
export function strutsOf(partial: readonly number[], plain: readonly number[], box: Box | null): readonly Strut[] {
  const isPartial = partial.length >= 12;
  const depths = isPartial ? partial : plain;
  const along = (index: number): Pick<Strut, 'from' | 'to'> => {
    if (isPartial) return { from: partial[4 + 2 * index]!, to: partial[5 + 2 * index]! + 1 };
    if (box === null) return { from: 0, to: Number.MAX_SAFE_INTEGER };
    return index < 2 ? { from: box.y, to: bottom(box) } : { from: box.x, to: right(box) };
  };
  return SIDES.map((side, index) => ({ side, depth: depths[index] ?? 0, ...along(index) })).filter(
    ({ depth, from, to }) => depth > 0 && to > from,
  );
}

/** The room a strut keeps, as a box of the root. */
function boxOf({ side, depth, from, to }: Strut, root: Size): Box {
  const length = to - from;
  if (side === 'left') return { x: 0, y: from, width: depth, height: length };
  if (side === 'right') return { x: root.width - depth, y: from, width: depth, height: length };
  if (side === 'top') return { x: from, y: 0, width: length, height: depth };
  return { x: from, y: root.height - depth, width: length, height: depth };
}

function cut(area: Box, monitor: Box, strut: Strut, root: Size): Box {
  const taken = overlap(boxOf(strut, root), monitor);
  if (taken === null) return area;
  const isAcross = strut.side === 'left' || strut.side === 'right';
  const share = isAcross ? taken.width / monitor.width : taken.height / monitor.height;
  if (share > MAX_SHARE) return area;
  const left = strut.side === 'left' ? Math.max(area.x, right(taken)) : area.x;
  const top = strut.side === 'top' ? Math.max(area.y, bottom(taken)) : area.y;
  const end = strut.side === 'right' ? Math.min(right(area), taken.x) : right(area);
  const floor = strut.side === 'bottom' ? Math.min(bottom(area), taken.y) : bottom(area);
  return { x: left, y: top, width: end - left, height: floor - top };
}

export interface Reserved {
  readonly struts: readonly Strut[];
  /** `_NET_WORKAREA` of the present desktop, one box for the whole root; null when the window manager tells none. */
  readonly whole: Box | null;
  /** Work areas that the window manager tells monitor by monitor, in no known order; empty when it does not. */
  readonly each: readonly Box[];
}

/**
 * The work area of the monitor `box`. What the window manager tells for this monitor goes first, then the struts; its one box
 * for everything counts only where it can be meant for this monitor: it has the root to itself, or nobody told a strut.
 */
export function workAreaOf(box: Box, root: Size, isOnly: boolean, { struts, whole, each }: Reserved): Box {
  const told = each.find((area) => contains(box, area) && areaOf(area) >= areaOf(box) * (1 - MAX_SHARE));
  if (told !== undefined) return told;
  const left = struts.reduce((area, strut) => cut(area, box, strut, root), box);
  if (whole === null || !(isOnly || struts.length === 0)) return left;
  const common = overlap(left, whole);
  return common !== null && areaOf(common) >= areaOf(box) * (1 - MAX_SHARE) ? common : left;
}

/** The boxes in a property that lists them as x, y, width, height, one after another. */
export const boxesOf = (numbers: readonly number[]): readonly Box[] =>
  Array.from({ length: Math.floor(numbers.length / 4) }, (_, index) => {
    const [x = 0, y = 0, width = 0, height = 0] = numbers.slice(4 * index, 4 * index + 4);
    // Properties hold numbers without sign; a place left of or above the root is meant by the largest ones.
    return { x: x | 0, y: y | 0, width, height };
  });
