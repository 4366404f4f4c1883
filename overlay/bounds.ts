/** How much room the content would like, so that the window can be as small as that; told only when it changes. */

import type { Size } from './cut.ts';
import { cardsIn } from './guard.ts';
import type { ToWindow } from './link.ts';
import { measuring } from './measure.ts';
import type { Sprite } from './sprite.ts';

/** Gap between parts, the edge around them, and the least window; CSS px. */
const GAP_PX = 10;
const EDGE_PX = 12;
const LEAST = { width: 320, height: 360 } as const;

const stacked = (heights: readonly number[]): number =>
  heights.reduce((sum, px) => sum + px, 0) + Math.max(0, heights.length - 1) * GAP_PX;

/** The size of what is there, whatever the window is now. `leftOutPx`: heights of cards that found no room. */
function contentSize(root: HTMLElement, leftOutPx: readonly number[]): { width: number; height: number } {
  const all = (selector: string) => [...root.querySelectorAll<HTMLElement>(selector)];
  const foot = all('.foot > :not(.menu)');
  const footHeight = Math.max(0, ...foot.map((piece) => piece.offsetHeight));
  const footWidth = stacked(foot.map((piece) => piece.offsetWidth));
  const menus = all('.menu');
  const column = [...all('.panel'), ...cardsIn(root)];
  const heights = [...column.map((piece) => piece.offsetHeight), ...leftOutPx];
  const withFoot = foot.length > 0 ? [footHeight] : [];
  const tallest = Math.max(
    stacked([...heights, ...withFoot]),
    ...menus.map((menu) => stacked([menu.offsetHeight, ...withFoot])),
  );
  const widest = Math.max(footWidth, ...[...column, ...menus, ...all('.show')].map((piece) => piece.offsetWidth));
  return {
    width: Math.max(LEAST.width, Math.ceil(widest + 2 * EDGE_PX)),
    height: Math.max(LEAST.height, Math.ceil(tallest + 2 * EDGE_PX)),
  };
}

/** Runs `read` while `canvas` is as large as it would like to be, and not as large as it may be here. */
function atFullSize<Value>(canvas: HTMLCanvasElement, size: Size | null, read: () => Value): Value {
  const { width, height } = canvas.style;
  if (size !== null) Object.assign(canvas.style, { width: `${size.width}px`, height: `${size.height}px` });
  const value = read();
  Object.assign(canvas.style, { width, height });
  return value;
}

/** Measures `root`, in which `sprite` is the figure, and sends `bounds` when they are others than last time. */
export function createBounds(
  root: HTMLElement,
  { canvas, wantedSize }: Pick<Sprite, 'canvas' | 'wantedSize'>,
  toWindow: ToWindow,
): (leftOutPx: readonly number[]) => void {
  let told = '';
  return (leftOutPx) => {
    const { width, height } = measuring(root, 'bounds', () =>
      atFullSize(canvas, wantedSize(), () => contentSize(root, leftOutPx)),
    );
    const now = `${width}x${height}`;
    if (now === told) return;
    told = now;
    toWindow({ type: 'bounds', width, height });
  };
}
