/** The figure as an icon: the first cell of its sheet, which is how it stands when it does nothing. */
import { PNG } from 'pngjs';

/** The top left `size` x `size` pixels of `sheet`, a PNG. */
export function cutIcon(sheet: Uint8Array, size: number): Buffer {
  const icon = new PNG({ width: size, height: size });
  PNG.bitblt(PNG.sync.read(Buffer.from(sheet)), icon, 0, 0, size, size, 0, 0);
  return PNG.sync.write(icon, { deflateLevel: 9, deflateStrategy: 0, filterType: 0 });
}
