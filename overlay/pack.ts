/** A character as the page has it: its manifest, and its cells by way of its sheets. */
import type { CharacterManifest, Clip, Frame } from '../server/protocol/character.ts';
import type { Cells, Files } from './cells.ts';

export const IDLE_CLIP = 'idle';

export interface Pack {
  readonly manifest: CharacterManifest;
  readonly cells: Cells;
}

/** Fetches a character from `folder` (ends in '/'); the sheet of its idle clip is open then. Rejects when that fails. */
export async function fetchPack(
  folder: string,
  cellsOf: (manifest: CharacterManifest, files: Files) => Cells,
): Promise<Pack> {
  const get = async (file: string): Promise<Response> => {
    const response = await fetch(`${folder}${file}`);
    if (!response.ok) throw new Error(`character file answered ${response.status}`);
    return response;
  };
  const manifest = (await (await get('character.json')).json()) as CharacterManifest;
  const files = await Promise.all(
    manifest.images.map(async ({ id, file }) => [id, await (await get(file)).blob()] as const),
  );
  const cells = cellsOf(manifest, new Map(files));
  try {
    await cells.open(manifest.clips[IDLE_CLIP]!.frames);
  } catch (error) {
    cells.close();
    throw error;
  }
  return { manifest, cells };
}

/** The clip of that name, own names only; undefined when there is none. */
export const findClip = ({ manifest }: Pack, name: string): Clip | undefined =>
  Object.hasOwn(manifest.clips, name) ? manifest.clips[name] : undefined;

/** The frames a clip needs: all, or the one that tells it. */
export const framesOf = ({ frames, stillFrame }: Clip, one: boolean): readonly Frame[] =>
  one ? [frames[stillFrame]!] : frames;
