/** How a cell of the sheet gets onto the canvas: as it is, or, in the see-through window, with every pixel opaque and its outline told apart. */
import { nameMask, opacities, solidify } from './mask.ts';

/** One cell of a sheet. */
export interface Cell {
  /** Names it among all cells that the page has seen. */
  readonly id: string;
  readonly image: ImageBitmap;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly smooth: boolean;
}

/** Fills the whole canvas with `cell`. */
export type Paint = (cell: Cell) => void;

type Size = Pick<HTMLCanvasElement, 'width' | 'height'>;

function drawCell(context: CanvasRenderingContext2D, to: Size, { image, x, y, width, height, smooth }: Cell): void {
  context.imageSmoothingEnabled = smooth;
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, to.width, to.height);
  context.drawImage(image, x, y, width, height, 0, 0, to.width, to.height);
}

export function plainPaint(canvas: HTMLCanvasElement): Paint {
  const context = canvas.getContext('2d')!;
  return (cell) => drawCell(context, canvas, cell);
}

export interface PaintReports {
  /** A cell has been scaled: its opacities, of which the canvas keeps nothing. Called before the first `onDrawn` of that mask. */
  readonly onMask: (mask: string, width: number, height: number, alpha: Uint8Array) => void;
  /** The canvas shows a cell of this outline now. */
  readonly onDrawn: (mask: string) => void;
}

interface Solid {
  readonly pixels: ImageData;
  readonly mask: string;
}

/** Scaled cells are kept up to this many bytes: the clips of an afternoon at the usual sizes. */
const MAX_KEPT_BYTES = 4 * 1_024 * 1_024;

/** A brush whose edges do not mix with the ground of the page; it remembers what it has scaled, the latest first. */
export function solidPaint(canvas: HTMLCanvasElement, reports: PaintReports): Paint {
  // Read back once for each cell, so both live where the processor is.
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  const scratch = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  const kept = new Map<string, Solid>();
  let keptBytes = 0;

  function scale(cell: Cell): Solid {
    const { width, height } = canvas;
    Object.assign(scratch.canvas, { width, height });
    drawCell(scratch, canvas, cell);
    const pixels = scratch.getImageData(0, 0, width, height);
    const alpha = opacities(pixels.data);
    const mask = nameMask(alpha, width, height);
    solidify(pixels.data);
    reports.onMask(mask, width, height, alpha);
    return { pixels, mask };
  }

  function keep(key: string, solid: Solid): void {
    kept.set(key, solid);
    keptBytes += solid.pixels.data.length;
    for (const [oldest, { pixels }] of kept) {
      if (keptBytes <= MAX_KEPT_BYTES || oldest === key) break;
      kept.delete(oldest);
      keptBytes -= pixels.data.length;
    }
  }

  return (cell) => {
    const key = `${cell.id} ${canvas.width}x${canvas.height}`;
    const found = kept.get(key);
    const solid = found ?? scale(cell);
    if (found === undefined) keep(key, solid);
    else {
      // To the end of the line: what was used last goes last.
      kept.delete(key);
      kept.set(key, solid);
    }
    context.putImageData(solid.pixels, 0, 0);
    reports.onDrawn(solid.mask);
  };
}
