/** Decodes the frames of one picture after the other, with the browser's own decoder; keeps the last one open. */

/** A picture that was opened; `draw` gives one frame as a canvas, of which colour-keyed pixels are gone. */
export interface OpenPicture {
  readonly w: number;
  readonly h: number;
  readonly frameCount: number;
  /** Milliseconds as the file says. */
  delayMs(frame: number): Promise<number>;
  draw(frame: number): Promise<OffscreenCanvas>;
  close(): void;
}

/** A canvas of that size; `willReadFrequently` keeps its pixels in memory, where there is no GPU anyway. */
export function makeCanvas(w: number, h: number): readonly [OffscreenCanvas, OffscreenCanvasRenderingContext2D] {
  const canvas = new OffscreenCanvas(w, h);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas');
  return [canvas, context];
}

/** Red, green and blue of a CSS colour; null when it is none. */
function parseColour(colour: string): readonly number[] | null {
  if (!CSS.supports('color', colour)) return null;
  const [, context] = makeCanvas(1, 1);
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
}

/** Makes every pixel of exactly that colour transparent. */
function dropColour(context: OffscreenCanvasRenderingContext2D, [red, green, blue]: readonly number[]): void {
  const { width, height } = context.canvas;
  const image = context.getImageData(0, 0, width, height);
  const { data } = image;
  for (let at = 0; at < data.length; at += 4)
    if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) data[at + 3] = 0;
  context.putImageData(image, 0, 0);
}

/** Fetches and opens a picture. Rejects when it does not decode, or has more than `maxFrames` frames. */
export async function openPicture(
  { url, type }: { readonly url: string; readonly type: string },
  colourKey: string | null,
  maxFrames: number,
): Promise<OpenPicture> {
  const response = await fetch(url);
  if (!response.ok) throw new Error('the picture was not handed over');
  const decoder = new ImageDecoder({ data: await response.arrayBuffer(), type, colorSpaceConversion: 'none' });
  await decoder.tracks.ready;
  await decoder.completed;
  const frameCount = decoder.tracks.selectedTrack?.frameCount ?? 1;
  if (frameCount > maxFrames) throw new Error(`it has ${frameCount} frames, at most ${maxFrames} are allowed`);
  const key = colourKey === null ? null : parseColour(colourKey);
  const first = await decodeFrame(decoder, 0);
  const [w, h] = [first.displayWidth, first.displayHeight];
  first.close();
  return {
    w,
    h,
    frameCount,
    delayMs: async (frame) => {
      const image = await decodeFrame(decoder, frame);
      const ms = (image.duration ?? 0) / 1_000;
      image.close();
      return ms;
    },
    draw: async (frame) => {
      const image = await decodeFrame(decoder, frame);
      const [canvas, context] = makeCanvas(w, h);
      context.drawImage(image, 0, 0);
      image.close();
      if (key !== null) dropColour(context, key);
      return canvas;
    },
    close: () => decoder.close(),
  };
}

/** A frame that is only half there counts as none. */
async function decodeFrame(decoder: ImageDecoder, frameIndex: number): Promise<VideoFrame> {
  const { image } = await decoder.decode({ frameIndex, completeFramesOnly: true });
  return image;
}
