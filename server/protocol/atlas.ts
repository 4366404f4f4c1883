/** What an importer asks of the page that decodes pictures, and what that page answers. Data only; no code of a pack is in it. */
import type { Box } from './character.ts';

/** What a picture turned out to be once it was decoded. */
export interface PictureFacts {
  readonly w: number;
  readonly h: number;
  /** Milliseconds per frame as the file says them; a still picture has one frame of 0. */
  readonly delaysMs: readonly number[];
  /** No pixel of the first frame can be seen through. */
  readonly isOpaque: boolean;
}

/** One cell of the atlas: a piece of one frame of a picture, and where it lies in the cell. */
export interface AtlasCell {
  /** ID of the picture, a number in the order they were handed over. */
  readonly picture: number;
  readonly frame: number;
  /** Rectangle in picture px as it stands upright; of a rotated one the picture holds h x w pixels from x, y. */
  readonly region: Box;
  /** The picture holds it turned by 90 degrees clockwise. */
  readonly rotated: boolean;
  /** Atlas px from the cell's corner to the piece's. */
  readonly x: number;
  readonly y: number;
}

export interface AtlasPlan {
  readonly columns: number;
  readonly cellW: number;
  readonly cellH: number;
  /** Atlas px per picture px. */
  readonly zoom: number;
  readonly smooth: boolean;
  /** CSS colour that is made transparent wherever a picture has exactly it; null: none. */
  readonly colourKey: string | null;
  readonly cells: readonly AtlasCell[];
}

export interface AtlasFacts {
  readonly w: number;
  readonly h: number;
  /** Bytes of the PNG, to be fetched with `slice`. */
  readonly size: number;
  /** By cell: the bounds of what shows, atlas px from the cell's corner; null when nothing does. */
  readonly boxes: readonly (Box | null)[];
}

/** The page's one global. Rejects with a text that names numbers only when a picture cannot be decoded. */
export interface PictureDesk {
  /** The picture is fetched from `url`; `maxFrames` bounds what is decoded. */
  probe(url: string, type: string, maxFrames: number): Promise<PictureFacts>;
  /** Keeps the PNG for `slice`; `pictures` are addresses and types in the order of their IDs. */
  build(plan: AtlasPlan, pictures: readonly { readonly url: string; readonly type: string }[]): Promise<AtlasFacts>;
  /** Base64 of the PNG's bytes from `start` up to `end`. */
  slice(start: number, end: number): string;
}

export const PICTURE_DESK = 'companionPictureDesk';
