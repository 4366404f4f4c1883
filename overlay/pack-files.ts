/** The files of characters: each is fetched once, however many pictures of one character there are, and given up with the last of them. */
import type { CharacterManifest } from '../server/protocol/character.ts';
import type { Files } from './cells.ts';
import { FileTrouble } from './file-trouble.ts';

const MANIFEST = 'character.json';

export interface PackFiles {
  /** Rejects with FileTrouble. */
  readonly manifest: Promise<CharacterManifest>;
  /** Each image as it came, fetched when it is first asked for. */
  readonly images: Files;
  /** To be called once, when they are not needed any more. */
  release(): void;
}

interface Held {
  holders: number;
  readonly manifest: Promise<CharacterManifest>;
  readonly blobs: Map<string, Promise<Blob>>;
}

/** By folder. */
const held = new Map<string, Held>();

async function fetchFile<Content>(
  folder: string,
  file: string,
  read: (response: Response) => Promise<Content>,
): Promise<Content> {
  try {
    const response = await fetch(`${folder}${file}`);
    if (!response.ok) throw new Error(`answered ${response.status}`);
    return await read(response);
  } catch (error) {
    throw new FileTrouble(file, error);
  }
}

const open = (folder: string): Held => ({
  holders: 0,
  manifest: fetchFile(folder, MANIFEST, async (response) => (await response.json()) as CharacterManifest),
  blobs: new Map(),
});

/** The files in `folder` (ends in '/'). */
export function holdPackFiles(folder: string): PackFiles {
  const files = held.get(folder) ?? open(folder);
  held.set(folder, files);
  files.holders += 1;
  return {
    manifest: files.manifest,
    images: async (id) => {
      const { file } = (await files.manifest).images.find((image) => image.id === id)!;
      const blob = files.blobs.get(id) ?? fetchFile(folder, file, (response) => response.blob());
      files.blobs.set(id, blob);
      return { file, blob: await blob };
    },
    release: () => {
      files.holders -= 1;
      if (files.holders === 0 && held.get(folder) === files) held.delete(folder);
    },
  };
}
