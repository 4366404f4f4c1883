/** A character pack's manifest, `character.json`: pictures, clips, and which capability each clip stands for. Data only, never code. */

/** The clip every character must have; what is played when nothing else is asked for. */
export const IDLE_CLIP = 'idle';

/** Stands for the author of a character when nobody knows who drew it. */
export const UNKNOWN_AUTHOR = 'unknown';

/** Text by language; `default` is always there. */
export interface LocalText {
  readonly default: string;
  readonly zh?: string;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A point as fractions of a frame, 0 to 1. */
export interface Anchor {
  readonly x: number;
  readonly y: number;
}

/** One picture of a clip: either a `cell` of the image's grid, or a rectangle `frame` of it; never both. */
export interface Frame {
  readonly image: string;
  /** Row-major index into the image's grid. */
  readonly cell?: number;
  /** Rectangle in image px, as it stands upright: of a rotated one the image holds h x w pixels from x, y. */
  readonly frame?: Box;
  /** The image holds it turned by 90 degrees clockwise. */
  readonly rotated?: boolean;
  /** Where the rectangle lies in the untrimmed frame, and how large that is, image px; absent: nothing was trimmed. */
  readonly spriteSourceSize?: Box;
  readonly sourceSize?: { readonly w: number; readonly h: number };
  /** The point of this untrimmed frame that stands on the manifest's anchor; absent: the manifest's own. */
  readonly anchor?: Anchor;
  /** Shown as in a mirror. */
  readonly mirror?: boolean;
  /** Whole milliseconds, 20 to 60000. */
  readonly duration: number;
}

export interface Clip {
  readonly frames: readonly Frame[];
  /** true: for ever; false: once; a number: that many times. */
  readonly loop: boolean | number;
  /** Index of the frame the rounds after the first begin with; absent: 0. */
  readonly loopStart?: number;
  /** Index of the frame shown when motion is reduced, and when the figure rests. */
  readonly stillFrame: number;
  /** Clip that follows a finite one. */
  readonly fallback?: string;
  /** ID of the sound that is heard once as it begins, if the user has switched sounds on. */
  readonly sound?: string;
}

export interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly cellW: number;
  readonly cellH: number;
  /** Image px around all cells, and between two of them; absent: 0. */
  readonly margin?: number;
  readonly spacing?: number;
}

export interface PackImage {
  readonly id: string;
  /** Plain name of a PNG or WebP file in the pack's folder. */
  readonly file: string;
  readonly w: number;
  readonly h: number;
  /** SHA-256 of the file, lower-case hexadecimal. */
  readonly sha256?: string;
  /** Absent when every frame of the image is a rectangle. */
  readonly grid?: Grid;
}

/** Where the clip for a capability comes from: the pack says so, a known name was met, or it is a guess the user has not confirmed. */
export type Basis = 'declared' | 'named' | 'guessed';

export interface Mapping {
  readonly clip: string;
  readonly basis: Basis;
  /** Style ID → the clip shown instead when a request resolves to that style. */
  readonly styles?: Readonly<Record<string, string>>;
}

/** Who made an imported pack out of what. */
export interface Origin {
  readonly importer: string;
  readonly importerVersion: number;
  readonly sourceId: string;
  readonly sourceSha256: string;
}

export interface CharacterManifest {
  readonly schema: 'desktop-companion.character/1';
  readonly id: string;
  readonly version: string;
  readonly displayName: LocalText;
  readonly description: LocalText;
  readonly authors: readonly { readonly name: string }[];
  /** An SPDX expression, or LicenseRef-unknown. */
  readonly license: string;
  readonly origin?: Origin;
  /** Other packs it needs: `id`, or `id@version` where the version may be cut short (`1`, `1.2`). */
  readonly requires?: readonly string[];
  /** Logical size of one frame in CSS px at 100 %, and how many image px make one of them. */
  readonly canvas: {
    readonly w: number;
    readonly h: number;
    readonly scale: number;
    readonly scaling: 'smooth' | 'pixelated';
  };
  /** The point that stays where it is from frame to frame: the feet, as a rule. */
  readonly anchor: Anchor;
  /** What of the canvas the figure fills, canvas px. */
  readonly contentBox: Box;
  /** What of the canvas takes the pointer, canvas px; absent: whatever of the figure can be seen. */
  readonly hitArea?: Box;
  readonly bubbleAnchor?: Anchor;
  readonly facing?: 'left' | 'right';
  readonly images: readonly PackImage[];
  readonly sounds?: readonly { readonly id: string; readonly file: string }[];
  readonly clips: Readonly<Record<string, Clip>>;
  /** Capability ID → the clip that shows it. */
  readonly capabilities: Readonly<Record<string, Mapping>>;
  /** Animation-kind `vendor.*` capabilities this pack brings, each mapped under `capabilities` too. */
  readonly declares?: Readonly<Record<string, { readonly description: LocalText }>>;
  /** Style IDs the character fits; absent: all. */
  readonly styles?: readonly string[];
  /** Capability ID → another one used in its place when the caller allows it. */
  readonly substitutes: Readonly<Record<string, { readonly capability: string; readonly reason: string }>>;
  /** Data of others, by `vendor.<reverse domain>`; never read here. */
  readonly vendor?: Readonly<Record<string, unknown>>;
}

/** A character whose manifest has been checked. */
export interface Character {
  readonly manifest: CharacterManifest;
  /** Folder of the manifest and its images. */
  readonly folder: string;
  /** By the manifest's names, where in the folder those of its files lie that are called otherwise there; absent: none is. */
  readonly paths?: Readonly<Record<string, string>>;
}
