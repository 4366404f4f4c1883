/** Paints the wallpaper on the root window, so that a compositing manager shows it too. */
import { FIELD_PX, type Wallpaper, wallpaperAt } from './picture.ts';
import type { XClient } from './x-client.ts';

/** A multiple of two fields, so that it joins itself. */
const TILE_PX = 16 * FIELD_PX;
const Z_PIXMAP = 2;

function tile(wallpaper: Wallpaper): Buffer {
  const data = Buffer.alloc(TILE_PX * TILE_PX * 4);
  for (let at = 0; at < TILE_PX * TILE_PX; at += 1)
    data.writeUInt32LE(wallpaperAt(wallpaper, at % TILE_PX, Math.floor(at / TILE_PX)), 4 * at);
  return data;
}

/** Stays for as long as `client` is connected: the picture belongs to it. */
export async function paintWallpaper(client: XClient, wallpaper: Wallpaper): Promise<void> {
  const { requests: X, root } = client;
  const pixmap = X.AllocID();
  const context = X.AllocID();
  X.CreatePixmap(pixmap, root, 24, TILE_PX, TILE_PX);
  X.CreateGC(context, pixmap, {});
  X.PutImage(Z_PIXMAP, pixmap, context, TILE_PX, TILE_PX, 0, 0, 0, 24, tile(wallpaper));
  X.ChangeWindowAttributes(root, { backgroundPixmap: pixmap });
  X.ClearArea(root, 0, 0, 0, 0, 0);
  // Where compositing managers look for it.
  const [property, type] = await Promise.all(['_XROOTPMAP_ID', 'PIXMAP'].map((name) => client.atom(name)));
  X.ChangeProperty(0, root, property!, type!, 32, [pixmap]);
  await client.sync();
}
