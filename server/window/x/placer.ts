/** Where the figure and its page stand on the screen: the user's place, the room beside it, and a drag under way. No X in it. */
import type { Box, WindowToPage } from '../../protocol/window.ts';
import type { Monitor, Point, Size } from '../desk/geometry.ts';
import {
  carryOver,
  figureAt,
  moveTo,
  type OwnPlace,
  openPlacement,
  putAt,
  resetPlace,
  standing,
} from '../desk/place.ts';
import { type Room, roomFor } from '../desk/room.ts';
import type { Shape } from './painter.ts';

/** CSS px: the page's own edge, a tall card, the page's least and usual width, and its greatest height. */
const EDGE_PX = 12;
const TALL_CARD_PX = 420;
const USUAL_WIDTH_PX = 480;
const MAX_HEIGHT_PX = 1_100;
/** The figure before the page has told its size, CSS px. */
const FIRST_FIGURE = { width: 192, height: 208 } as const;

export interface Placer {
  /** Where the page's corner belongs for this shape. */
  originFor(shape: Shape): Point;
  /** Size of the page, device pixels. */
  pageSize(): Size;
  /** The monitor the figure is on. */
  monitor(): Monitor;
  place(): Extract<WindowToPage, { type: 'place' }>;
  /** The user's places, to be remembered. */
  remembered(): readonly OwnPlace[];
  /** The page told how large everything would like to be, CSS px. */
  want(size: Size): void;
  dragFrom(pointer: Point): void;
  dragTo(pointer: Point): void;
  /** Ends a drag; false when there was none. */
  drop(): boolean;
  reset(): void;
  moveTo(monitor: string): void;
  setMonitors(monitors: readonly Monitor[]): void;
}

interface Drag {
  /** From the pointer to the anchor. */
  readonly offset: Point;
  anchor: Point;
}

export function createPlacer(first: readonly Monitor[], remembered: readonly OwnPlace[], scale: number): Placer {
  let monitors = first;
  let figure: Size = { width: FIRST_FIGURE.width * scale, height: FIRST_FIGURE.height * scale };
  let placement = openPlacement(remembered, monitors, figure);
  let wanted: Size = { width: 0, height: 0 };
  let drag: Drag | null = null;
  /** Where the figure last was in a page, and the page's size then. */
  let lastIn: { readonly box: Box; readonly page: Size } | null = null;

  const now = () => standing(placement, monitors, figure);
  const anchor = (): Point => drag?.anchor ?? now().anchor;
  const room = (): Room => {
    const { anchor: at, monitor } = now();
    return roomFor(at, figure, monitor.workArea, EDGE_PX * scale, TALL_CARD_PX * scale);
  };

  /** Height of the page, device pixels. */
  const heightPx = (): number => Math.min(room().roomPx, MAX_HEIGHT_PX * scale);

  /** The figure has that size now; where the user has chosen no place, the usual one is worked out for it. */
  const resize = ({ width, height }: Size): void => {
    if (width === figure.width && height === figure.height) return;
    figure = { width, height };
    if (placement.remembered.length === 0) placement = openPlacement([], monitors, figure);
  };

  /** The figure's box in a page of that size, also while the page does not draw it: it keeps its distance from the sides it stands at. */
  const figureIn = (shape: Shape): Box => {
    const page = { width: shape.width, height: shape.height };
    if (shape.figure !== null) {
      lastIn = { box: shape.figure, page };
      resize(shape.figure);
      return shape.figure;
    }
    const edge = EDGE_PX * scale;
    const { stack, align } = room();
    const last = lastIn ?? {
      box: { x: page.width - edge - figure.width, y: page.height - edge - figure.height, ...figure },
      page,
    };
    return {
      ...last.box,
      x: align === 'end' ? last.box.x + page.width - last.page.width : last.box.x,
      y: stack === 'above' ? last.box.y + page.height - last.page.height : last.box.y,
    };
  };

  return {
    originFor: (shape) => {
      const box = figureIn(shape);
      const at = figureAt(anchor(), box);
      return { x: at.x - box.x, y: at.y - box.y };
    },
    pageSize: () => {
      const { workArea } = now().monitor;
      return {
        width: Math.min(workArea.width, Math.ceil(Math.max(USUAL_WIDTH_PX, wanted.width) * scale)),
        height: Math.floor(heightPx()),
      };
    },
    monitor: () => now().monitor,
    place: () => {
      const { stack, align } = room();
      const current = now().monitor.name;
      return {
        type: 'place',
        stack,
        align,
        roomPx: Math.floor(heightPx() / scale),
        monitors: monitors.map(({ name }) => ({ name, current: name === current })),
      };
    },
    remembered: () => placement.remembered,
    want: (size) => {
      wanted = size;
    },
    dragFrom: (pointer) => {
      const { x, y } = now().anchor;
      drag = { offset: { x: x - pointer.x, y: y - pointer.y }, anchor: { x, y } };
    },
    dragTo: (pointer) => {
      if (drag !== null) drag.anchor = { x: pointer.x + drag.offset.x, y: pointer.y + drag.offset.y };
    },
    drop: () => {
      if (drag === null) return false;
      placement = putAt(placement, drag.anchor, monitors, figure);
      drag = null;
      return true;
    },
    reset: () => {
      placement = resetPlace(placement, monitors, figure);
    },
    moveTo: (monitor) => {
      placement = moveTo(placement, monitor, monitors, figure);
    },
    setMonitors: (next) => {
      monitors = next;
      placement = carryOver(placement, monitors, figure);
    },
  };
}

export const isSamePlace = (
  a: Extract<WindowToPage, { type: 'place' }>,
  b: Extract<WindowToPage, { type: 'place' }>,
): boolean => JSON.stringify(a) === JSON.stringify(b);
