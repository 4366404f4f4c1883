/** Which side of the figure has room for cards, and how much. Pure; device pixels. */
import type { Box } from '../../protocol/window.ts';
import { bottom, type Size } from './geometry.ts';
import type { Anchor } from './place.ts';

export interface Room {
  readonly stack: 'above' | 'below';
  readonly align: 'start' | 'end';
  /** Height the page may have on that side, the figure and the page's edges included. */
  readonly roomPx: number;
}

/**
 * Cards stand above the figure where a tall card (`cardPx` high) fits or there is more room than below; they grow towards the
 * middle of the work area. `edgePx` is what the page keeps free around everything; the edge at the figure's far end may hang
 * out of the work area, as nothing is drawn there.
 */
export function roomFor(anchor: Anchor, figure: Size, workArea: Box, edgePx: number, cardPx: number): Room {
  const top = anchor.y - figure.height;
  const abovePx = top - workArea.y;
  const belowPx = bottom(workArea) - anchor.y;
  const isAbove = abovePx - edgePx >= cardPx || abovePx >= belowPx;
  const roomPx = (isAbove ? abovePx : belowPx) + figure.height + edgePx;
  return {
    stack: isAbove ? 'above' : 'below',
    align: anchor.x >= workArea.x + workArea.width / 2 ? 'end' : 'start',
    roomPx: Math.min(roomPx, workArea.height),
  };
}
