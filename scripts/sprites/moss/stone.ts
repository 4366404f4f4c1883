/** The stone and the moss on it: shaped by numbers, so that it can be squashed and stretched without losing its edges. */
import { GREEN, STONE } from './palette.ts';
import { blank, type Pixels, put } from './pixels.ts';

export const MIDDLE = 32;
/** The row below the stone's lowest. */
export const BOTTOM = 56;
const RADIUS_X = 19;
const RADIUS_Y = 16;

/** Fixed unevenness by column, so that the moss does not swarm from frame to frame. */
const FRINGE = [0, 1, 2, 1, 0, 2, 3, 2, 0, 1, 0, 2, 1, 3, 2, 0, 1, 2, 0, 1];
const CLUMPS = [1, 1, 0, 1, 2, 2, 1, 0, 1, 1, 2, 2, 2, 1, 1, 0, 1, 2, 1, 0];
/** Flecks by their place on the stone, -1 to 1 from its middle. */
const FLECKS = [
  [-0.62, 0.42],
  [-0.56, 0.42],
  [0.7, 0.1],
  [0.3, 0.74],
  [0.36, 0.74],
  [-0.2, 0.8],
  [0.74, 0.44],
] as const;

export interface Stone {
  readonly pixels: Pixels;
  /** Row where the open eyes begin. */
  readonly faceTop: number;
  /** Row of the moss on which the stem stands. */
  readonly crown: number;
}

/** Light falls from above and the left: the tones lie in rings about the place it meets. */
function toneAt(nx: number, ny: number): string {
  const away = Math.hypot(nx + 0.36, ny + 0.24);
  if (away < 0.52) return STONE.light;
  if (away < 0.98) return STONE.fair;
  if (away < 1.24) return STONE.mid;
  return away < 1.44 ? STONE.deep : STONE.dark;
}

/** The moss of one column: from its clump above the stone's edge `top` down to its fringe. */
function growColumn(pixels: Pixels, x: number, top: number, nx: number): void {
  const at = x - MIDDLE + 20;
  const clump = Math.abs(nx) > 0.86 ? 0 : CLUMPS[at % CLUMPS.length]!;
  const depth = Math.max(
    1,
    Math.round(8 - 6.5 * nx * nx + FRINGE[(at + 3) % FRINGE.length]! * (1 - Math.abs(nx) * 0.5)),
  );
  for (let row = -clump; row < depth; row += 1) {
    const speck = (at * 7 + (row + 4) * 13) % 11;
    const isEdge = row >= depth - 1;
    const plain = row <= -clump + 1 ? GREEN.light : row > depth - 4 || nx > 0.62 ? GREEN.mid : GREEN.fair;
    const flecked = speck === 0 ? GREEN.light : speck === 5 ? GREEN.mid : plain;
    put(pixels, x, top + row, isEdge ? GREEN.deep : flecked);
  }
}

/** The stone `stretch` times its usual height, the width answering, with its moss. */
export function drawStone(stretch: number): Stone {
  const pixels = blank();
  const [rx, ry] = [RADIUS_X / Math.sqrt(stretch), RADIUS_Y * stretch];
  const middle = BOTTOM - ry;
  const first = Math.round(BOTTOM - 2 * ry);
  const tops = new Map<number, number>();
  for (let y = first; y < BOTTOM; y += 1) {
    const ny = Math.min(1, Math.max(-1, (y + 0.5 - middle) / ry));
    const power = ny < 0 ? 2.2 : 3;
    const half = Math.round(rx * (1 - Math.abs(ny) ** power) ** (1 / power));
    for (let x = MIDDLE - half; x < MIDDLE + half; x += 1) {
      put(pixels, x, y, toneAt((x + 0.5 - MIDDLE) / rx, ny));
      if (!tops.has(x)) tops.set(x, y);
    }
  }
  for (const [nx, ny] of FLECKS) put(pixels, Math.round(MIDDLE + nx * rx), Math.round(middle + ny * ry), STONE.deep);
  for (const [x, top] of tops) growColumn(pixels, x, top, (x + 0.5 - MIDDLE) / rx);
  return { pixels, faceTop: Math.round(middle) + 1, crown: first };
}
