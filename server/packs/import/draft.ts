/** What a reader makes of a foreign pack: pictures, animations, what each is good for, and what was left out. No pixel yet. */
import type { PictureFacts } from '../../protocol/atlas.ts';
import type { Basis, Box } from '../../protocol/character.ts';
import type { Picture } from './picture.ts';

/** Something the user should know of: where it stands, and what was done about it. */
export interface Note {
  /** Path inside the source. */
  readonly file: string;
  /** From 1; null where lines mean nothing. */
  readonly line: number | null;
  readonly text: string;
}

/** One picture of an animation. */
export interface Pose {
  /** Key in the draft's pictures. */
  readonly picture: string;
  readonly frame: number;
  /** Upright rectangle in picture px; of a rotated one the picture holds h x w pixels from x, y. */
  readonly region: Box;
  readonly rotated: boolean;
  /** Where the region lies in the untrimmed frame, and how large that is, picture px. */
  readonly offset: { readonly x: number; readonly y: number };
  readonly size: { readonly w: number; readonly h: number };
  /** The point of the untrimmed frame that stays in its place, picture px; the feet, as a rule. */
  readonly anchor: { readonly x: number; readonly y: number };
  readonly durationMs: number;
}

/** An animation that is taken, and what for. */
export interface Take {
  /** A clip name of ours (`idle`, `move`, …) or the last word of a capability ID (`greet`, …). */
  readonly target: string;
  /** What the source calls it. */
  readonly source: string;
  readonly basis: Basis;
  readonly poses: readonly Pose[];
  readonly loop: boolean | number;
  readonly loopStart?: number;
}

export interface Draft {
  readonly format: string;
  /** As the source calls it; any script. */
  readonly name: string;
  readonly sourceId: string;
  readonly description: string;
  readonly authors: readonly string[];
  readonly license: string | null;
  readonly version: string | null;
  readonly facing: 'left' | 'right';
  readonly scaling: 'smooth' | 'pixelated';
  /** Picture px per logical px. */
  readonly scale: number;
  /** CSS colour that means transparent; null: none. */
  readonly colourKey: string | null;
  readonly pictures: ReadonlyMap<string, Picture>;
  /** First of a target wins. One of them is `idle`. */
  readonly takes: readonly Take[];
  readonly notes: readonly Note[];
  /** Bytes that say what was imported: the digest of origin. */
  readonly evidence: readonly Uint8Array[];
  /** The one picture is kept as it is: poses are cells of this grid. */
  readonly asIs?: { readonly columns: number; readonly rows: number; readonly cellW: number; readonly cellH: number };
}

/** Decodes pictures, in a place where a hostile one can do no harm. Errors: PackError that names the file. */
export type Look = (picture: Picture) => Promise<PictureFacts>;

/** A character that was found in a source. */
export interface Candidate {
  readonly format: string;
  readonly name: string;
  /** Errors: PackError, E_INVALID_INPUT. */
  read(look: Look): Promise<Draft>;
}

/** Browsers play delays of 10 ms and less as 100 ms; a clip's frame lasts 20 to 60000 ms. */
export const playedMs = (delayMs: number): number =>
  delayMs <= 10 ? 100 : Math.min(60_000, Math.max(20, Math.round(delayMs)));

/** Pictures with no side longer than this were drawn pixel by pixel: smoothed, they would be a blur, and unmagnified a dot. */
const MAX_PIXEL_ART_SIDE_PX = 64;

/** Whether all of these are to be magnified as pixel art, when nothing but their sizes says so. */
export const isPixelArt = (sizes: readonly { readonly w: number; readonly h: number }[]): boolean =>
  sizes.every(({ w, h }) => Math.max(w, h) <= MAX_PIXEL_ART_SIDE_PX);

/** `3 sounds`, `1 sound`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** What was left out, as a sentence: `1 action was left out`. */
export const leftOut = (count: number, one: string): string =>
  `${counted(count, one)} ${count === 1 ? 'was' : 'were'} left out`;

/** A pose that is a whole rectangle of its picture, feet at the middle of its lower edge. */
export const plainPose = (picture: string, region: Box, durationMs: number, frame = 0): Pose => ({
  picture,
  frame,
  region,
  rotated: false,
  offset: { x: 0, y: 0 },
  size: { w: region.w, h: region.h },
  anchor: { x: region.w / 2, y: region.h },
  durationMs,
});
