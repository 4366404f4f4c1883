/** Pixels of a screen, the wallpaper behind them, and where the two differ. */
import type { Area } from './x-client.ts';

/** One 32-bit number 0x00RRGGBB a pixel, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
}

/** A checker of two colours, 0xRRGGBB: whatever lies over it in one colour, even one of these, is found. */
export interface Wallpaper {
  readonly colours: readonly [number, number];
}

export const WALLPAPER: Wallpaper = { colours: [0x1b6f4a, 0x2a8f5e] };
/** Side of one field of the checker. */
export const FIELD_PX = 4;

/** What the wallpaper shows at a place of the screen. */
export const wallpaperAt = ({ colours }: Wallpaper, x: number, y: number): number =>
  colours[((x / FIELD_PX) ^ (y / FIELD_PX)) & 1]!;

/** Pixels as an X server gives them (ZPixmap, 32 bits a pixel), without the byte that means nothing. */
export function pictureOf(data: Buffer, width: number, height: number): Picture {
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = data.readUInt32LE(4 * at) & 0xff_ff_ff;
  return { width, height, pixels };
}

export interface Difference {
  readonly count: number;
  /** Around all of it; null when there is none. */
  readonly bounds: Area | null;
  /** 1 where the screen shows something else than the wallpaper. */
  readonly mask: Uint8Array;
}

/** Where a picture of the whole screen shows something else than the wallpaper. */
export function screenDiff(picture: Picture, wallpaper: Wallpaper = WALLPAPER): Difference {
  const { width, height, pixels } = picture;
  const mask = new Uint8Array(pixels.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) mask[at] = pixels[at] === wallpaperAt(wallpaper, x, y) ? 0 : 1;
  }
  return { ...boundsOf(mask, width, height), mask };
}

/** How many pixels of a mask are set, and the smallest area around them. */
export function boundsOf(mask: Uint8Array, width: number, height: number): { count: number; bounds: Area | null } {
  let [count, left, right, top, bottom] = [0, width, -1, height, -1];
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if (mask[at] === 0) continue;
      count += 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  const bounds = count === 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
  return { count, bounds };
}
