/** How a cell gets onto the canvas: as it is, or, in the see-through window, with every pixel opaque and its outline told apart. */
import { drawWhole } from './cut.ts';
import { nameMask, opacities, solidify } from './mask.ts';

/** One cell of a character. */
export interface Cell {
  /** Names it among all cells that the page has seen. */
  readonly id: string;
  readonly image: ImageBitmap;
  readonly smooth: boolean;
}

export interface Paint {
  /** Fills the whole canvas with `cell`. */
  draw(cell: Cell): void;
  /** The canvas goes on showing what it shows, for long; nothing else is kept. */
  rest(): void;
}

export function plainPaint(canvas: HTMLCanvasElement): Paint {
  const context = canvas.getContext('2d')!;
  return {
    draw: ({ image, smooth }) => drawWhole(context, image, canvas, smooth),
    rest: () => {},
  };
}

export interface PaintReports {
  /** A cell has been scaled: its opacities, of which the canvas keeps nothing. Called before the first `onDrawn` of that mask. */
  readonly onMask: (mask: string, width: number, height: number, alpha: Uint8Array) => void;
  /** The canvas shows a cell of this outline now. */
  readonly onDrawn: (mask: string) => void;
}

interface Solid {
  readonly picture: ImageBitmap;
  readonly mask: string;
}

/** What has been made solid is kept up to this many bytes: the clips of an afternoon at the usual sizes. */
const MAX_KEPT_BYTES = 4 * 1_024 * 1_024;
const BYTES_A_PIXEL = 4;

/** A brush whose edges do not mix with the ground of the page; it remembers what it has made solid, the latest first. */
export function solidPaint(canvas: HTMLCanvasElement, reports: PaintReports): Paint {
  const context = canvas.getContext('2d')!;
  const scratch = new OffscreenCanvas(1, 1);
  // Read back once for each cell, so it lives where the processor is.
  const workshop = scratch.getContext('2d', { willReadFrequently: true })!;
  const kept = new Map<string, Solid>();

  function make({ image, smooth }: Cell): Solid {
    const { width, height } = canvas;
    Object.assign(scratch, { width, height });
    drawWhole(workshop, image, canvas, smooth);
    const pixels = workshop.getImageData(0, 0, width, height);
    const alpha = opacities(pixels.data);
    const mask = nameMask(alpha, width, height);
    solidify(pixels.data);
    workshop.putImageData(pixels, 0, 0);
    reports.onMask(mask, width, height, alpha);
    return { picture: scratch.transferToImageBitmap(), mask };
  }

  function keepAtMost(maxBytes: number): void {
    let bytes = [...kept.values()].reduce((sum, { picture }) => sum + bytesOf(picture), 0);
    for (const [key, { picture }] of kept) {
      if (bytes <= maxBytes) return;
      bytes -= bytesOf(picture);
      picture.close();
      kept.delete(key);
    }
  }

  return {
    draw(cell) {
      const key = `${cell.id} ${canvas.width}x${canvas.height}`;
      const found = kept.get(key);
      const solid = found ?? make(cell);
      // To the end of the line: what was used last goes last.
      if (found !== undefined) kept.delete(key);
      kept.set(key, solid);
      drawWhole(context, solid.picture, canvas, false);
      if (found === undefined) keepAtMost(MAX_KEPT_BYTES);
      reports.onDrawn(solid.mask);
    },
    rest: () => keepAtMost(0),
  };
}

const bytesOf = ({ width, height }: ImageBitmap): number => width * height * BYTES_A_PIXEL;
