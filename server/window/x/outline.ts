/** Outlines as pictures of opacity, one byte a pixel, and as the rectangles an X shape is made of. Pure. */

export interface Outline {
  readonly width: number;
  readonly height: number;
  /** Row by row, 0 to 255. */
  readonly alpha: Uint8Array;
}

/** From this opacity on a pixel is there, where there is no compositor to blend it. */
const SOLID_FROM = 128;

/**
 * Reads run lengths (pairs of count 1 to 255 and opacity, base64). Null when they do not fill the picture exactly.
 */
export function decodeRuns(width: number, height: number, runs: string): Outline | null {
  const bytes = Buffer.from(runs, 'base64');
  const alpha = new Uint8Array(width * height);
  let at = 0;
  for (let index = 0; index + 1 < bytes.length; index += 2) {
    const end = at + bytes[index]!;
    if (end > alpha.length) return null;
    alpha.fill(bytes[index + 1]!, at, end);
    at = end;
  }
  return at === alpha.length ? { width, height, alpha } : null;
}

/** How much of a pixel lies inside a circle whose edge is `distancePx` from the pixel's middle, inside positive. */
const coverage = (distancePx: number): number => Math.round(255 * Math.min(1, Math.max(0, distancePx + 0.5)));

/** A box whose corners are quarter circles: radii of top left, top right, bottom right, bottom left. */
export function roundedBox(width: number, height: number, radii: readonly [number, number, number, number]): Outline {
  const alpha = new Uint8Array(width * height).fill(255);
  const widest = Math.min(width, height) / 2;
  for (const [corner, wanted] of radii.entries()) {
    const radius = Math.min(wanted, widest);
    const side = Math.ceil(radius);
    const isRight = corner === 1 || corner === 2;
    const isBottom = corner >= 2;
    for (let y = 0; y < side; y += 1)
      for (let x = 0; x < side; x += 1) {
        const inside = radius - Math.hypot(radius - x - 0.5, radius - y - 0.5);
        const column = isRight ? width - 1 - x : x;
        const row = isBottom ? height - 1 - y : y;
        alpha[row * width + column] = coverage(inside);
      }
  }
  return { width, height, alpha };
}

type Rectangle = readonly [x: number, y: number, width: number, height: number];

/** Start and length of each solid stretch of one row, one after the other. */
function stretches({ width, alpha }: Outline, row: number): number[] {
  const found: number[] = [];
  const base = row * width;
  let from = -1;
  for (let x = 0; x <= width; x += 1) {
    const isSolid = x < width && alpha[base + x]! >= SOLID_FROM;
    if (isSolid && from < 0) from = x;
    if (isSolid || from < 0) continue;
    found.push(from, x - from);
    from = -1;
  }
  return found;
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** The solid part as rectangles sorted by rows, equal rows as one (YXBanded, the form that costs the server least). */
export function rectanglesOf(outline: Outline): readonly Rectangle[] {
  const rectangles: Rectangle[] = [];
  let band: readonly number[] = [];
  let bandFrom = 0;
  const close = (until: number): void => {
    for (let index = 0; index < band.length; index += 2)
      rectangles.push([band[index]!, bandFrom, band[index + 1]!, until - bandFrom]);
  };
  for (let row = 0; row < outline.height; row += 1) {
    const next = stretches(outline, row);
    if (isSame(next, band)) continue;
    close(row);
    band = next;
    bandFrom = row;
  }
  close(outline.height);
  return rectangles;
}
