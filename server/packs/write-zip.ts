/** Packs a pack's folder into a zip that is the same byte for byte whenever and wherever it is made. */
import { open, rename, rm } from 'node:fs/promises';
import { type Zippable, zipSync } from 'fflate';
import { readInside } from './inside.ts';
import { PACK_LIMITS } from './limits.ts';
import { MANIFEST_FILE, maxBytesOf, noticeFiles, packFiles } from './pack-files.ts';
import { readPack } from './read-folder.ts';
import { refuse, toPackError } from './system-error.ts';

/** The earliest a zip can say; read by its local parts, so it means the same in every time zone. */
const TIME = new Date(1980, 0, 1);
const UNIX = 3;
const ATTRIBUTES = (0o100644 << 16) >>> 0;

function toZippable(folder: string): Zippable {
  const files = [...packFiles(readPack(folder)), ...noticeFiles(folder)];
  return Object.fromEntries(
    files.map((name) => [
      name,
      [
        readInside(folder, name, maxBytesOf(name) ?? 0),
        // Images and sounds are packed in themselves.
        {
          level: name === MANIFEST_FILE || !/\.(?:png|webp|ogg|mp3|wav)$/.test(name) ? 9 : 0,
          mtime: TIME,
          os: UNIX,
          attrs: ATTRIBUTES,
        },
      ],
    ]),
  );
}

/**
 * Writes the pack in `folder` to `zipFile`, manifest first, under a temporary name until it is whole and synced. Same files, same bytes.
 * Errors: PackError: E_INVALID_INPUT when it is no pack or too large, E_DISK_FULL, E_PERMISSION.
 */
export async function packZip(folder: string, zipFile: string): Promise<void> {
  const bytes = zipSync(toZippable(folder));
  if (bytes.length > PACK_LIMITS.maxArchiveBytes)
    throw refuse(`the zip would have ${bytes.length} bytes, at most ${PACK_LIMITS.maxArchiveBytes} are allowed`);
  const part = `${zipFile}.${process.pid}.part`;
  try {
    const file = await open(part, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, zipFile);
  } catch (error) {
    await rm(part, { force: true });
    throw toPackError(error, `${zipFile} cannot be written`);
  }
}
