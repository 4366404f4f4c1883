/** Keeps pictures of what tests have seen in out/desktop/, for people to look at. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import type { Picture } from './picture.ts';
import type { Seen } from './pixel-watch.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'out', 'desktop');
const OPAQUE = 0xff;

/** Writes `NAME.png`. */
export function keepPicture(name: string, { width, height, pixels }: Picture): void {
  const png = new PNG({ width, height });
  for (let at = 0; at < pixels.length; at += 1) png.data.writeUInt32BE(((pixels[at]! << 8) | OPAQUE) >>> 0, 4 * at);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.png`), PNG.sync.write(png));
}

/** Writes what was ever seen somewhere, in the colours it had there last; black: only the wallpaper. */
export function keepSeen(name: string, { width, height, seen, colour }: Seen): void {
  keepPicture(name, { width, height, pixels: colour.map((value, at) => (seen[at] === 0 ? 0 : value)) });
}
