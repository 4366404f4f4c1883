/** A character as the page has it: its manifest, and its cells by way of its sheets. */
import { type CharacterManifest, type Clip, type Frame, IDLE_CLIP } from '../server/protocol/character.ts';
import type { Cells, Files } from './cells.ts';
import type { Clock } from './clock.ts';
import { holdPackFiles } from './pack-files.ts';

export interface Pack {
  readonly folder: string;
  readonly manifest: CharacterManifest;
  readonly cells: Cells;
  /** Fetches the images that are not here yet, one after the other; one that cannot be had is told when it is wanted. */
  fetchRest(): Promise<void>;
  /** Gives cells and files back. */
  close(): void;
}

/** Fetches a character from `folder` (ends in '/'); the sheet of its idle clip is open then. Rejects with FileTrouble. */
export async function fetchPack(
  folder: string,
  cellsOf: (manifest: CharacterManifest, files: Files) => Cells,
): Promise<Pack> {
  const files = holdPackFiles(folder);
  let cells: Cells | null = null;
  const close = (): void => {
    cells?.close();
    files.release();
  };
  try {
    const manifest = await files.manifest;
    cells = cellsOf(manifest, files.images);
    await cells.open(manifest.clips[IDLE_CLIP]!.frames);
    const fetchRest = async (): Promise<void> => {
      for (const { id } of manifest.images) await files.images(id).catch(() => undefined);
    };
    return { folder, manifest, cells, fetchRest, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** How long what was fetched ahead waits for its character to be wanted. */
const AHEAD_MS = 5_000;

/** Fetches what a character in `folder` needs first, so that `fetchPack` finds it there. Troubles are told by that one. */
export function fetchAhead(folder: string, clock: Clock): void {
  const files = holdPackFiles(folder);
  clock.after(AHEAD_MS, files.release);
  const sheets = async (): Promise<void> => {
    const { clips } = await files.manifest;
    const images = new Set(clips[IDLE_CLIP]!.frames.map(({ image }) => image));
    await Promise.all([...images].map(files.images));
  };
  sheets().catch(() => undefined);
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
