/** Keeps on the X server what the pieces of a shape look like: per outline an unmapped window with its shape and a picture of its opacity. */

import type { PageToWindow, Piece } from '../../protocol/window.ts';
import { SHAPE_BOUNDING, SHAPE_SET, YX_BANDED } from './extensions.ts';
import { decodeRuns, type Outline, rectanglesOf, roundedBox } from './outline.ts';
import type { Screen } from './screen.ts';

/** One outline on the server. */
export interface Stencil {
  readonly width: number;
  readonly height: number;
  /** A window that is never mapped; its bounding shape is the solid part. */
  readonly helper: number;
  /** A8 picture. */
  readonly picture: number;
}

export interface At {
  readonly stencil: Stencil;
  readonly x: number;
  readonly y: number;
}

export interface PlacedStencil extends At {
  /** What takes the pointer in its place; null: it does itself. */
  readonly hit: At | null;
}

type Radii = Extract<Piece, { kind: 'box' }>['radii'];
const SQUARE: Radii = [0, 0, 0, 0];

type Mask = Extract<PageToWindow, { type: 'mask' }>;

export interface Pieces {
  learn(mask: Mask): void;
  /** The stencils of a shape; a piece whose mask is unknown or broken is left out. */
  place(pieces: readonly Piece[]): readonly PlacedStencil[];
  /** Forgets everything, as with a new page. */
  clear(): void;
}

/** Outlines kept: more than the frames of a character and the cards on screen, less than a leak. */
const MAX_STENCILS = 256;
const MAX_MASKS = 1_024;
/** Bytes of one picture request: servers take at least four times as much. */
const MAX_PUT_BYTES = 65_536;

interface Kept extends Stencil {
  readonly pixmap: number;
}

export function createPieces(screen: Screen): Pieces {
  // As they came: a tenth of what they are unpacked, and most are unpacked once.
  const masks = new Map<string, Mask>();
  const stencils = new Map<string, Kept>();

  const stencilOf = (key: string, make: () => Outline | null): Stencil | null => {
    const known = stencils.get(key);
    if (known !== undefined) {
      // The newest are last: the first is what was used longest ago.
      stencils.delete(key);
      stencils.set(key, known);
      return known;
    }
    const outline = make();
    if (outline === null) return null;
    const made = upload(screen, outline);
    stencils.set(key, made);
    if (stencils.size > MAX_STENCILS) {
      const [oldest, stencil] = stencils.entries().next().value!;
      stencils.delete(oldest);
      release(screen, stencil);
    }
    return made;
  };

  const stencilOfBox = (width: number, height: number, radii: Radii): Stencil | null =>
    width === 0 || height === 0
      ? null
      : stencilOf(`${width}x${height} ${radii.join()}`, () => roundedBox(width, height, radii));

  const stencilFor = (piece: Piece): Stencil | null => {
    if (piece.kind === 'box') return stencilOfBox(piece.width, piece.height, piece.radii);
    const mask = masks.get(piece.mask);
    if (mask === undefined) return null;
    return stencilOf(`mask ${piece.mask}`, () => decodeRuns(mask.width, mask.height, mask.runs));
  };

  const hitOf = (piece: Piece): At | null => {
    const box = piece.kind === 'mask' ? piece.hit : undefined;
    const stencil = box === undefined ? null : stencilOfBox(box.width, box.height, SQUARE);
    return box === undefined || stencil === null ? null : { stencil, x: box.x, y: box.y };
  };

  return {
    learn: (mask) => {
      if (masks.size < MAX_MASKS) masks.set(mask.mask, mask);
    },
    place: (pieces) =>
      pieces.flatMap((piece) => {
        const stencil = stencilFor(piece);
        return stencil === null ? [] : [{ stencil, x: piece.x, y: piece.y, hit: hitOf(piece) }];
      }),
    clear: () => {
      for (const stencil of stencils.values()) release(screen, stencil);
      stencils.clear();
      masks.clear();
    },
  };
}

function upload({ X, root, extensions: { shape, render } }: Screen, outline: Outline): Kept {
  const { width, height } = outline;
  const [helper, pixmap, picture, gc] = [X.AllocID(), X.AllocID(), X.AllocID(), X.AllocID()];
  X.CreateWindow(helper, root, 0, 0, 1, 1, 0, 0, 1, 0, { overrideRedirect: 1 });
  shape.Rectangles(SHAPE_SET, SHAPE_BOUNDING, helper, 0, 0, rectanglesOf(outline), YX_BANDED);
  X.CreatePixmap(pixmap, root, 8, width, height);
  X.CreateGC(gc, pixmap, {});
  // Rows of images are padded to four bytes.
  const stride = Math.ceil(width / 4) * 4;
  const rows = Math.max(1, Math.floor(MAX_PUT_BYTES / stride));
  for (let from = 0; from < height; from += rows) {
    const count = Math.min(rows, height - from);
    const bytes = Buffer.alloc(stride * count);
    for (let row = 0; row < count; row += 1)
      bytes.set(outline.alpha.subarray((from + row) * width, (from + row + 1) * width), row * stride);
    X.PutImage(2, pixmap, gc, width, count, 0, from, 0, 8, bytes);
  }
  X.FreeGC(gc);
  render.CreatePicture(picture, pixmap, render.a8, {});
  return { width, height, helper, pixmap, picture };
}

function release({ X, extensions: { render } }: Screen, { helper, picture, pixmap }: Kept): void {
  render.FreePicture(picture);
  X.FreePixmap(pixmap);
  X.DestroyWindow(helper);
}
