/** A character as the page has it: its manifest, and its cells by way of its sheets. */
import { type CharacterManifest, type Clip, type Frame, IDLE_CLIP } from '../server/protocol/character.ts';
import type { Cells, Files } from './cells.ts';
import { FileTrouble } from './file-trouble.ts';

export interface Pack {
  readonly folder: string;
  readonly manifest: CharacterManifest;
  readonly cells: Cells;
}

const MANIFEST = 'character.json';

async function fetchFile(folder: string, file: string): Promise<Response> {
  try {
    const response = await fetch(`${folder}${file}`);
    if (!response.ok) throw new Error(`answered ${response.status}`);
    return response;
  } catch (error) {
    throw new FileTrouble(file, error);
  }
}

/** The images of a character, each fetched when it is first asked for and kept as it came. */
function openFiles(folder: string, { images }: CharacterManifest): Files {
  const blobs = new Map<string, Promise<Blob>>();
  return async (id) => {
    const { file } = images.find((image) => image.id === id)!;
    const blob = blobs.get(id) ?? fetchFile(folder, file).then((response) => response.blob());
    blobs.set(id, blob);
    return { file, blob: await blob };
  };
}

/** Fetches a character from `folder` (ends in '/'); the sheet of its idle clip is open then. Rejects with FileTrouble. */
export async function fetchPack(
  folder: string,
  cellsOf: (manifest: CharacterManifest, files: Files) => Cells,
): Promise<Pack> {
  const manifest = (await (await fetchFile(folder, MANIFEST)).json()) as CharacterManifest;
  const cells = cellsOf(manifest, openFiles(folder, manifest));
  try {
    await cells.open(manifest.clips[IDLE_CLIP]!.frames);
  } catch (error) {
    cells.close();
    throw error;
  }
  return { folder, manifest, cells };
}

/** The clip of that name, own names only; undefined when there is none. */
export const findClip = ({ manifest }: Pack, name: string): Clip | undefined =>
  Object.hasOwn(manifest.clips, name) ? manifest.clips[name] : undefined;

/** The frames a clip needs: all, or the one that tells it. */
export const framesOf = ({ frames, stillFrame }: Clip, one: boolean): readonly Frame[] =>
  one ? [frames[stillFrame]!] : frames;

/** Address of the sound a clip brings; null: none. */
export function soundOf({ folder, manifest }: Pack, { sound }: Clip): string | null {
  const found = manifest.sounds?.find(({ id }) => id === sound);
  return found === undefined ? null : `${folder}${found.file}`;
}
