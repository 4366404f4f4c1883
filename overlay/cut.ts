/** Takes a frame out of its sheet and scales it as it is drawn. */
import type { Pose } from './pose.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Fills `size` of the context with all of `image`. */
export function drawWhole(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  image: CanvasImageSource,
  { width, height }: Size,
  smooth: boolean,
): void {
  context.imageSmoothingEnabled = smooth;
  context.imageSmoothingQuality = 'high';
  context.clearRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
}

/** Draws what lies at `from` in the sheet to where it belongs, pixel by pixel. */
function drawPose(context: OffscreenCanvasRenderingContext2D, sheet: ImageBitmap, pose: Pose): void {
  const { from, to, rotated, mirror } = pose;
  context.imageSmoothingEnabled = false;
  if (mirror) context.transform(-1, 0, 0, 1, 2 * to.x + to.w, 0);
  context.translate(to.x, to.y);
  // Turned back: what was the left edge in the sheet becomes the lower one.
  if (rotated) context.transform(0, -1, 1, 0, 0, to.h);
  context.drawImage(sheet, from.x, from.y, from.w, from.h, 0, 0, from.w, from.h);
}

/** The function it returns gives a frame on a canvas of `whole`, scaled to `size`; it is the caller's to close. */
export function createCutter(
  smooth: boolean,
): (sheet: ImageBitmap, pose: Pose, whole: Size, size: Size) => ImageBitmap {
  const scratch = new OffscreenCanvas(1, 1);
  const context = scratch.getContext('2d', { willReadFrequently: true })!;

  /** A change of size also forgets what was drawn and how. */
  function take({ width, height }: Size, draw: () => void): ImageBitmap {
    Object.assign(scratch, { width, height });
    draw();
    return scratch.transferToImageBitmap();
  }

  return (sheet, pose, whole, size) => {
    // Taken out first: scaled within the sheet, its edges would mix with those of its neighbours.
    const cell = take(whole, () => drawPose(context, sheet, pose));
    if (size.width === whole.width && size.height === whole.height) return cell;
    const scaled = take(size, () => drawWhole(context, cell, size, smooth));
    cell.close();
    return scaled;
  };
}
