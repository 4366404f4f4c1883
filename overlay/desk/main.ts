/** The page in which pictures of foreign packs are decoded and put together: a browser's sandbox is the place for hostile files. */
import {
  type AtlasCell,
  type AtlasFacts,
  type AtlasPlan,
  PICTURE_DESK,
  type PictureDesk,
} from '../../server/protocol/atlas.ts';
import type { Box } from '../../server/protocol/character.ts';
import { makeCanvas, type OpenPicture, openPicture } from './pictures.ts';

const MAX_FRAMES = 2_048;
const BASE64_STEP = 32_768;

let png = new Uint8Array();

/** Bounds of what is not wholly transparent; null when all is. */
function boundsOf({ data, width, height }: ImageData): Box | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (data[(y * width + x) * 4 + 3] === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  return right < 0 ? null : { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}

function isOpaque(canvas: OffscreenCanvas): boolean {
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/** Cuts the region out and stands it upright. */
function cut(from: OffscreenCanvas, { region: { x, y, w, h }, rotated }: AtlasCell): OffscreenCanvas {
  const [canvas, context] = makeCanvas(w, h);
  if (!rotated) {
    context.drawImage(from, x, y, w, h, 0, 0, w, h);
    return canvas;
  }
  // It lies turned clockwise, h wide and w high: back again by a quarter turn the other way.
  context.translate(0, h);
  context.rotate(-Math.PI / 2);
  context.drawImage(from, x, y, h, w, 0, 0, h, w);
  return canvas;
}

/** Draws one cell, never beyond its edges, and says what shows of it. */
function drawCell(
  context: OffscreenCanvasRenderingContext2D,
  plan: AtlasPlan,
  index: number,
  piece: OffscreenCanvas,
): Box | null {
  const { columns, cellW, cellH, zoom, smooth, cells } = plan;
  const { x, y } = cells[index]!;
  const [cell, own] = makeCanvas(cellW, cellH);
  own.imageSmoothingEnabled = smooth;
  own.imageSmoothingQuality = 'high';
  own.drawImage(piece, x, y, Math.round(piece.width * zoom), Math.round(piece.height * zoom));
  context.drawImage(cell, (index % columns) * cellW, Math.floor(index / columns) * cellH);
  return boundsOf(own.getImageData(0, 0, cellW, cellH));
}

/** Cells by picture and frame, so that each frame is decoded once. */
function inDecodingOrder(cells: readonly AtlasCell[]): readonly number[] {
  const order = cells.map((_, index) => index);
  return order.sort((a, b) => cells[a]!.picture - cells[b]!.picture || cells[a]!.frame - cells[b]!.frame);
}

const desk: PictureDesk = {
  probe: async (url, type, maxFrames) => {
    const picture = await openPicture({ url, type }, null, maxFrames);
    const delaysMs: number[] = [];
    for (let frame = 0; frame < picture.frameCount; frame += 1) delaysMs.push(await picture.delayMs(frame));
    const facts = { w: picture.w, h: picture.h, delaysMs, isOpaque: isOpaque(await picture.draw(0)) };
    picture.close();
    return facts;
  },
  build: async (plan, pictures): Promise<AtlasFacts> => {
    const [w, h] = [plan.columns * plan.cellW, Math.ceil(plan.cells.length / plan.columns) * plan.cellH];
    const [atlas, context] = makeCanvas(w, h);
    const boxes: (Box | null)[] = plan.cells.map(() => null);
    let open: OpenPicture | null = null;
    let at = { picture: -1, frame: -1 };
    let frame: OffscreenCanvas | null = null;
    for (const index of inDecodingOrder(plan.cells)) {
      const cell = plan.cells[index]!;
      try {
        if (open === null || cell.picture !== at.picture) {
          open?.close();
          open = await openPicture(pictures[cell.picture]!, plan.colourKey, MAX_FRAMES);
          frame = null;
        }
        if (frame === null || cell.frame !== at.frame) frame = await open.draw(cell.frame);
      } catch {
        throw new Error(`picture ${cell.picture} does not decode`);
      }
      at = cell;
      boxes[index] = drawCell(context, plan, index, cut(frame, cell));
    }
    open?.close();
    png = new Uint8Array(await (await atlas.convertToBlob({ type: 'image/png' })).arrayBuffer());
    return { w, h, size: png.length, boxes };
  },
  slice: (start, end) => {
    let text = '';
    for (let at = start; at < end; at += BASE64_STEP)
      text += String.fromCharCode(...png.subarray(at, Math.min(end, at + BASE64_STEP)));
    return btoa(text);
  },
};

Object.assign(globalThis, { [PICTURE_DESK]: desk });
