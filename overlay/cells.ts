/** The cells of a character that are wanted, each scaled once to what the screen shows of it; a whole sheet is decoded only while cells are cut from it. */
import type { CharacterManifest, Frame } from '../server/protocol/character.ts';
import type { Clock } from './clock.ts';
import { createCutter, type Size } from './cut.ts';
import { FileTrouble } from './file-trouble.ts';
import { canvasSize, keyOf, poseOf } from './pose.ts';

export interface Cells {
  /** Decodes the sheets of `frames`, so that the first of them need not be waited for. Rejects when one is no picture. */
  open(frames: readonly Frame[]): Promise<void>;
  /**
   * What shall be there from now on, for a canvas of `size` device pixels. Cuts at once where a sheet is open, else opens it
   * and calls `onCut` when that is done. `onlyThese`: nothing else is kept, as at rest; otherwise what was wanted lately is.
   */
  want(frames: readonly Frame[], size: Size, onlyThese: boolean): void;
  /** The cell's picture, if need be the one of an earlier size until the new one is cut; undefined: not there. */
  find(frame: Frame): ImageBitmap | undefined;
  /** Whether all are there in some size, or never will be because their sheet is broken. */
  cover(frames: readonly Frame[]): boolean;
  close(): void;
}

/** Gives an image by its ID as the pack has it, with its file's name. Rejects with FileTrouble. */
export type Files = (image: string) => Promise<{ readonly file: string; readonly blob: Blob }>;

/** What becomes of cells that had to be waited for. */
export interface CellReports {
  /** Something that was wanted is there now, or will not be. */
  readonly onCut: () => void;
  /** A sheet cannot be had; told once of each. */
  readonly onBroken: (file: string) => void;
}

/** How long a sheet stays open: changes of clip come in bursts, and opening one takes a tenth of a second. */
const SHEET_OPEN_MS = 1_000;
/** Cells that are not wanted just now are kept up to this many bytes: the clips of an afternoon at the usual sizes. */
const MAX_KEPT_BYTES = 4 * 1_024 * 1_024;
const BYTES_A_PIXEL = 4;

/** Cells of the sheets in `files`, none of them cut yet. */
export function createCells(
  figure: Pick<CharacterManifest, 'images' | 'canvas' | 'anchor'>,
  files: Files,
  clock: Clock,
  { onCut, onBroken }: CellReports,
): Cells {
  const cutOut = createCutter(figure.canvas.scaling === 'smooth');
  const whole = canvasSize(figure);
  const kept = new Map<string, ImageBitmap>();
  const sheets = new Map<string, ImageBitmap>();
  const opening = new Map<string, Promise<void>>();
  const broken = new Set<string>();
  let wanted: readonly Frame[] = [];
  let shown: Size = { width: 1, height: 1 };
  let alone = false;
  let closed = false;
  let callOffClosing = (): void => {};

  /** No more pixels than the pack has. */
  const sizeNow = (): Size => ({
    width: Math.min(shown.width, whole.width),
    height: Math.min(shown.height, whole.height),
  });

  function isCut(frame: Frame): boolean {
    const { width, height } = sizeNow();
    const found = kept.get(keyOf(frame));
    return found?.width === width && found.height === height;
  }

  function cut(sheet: ImageBitmap, frame: Frame): void {
    const key = keyOf(frame);
    kept.get(key)?.close();
    kept.set(key, cutOut(sheet, poseOf(figure, frame), whole, sizeNow()));
  }

  function open(image: string): Promise<void> {
    const begun = opening.get(image) ?? decode(image).finally(() => opening.delete(image));
    opening.set(image, begun);
    return begun;
  }

  async function decode(image: string): Promise<void> {
    const { file, blob } = await files(image);
    const sheet = await createImageBitmap(blob).catch((error: unknown) => {
      throw new FileTrouble(file, error);
    });
    if (closed) sheet.close();
    else sheets.set(image, sheet);
  }

  async function openForCutting(image: string): Promise<void> {
    let trouble: unknown = null;
    await open(image).catch((error: unknown) => {
      trouble = error;
    });
    if (closed) return;
    if (trouble !== null) broken.add(image);
    cutWanted();
    onCut();
    if (trouble instanceof FileTrouble) onBroken(trouble.file);
  }

  function cutWanted(): void {
    const missing = wanted.filter((frame) => !broken.has(frame.image) && !isCut(frame));
    for (const frame of missing) {
      const sheet = sheets.get(frame.image);
      if (sheet !== undefined) cut(sheet, frame);
    }
    const shut = new Set(missing.map(({ image }) => image).filter((image) => !sheets.has(image)));
    for (const image of shut) if (!opening.has(image)) void openForCutting(image);
    if (shut.size === 0) letGo();
  }

  /** Gives up what is not needed any more, the oldest first. */
  function letGo(): void {
    const needed = new Set(wanted.map(keyOf));
    let bytes = [...kept.values()].reduce((sum, { width, height }) => sum + width * height * BYTES_A_PIXEL, 0);
    for (const [key, cell] of kept) {
      if (needed.has(key) || (!alone && bytes <= MAX_KEPT_BYTES)) continue;
      bytes -= cell.width * cell.height * BYTES_A_PIXEL;
      cell.close();
      kept.delete(key);
    }
    callOffClosing();
    if (sheets.size > 0) callOffClosing = clock.after(SHEET_OPEN_MS, closeSheets);
  }

  function closeSheets(): void {
    callOffClosing();
    for (const sheet of sheets.values()) sheet.close();
    sheets.clear();
  }

  return {
    open: async (frames) => {
      await Promise.all([...new Set(frames.map(({ image }) => image))].map(open));
    },
    want(frames, size, onlyThese) {
      wanted = frames;
      shown = size;
      alone = onlyThese;
      for (const frame of frames) {
        // To the end of the line: what was wanted last goes last.
        const key = keyOf(frame);
        const cell = kept.get(key);
        if (cell !== undefined && kept.delete(key)) kept.set(key, cell);
      }
      cutWanted();
    },
    find: (frame) => kept.get(keyOf(frame)),
    cover: (frames) => frames.every((frame) => kept.has(keyOf(frame)) || broken.has(frame.image)),
    close() {
      closed = true;
      closeSheets();
      for (const cell of kept.values()) cell.close();
      kept.clear();
    },
  };
}
