/** Opens a zip archive as a source; what its names mean is found out first, then it is held to the limits of every pack's archive. */
import { basename } from 'node:path';
import { PackError } from '../types.ts';
import { listZip, openZip, readZipped } from '../zip-entries.ts';
import { isLitter, type SourceTree, shown, stemOf } from './source.ts';
import { readNames } from './zip-names.ts';

const UTF8_FLAG = 0x800;

/** Errors: E_INVALID_INPUT naming the entry and the reason, E_NOT_FOUND, E_PERMISSION, E_CANCELLED when `signal` aborts. */
export async function openArchive(path: string, signal: AbortSignal): Promise<SourceTree> {
  const zip = await openZip(path, shown(basename(path)));
  try {
    const files = await listZip(zip, (entries) =>
      readNames(
        entries.map(({ fileNameRaw, generalPurposeBitFlag }) => ({
          bytes: fileNameRaw,
          isUtf8: (generalPurposeBitFlag & UTF8_FLAG) !== 0,
        })),
      ),
    );
    const byName = new Map(
      files.filter(({ name, isFolder }) => !isFolder && !isLitter(name)).map((file) => [file.name, file]),
    );
    return {
      name: stemOf(path),
      files: [...byName.keys()].sort(),
      closed: [],
      chosen: null,
      read: async (name) => {
        const file = byName.get(name);
        if (file === undefined) throw new PackError('E_INTERNAL', 'a file was asked for that is not in the archive');
        const chunks: Buffer[] = [];
        // A piece is good only until the next is asked for.
        for await (const piece of readZipped(zip, file, signal)) chunks.push(Buffer.from(piece));
        return Buffer.concat(chunks);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}
