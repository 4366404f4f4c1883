/** A character pack's manifest, `character.json`: pictures, clips, and which capability each clip stands for. Data only, never code. */

/** Text by language; `default` is always there. */
export interface LocalText {
  readonly default: string;
  readonly zh?: string;
}

export interface Frame {
  readonly image: string;
  /** Row-major index into the image's grid. */
  readonly cell: number;
  /** Whole milliseconds, 20 to 60000. */
  readonly duration: number;
}

export interface Clip {
  readonly frames: readonly Frame[];
  /** true: for ever; false: once; a number: that many times. */
  readonly loop: boolean | number;
  /** Index of the frame shown when motion is reduced, and when the figure rests. */
  readonly stillFrame: number;
  /** Clip that follows a finite one. */
  readonly fallback?: string;
}

export interface CharacterManifest {
  readonly schema: 'desktop-companion.character/1';
  readonly id: string;
  readonly version: string;
  readonly displayName: LocalText;
  readonly description: LocalText;
  readonly authors: readonly { readonly name: string }[];
  readonly license: string;
  /** Logical size of one cell in CSS px at 100 %, and how many image px make one of them. */
  readonly canvas: {
    readonly w: number;
    readonly h: number;
    readonly scale: number;
    readonly scaling: 'smooth' | 'pixelated';
  };
  readonly anchor: { readonly x: number; readonly y: number };
  readonly contentBox: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly images: readonly {
    readonly id: string;
    readonly file: string;
    readonly w: number;
    readonly h: number;
    readonly grid: { readonly columns: number; readonly rows: number; readonly cellW: number; readonly cellH: number };
  }[];
  readonly clips: Readonly<Record<string, Clip>>;
  /** Capability ID → the clip that shows it. */
  readonly capabilities: Readonly<
    Record<string, { readonly clip: string; readonly basis: 'declared' | 'named' | 'guessed' }>
  >;
  /** Capability ID → another one used in its place when the caller allows it. */
  readonly substitutes: Readonly<Record<string, { readonly capability: string; readonly reason: string }>>;
}
