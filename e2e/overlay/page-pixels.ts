/** What is really painted in the page, and what of it a window that keeps to the told shape would show. */
import type { Page } from 'puppeteer-core';
import type { Box, PageToWindow, Piece } from '../../server/protocol/window.ts';

export type Shape = Extract<PageToWindow, { type: 'shape' }>;
export type Mask = Extract<PageToWindow, { type: 'mask' }>;

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** RGBA, row by row. */
  readonly pixels: Buffer;
}

/** Takes a picture of the page; the page itself unpacks it. */
export async function takePicture(page: Page): Promise<Picture> {
  const png = await page.screenshot({ encoding: 'base64' });
  const [width, height, pixels] = (await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${png}'), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    let text = '';
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return [bitmap.width, bitmap.height, btoa(text)];
  })()`)) as [number, number, string];
  return { width, height, pixels: Buffer.from(pixels, 'base64') };
}

/** A picture of the page on a ground of that colour. */
export async function pictureOn(page: Page, ground: string): Promise<Picture> {
  await page.evaluate(`document.documentElement.style.background = '${ground}'`);
  return takePicture(page);
}

/** Opacities of a mask, row by row. */
export function decodeMask({ runs }: Mask): Uint8Array {
  const bytes = Buffer.from(runs, 'base64');
  const alpha: number[] = [];
  for (let at = 0; at < bytes.length; at += 2) for (let n = 0; n < bytes[at]!; n += 1) alpha.push(bytes[at + 1]!);
  return Uint8Array.from(alpha);
}

/** Reports whether any of the pixel at (x, y), counted from the box's own corner, lies within its round corners. */
function inCorners({ width, height }: Box, radii: readonly number[], x: number, y: number): boolean {
  const [left, top] = [x < width / 2, y < height / 2];
  const radius = radii[top ? (left ? 0 : 1) : left ? 3 : 2]!;
  // From the middle of the corner's circle to the nearest point of the pixel.
  const dx = radius - (left ? x + 1 : width - x);
  const dy = radius - (top ? y + 1 : height - y);
  return dx <= 0 || dy <= 0 || dx * dx + dy * dy < radius * radius;
}

function paintPiece(shown: Uint8Array, shape: Shape, piece: Piece, masks: ReadonlyMap<string, Mask>): void {
  const mask = piece.kind === 'mask' ? masks.get(piece.mask)! : null;
  const alpha = mask && decodeMask(mask);
  const { width, height } = piece.kind === 'box' ? piece : mask!;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const inside = piece.kind === 'box' ? inCorners(piece, piece.radii, x, y) : alpha![y * width + x]! > 0;
      if (inside) shown[(piece.y + y) * shape.width + piece.x + x] = 1;
    }
}

/** 1 for each pixel of the page of which the window shows anything. */
export function shownBy(shape: Shape, masks: readonly Mask[]): Uint8Array {
  const shown = new Uint8Array(shape.width * shape.height);
  const byName = new Map(masks.map((mask) => [mask.mask, mask]));
  for (const piece of shape.pieces) paintPiece(shown, shape, piece, byName);
  return shown;
}

/** How much around a part may be painted and is cut away, device px. */
const RING_PX = 12;

/** How far a pixel of a round edge may differ between red and green ground: what no eye sees on the page's own ground. */
const SEAM = 16;

const differ = (a: Picture, b: Picture, at: number): number =>
  Math.max(...[0, 1, 2].map((channel) => Math.abs(a.pixels[at * 4 + channel]! - b.pixels[at * 4 + channel]!)));

/**
 * Compares two pictures on different grounds: `leaks` are pixels that are shown and let the ground through, `lost` those
 * that are painted, away from the edge of any part, and not shown. Both as "x,y".
 */
export function judge(shape: Shape, masks: readonly Mask[], one: Picture, other: Picture) {
  const shown = shownBy(shape, masks);
  const near = (x: number, y: number): boolean => {
    for (let dy = -RING_PX; dy <= RING_PX; dy += 1)
      for (let dx = -RING_PX; dx <= RING_PX; dx += 1) {
        const [nx, ny] = [x + dx, y + dy];
        if (nx >= 0 && ny >= 0 && nx < shape.width && ny < shape.height && shown[ny * shape.width + nx] === 1)
          return true;
      }
    return false;
  };
  const leaks: string[] = [];
  const lost: string[] = [];
  for (let y = 0; y < shape.height; y += 1)
    for (let x = 0; x < shape.width; x += 1) {
      const at = y * shape.width + x;
      const ground = differ(one, other, at);
      if (shown[at] === 1 && ground > SEAM) leaks.push(`${x},${y}`);
      // The marker is in the corner and nowhere else.
      if (shown[at] === 0 && ground < 255 - SEAM && x + y > 16 && !near(x, y)) lost.push(`${x},${y}`);
    }
  return { leaks, lost };
}
