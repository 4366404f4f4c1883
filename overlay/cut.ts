/** Cuts a cell out of a sheet and scales it as it is drawn. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Box extends Size {
  readonly x: number;
  readonly y: number;
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

/** The function it returns gives the cell at `box` in `size`; it is the caller's to close. */
export function createCutter(smooth: boolean): (sheet: ImageBitmap, box: Box, size: Size) => ImageBitmap {
  const scratch = new OffscreenCanvas(1, 1);
  const context = scratch.getContext('2d', { willReadFrequently: true })!;

  function take(size: Size, draw: () => void): ImageBitmap {
    Object.assign(scratch, { width: size.width, height: size.height });
    draw();
    return scratch.transferToImageBitmap();
  }

  return (sheet, { x, y, width, height }, size) => {
    // Taken out first: scaled within the sheet, its edges would mix with those of its neighbours.
    const cell = take({ width, height }, () => context.drawImage(sheet, -x, -y));
    if (size.width === width && size.height === height) return cell;
    const scaled = take(size, () => drawWhole(context, cell, size, smooth));
    cell.close();
    return scaled;
  };
}
