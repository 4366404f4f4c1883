/**
 * Where the figure stands (design §3). Pure: the user's own place is kept as it was chosen; what is clamped to the monitors of the
 * moment is worked out anew each time and never written over it.
 */
import type { Box } from '../../protocol/window.ts';
import { bottom, clampTo, type Monitor, mostlyOn, type Point, right, type Size } from './geometry.ts';

/** The middle of the lower edge of the figure's box, device pixels of the root window. */
export type Anchor = Point;

export interface Wanted {
  readonly anchor: Anchor;
  /** Where that is in the monitor's work area: 0 is as far left or up as the figure goes, 1 as far right or down. */
  readonly share: Point;
}

/** A place as the user chose it in one layout of monitors. */
export interface OwnPlace extends Wanted {
  /** See `layoutKey`. */
  readonly layout: string;
  /** Name of the monitor it is on. */
  readonly monitor: string;
}

export interface Placement {
  /** The layout all this was worked out for. */
  readonly layout: string;
  /** Where the figure shall stand in it if there is room; in a layout nobody chose a place in, taken over from `origin`. */
  readonly wanted: Wanted;
  /** The place the user last chose or came back to; the default place while there is none. */
  readonly origin: OwnPlace;
  /** Places by the user's own hand, one a layout, the newest last. */
  readonly remembered: readonly OwnPlace[];
}

/** Where the figure stands now, whole inside the work area of that monitor. */
export interface Standing {
  readonly anchor: Anchor;
  readonly monitor: Monitor;
}

/** Layouts beyond this many are forgotten, the oldest first. */
export const MAX_LAYOUTS = 32;
/** Distance of the default place from the sides of the work area. */
const MARGIN_PX = 24;

/** Names and boxes of all monitors, in an order that does not depend on how the server lists them. */
export const layoutKey = (monitors: readonly Monitor[]): string =>
  monitors
    .map(({ name, box }) => `${name}=${box.width}x${box.height}${signed(box.x)}${signed(box.y)}`)
    .sort()
    .join(' ');

const signed = (value: number): string => (value < 0 ? `${value}` : `+${value}`);

/** The figure's box at `anchor`. */
export const figureAt = ({ x, y }: Anchor, { width, height }: Size): Box => ({
  x: Math.round(x - width / 2),
  y: Math.round(y - height),
  width,
  height,
});

/** The anchor of a figure that stands whole inside `area`, as near to `anchor` as can be. One too large for it stands on its floor, in its middle. */
export function clampInto(anchor: Anchor, figure: Size, area: Box): Anchor {
  const { from, to } = range(figure, area);
  return {
    x: from.x > to.x ? Math.round((from.x + to.x) / 2) : Math.round(clampTo(anchor.x, from.x, to.x)),
    y: from.y > to.y ? to.y : Math.round(clampTo(anchor.y, from.y, to.y)),
  };
}

/** The anchors at which the figure is whole inside `area`. */
const range = ({ width, height }: Size, area: Box): { readonly from: Point; readonly to: Point } => ({
  from: { x: area.x + Math.ceil(width / 2), y: area.y + height },
  to: { x: right(area) - Math.ceil(width / 2), y: bottom(area) },
});

function shareOf(anchor: Anchor, figure: Size, area: Box): Point {
  const { from, to } = range(figure, area);
  const part = (value: number, least: number, most: number): number =>
    most > least ? clampTo((value - least) / (most - least), 0, 1) : 1;
  return { x: part(anchor.x, from.x, to.x), y: part(anchor.y, from.y, to.y) };
}

function atShare(share: Point, figure: Size, area: Box): Anchor {
  const { from, to } = range(figure, area);
  const at = { x: from.x + share.x * (to.x - from.x), y: from.y + share.y * (to.y - from.y) };
  return clampInto(at, figure, area);
}

function ownPlace(layout: string, monitor: Monitor, anchor: Anchor, figure: Size): OwnPlace {
  return { layout, monitor: monitor.name, anchor, share: shareOf(anchor, figure, monitor.workArea) };
}

function defaultPlace(monitors: readonly Monitor[], figure: Size): OwnPlace {
  const monitor = monitors[0]!;
  const corner = { x: right(monitor.workArea) - MARGIN_PX - Math.ceil(figure.width / 2), y: bottom(monitor.workArea) };
  return ownPlace(layoutKey(monitors), monitor, clampInto(corner, figure, monitor.workArea), figure);
}

/** The place to begin with. `monitors`, here and below: at least one, the primary first. */
export function openPlacement(remembered: readonly OwnPlace[], monitors: readonly Monitor[], figure: Size): Placement {
  const newest = remembered.at(-1);
  const origin = newest ?? defaultPlace(monitors, figure);
  return carryOver({ layout: '', wanted: origin, origin, remembered }, monitors, figure);
}

/**
 * The same placement among other monitors: the place remembered for this layout, else the same share of the monitor with the
 * same name, else as near as can be. What the user chose elsewhere stays as it is.
 */
export function carryOver(placement: Placement, monitors: readonly Monitor[], figure: Size): Placement {
  const layout = layoutKey(monitors);
  if (layout === placement.layout) return placement;
  const known = placement.remembered.find((place) => place.layout === layout);
  if (known !== undefined) {
    const others = placement.remembered.filter((place) => place !== known);
    return { layout, wanted: known, origin: known, remembered: [...others, known] };
  }
  return { ...placement, layout, wanted: takenOver(placement.origin, monitors, figure) };
}

function takenOver({ monitor, anchor, share }: OwnPlace, monitors: readonly Monitor[], figure: Size): Wanted {
  const same = monitors.find(({ name }) => name === monitor);
  if (same !== undefined) return { anchor: atShare(share, figure, same.workArea), share };
  const near = mostlyOn(monitors, figureAt(anchor, figure))!;
  return { anchor, share: shareOf(anchor, figure, near.workArea) };
}

/** Where the figure stands with this size among these monitors; to be worked out again when any of them changes. */
export function standing({ wanted }: Placement, monitors: readonly Monitor[], figure: Size): Standing {
  const { anchor, share } = wanted;
  const monitor = mostlyOn(monitors, figureAt(anchor, figure))!;
  const side = atShare(share, figure, monitor.workArea);
  // What stood at a side of the work area stays at that side, wherever a panel or another size moves it.
  const isAtSide = (part: number): boolean => part === 0 || part === 1;
  const at = { x: isAtSide(share.x) ? side.x : anchor.x, y: isAtSide(share.y) ? side.y : anchor.y };
  return { anchor: clampInto(at, figure, monitor.workArea), monitor };
}

/** The user's hand put the figure there. */
export function putAt(placement: Placement, anchor: Anchor, monitors: readonly Monitor[], figure: Size): Placement {
  const layout = layoutKey(monitors);
  const monitor = mostlyOn(monitors, figureAt(anchor, figure))!;
  const own = ownPlace(layout, monitor, anchor, figure);
  const others = placement.remembered.filter((place) => place.layout !== layout);
  return { layout, wanted: own, origin: own, remembered: [...others, own].slice(-MAX_LAYOUTS) };
}

/** The user wants the figure on the monitor of that name, at the same share of it. Without such a monitor nothing changes. */
export function moveTo(placement: Placement, name: string, monitors: readonly Monitor[], figure: Size): Placement {
  const target = monitors.find((monitor) => monitor.name === name);
  if (target === undefined) return placement;
  const { anchor, monitor } = standing(placement, monitors, figure);
  const share = shareOf(anchor, figure, monitor.workArea);
  return putAt(placement, atShare(share, figure, target.workArea), monitors, figure);
}

/** Back to the default place, which is remembered like any other the user chose. */
export function resetPlace(placement: Placement, monitors: readonly Monitor[], figure: Size): Placement {
  return putAt(placement, defaultPlace(monitors, figure).anchor, monitors, figure);
}
