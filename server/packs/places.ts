/** Where everything of a library lies in its data folder. */
import { join } from 'node:path';

export interface Places {
  readonly dataFolder: string;
  /** `<id>/<version>/`: a pack each, never changed once it is there. */
  readonly packs: string;
  /** `<name>/wardrobe.json`, for those without a folder of their own. */
  readonly wardrobes: string;
  /** Which wardrobe is active, the indexes, and where wardrobes with a folder of their own lie. */
  readonly libraryFile: string;
  /** What installed packs said when they were last read; may be thrown away. */
  readonly memoryFile: string;
  /** What is still on its way; on the same file system as `packs`. */
  readonly tmp: string;
  /** What stands beside `<lock>.lock`, which is there while the files above are being written. */
  readonly lock: string;
}

/** Absolute paths below `dataFolder`, which is absolute itself. Touches no file. */
export const placesOf = (dataFolder: string): Places => ({
  dataFolder,
  packs: join(dataFolder, 'packs'),
  wardrobes: join(dataFolder, 'wardrobes'),
  libraryFile: join(dataFolder, 'library.json'),
  memoryFile: join(dataFolder, 'installed.json'),
  tmp: join(dataFolder, 'tmp'),
  lock: join(dataFolder, 'library'),
});

/** Folder of an installed version. */
export const packFolder = (places: Places, id: string, version: string): string => join(places.packs, id, version);
