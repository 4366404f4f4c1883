/** A small grid of coloured pixels, and what can be done with one. */

export const SIDE = 64;

/** CSS colour of each pixel, row by row; null shows nothing. */
export type Pixels = (string | null)[];

export const blank = (): Pixels => new Array<string | null>(SIDE * SIDE).fill(null);

const isInside = (x: number, y: number): boolean => x >= 0 && y >= 0 && x < SIDE && y < SIDE;

export const colourAt = (pixels: Pixels, x: number, y: number): string | null =>
  isInside(x, y) ? (pixels[y * SIDE + x] ?? null) : null;

/** Colours one pixel; beyond the grid nothing happens. */
export function put(pixels: Pixels, x: number, y: number, colour: string): void {
  if (isInside(x, y)) pixels[y * SIDE + x] = colour;
}

/** Colours, in `pixels`, what of `picture` is neither '.' nor ' '; each other sign is a name in `palette`. */
export function stamp(
  pixels: Pixels,
  picture: readonly string[],
  palette: Readonly<Record<string, string>>,
  left: number,
  top: number,
): void {
  for (const [y, row] of picture.entries())
    for (const [x, sign] of [...row].entries()) {
      const colour = palette[sign];
      if (colour !== undefined) put(pixels, left + x, top + y, colour);
    }
}

/** Each row moved aside by `aside(y)` and down by `down` whole pixels; what leaves the grid is gone. */
export function moved(pixels: Pixels, aside: (y: number) => number, down = 0): Pixels {
  const result = blank();
  for (const [at, colour] of pixels.entries()) {
    const y = Math.floor(at / SIDE);
    if (colour !== null) put(result, (at % SIDE) + aside(y), y + down, colour);
  }
  return result;
}

/** The picture with a line of `colour` around it, a pixel wide, that touches by sides only. */
export function outlined(pixels: Pixels, colour: string): Pixels {
  const result = [...pixels];
  for (const [at, own] of pixels.entries()) {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
    const neighbours = [
      [x - 1, y],
      [x + 1, y],
      [x, y - 1],
      [x, y + 1],
    ] as const;
    if (own === null && neighbours.some(([nx, ny]) => colourAt(pixels, nx, ny) !== null)) result[at] = colour;
  }
  return result;
}

/** All layers in one, the later ones over the earlier ones. */
export function stacked(...layers: readonly Pixels[]): Pixels {
  const result = blank();
  for (const layer of layers) for (const [at, colour] of layer.entries()) if (colour !== null) result[at] = colour;
  return result;
}

/** What lies above row `ground`. */
export const above = (pixels: Pixels, ground: number): Pixels =>
  pixels.map((colour, at) => (Math.floor(at / SIDE) < ground ? colour : null));

/** The runs of one colour as an SVG path. */
function runsOf(pixels: Pixels, colour: string): string {
  let path = '';
  for (let y = 0; y < SIDE; y += 1)
    for (let x = 0; x < SIDE; x += 1) {
      const from = x;
      while (colourAt(pixels, x, y) === colour) x += 1;
      if (x > from) path += `M${from} ${y}h${x - from}v1h${from - x}z`;
    }
  return path;
}

/** An SVG element of `sizePx` CSS px, a whole multiple of SIDE, so that every pixel is a sharp square. */
export function toSvg(pixels: Pixels, sizePx: number): string {
  const colours = [...new Set(pixels)].filter((colour) => colour !== null).sort();
  const paths = colours.map((colour) => `<path fill="${colour}" d="${runsOf(pixels, colour)}"/>`);
  return `<svg viewBox="0 0 ${SIDE} ${SIDE}" width="${sizePx}" height="${sizePx}" shape-rendering="crispEdges">${paths.join('')}</svg>`;
}
