/** The library of packs as the running host asks it. */
import { join } from 'node:path';
import type { PackSource } from './live-packs.ts';

/** Over the library in `dataFolder`. Touches nothing yet. */
export function openPackSource(dataFolder: string): PackSource {
  const folderOf = (id: string, version: string): string => join(dataFolder, 'packs', id, version);
  return {
    place: { folder: dataFolder, names: ['library.json', 'wardrobes', 'packs'] },
    active: () => ({ name: 'default', folder: join(dataFolder, 'wardrobes', 'default'), packs: {}, current: null }),
    folderOf,
    read: (id, version) => ({ id, version, folder: folderOf(id, version), manifest: null, reason: 'no library yet' }),
    setCurrent: async () => {
      throw new Error('no library yet');
    },
  };
}
