/** How the page stands in the room the see-through window has for it; in every other window it has all of the page. */

import type { Size } from './cut.ts';
import type { Place } from './model.ts';

/** Edge around the content, and what a card needs beside a figure however large; CSS px. */
const EDGE_PX = 12;
const CARD_PX = 170;
/** In a low room the figure keeps at least this share of it. */
const LEAST_SHARE = 0.4;

/** Lays the page out on the side, and in the room, that `place` names. */
export function takePlace({ dataset, style }: HTMLElement, place: Place | null): void {
  dataset.stack = place?.stack ?? 'above';
  dataset.align = place?.align ?? 'end';
  if (place === null) return;
  style.setProperty('--page-room', `${place.roomPx}px`);
  style.setProperty('--device-px', `${1 / devicePixelRatio}px`);
}

/** The largest figure with which a card still fits in a room of that size. */
export const figureLimit = (room: Size): Size => ({
  width: Math.max(1, room.width - 2 * EDGE_PX),
  height: Math.max(1, room.height - 2 * EDGE_PX - CARD_PX, room.height * LEAST_SHARE),
});
