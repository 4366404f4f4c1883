/** The extensions of the X server that the window is built on, with what is used of each. */
import type { Done, XClient } from 'x11';
import type { Box } from '../../protocol/window.ts';

export const SHAPE_SET = 0;
export const SHAPE_UNION = 1;
export const SHAPE_BOUNDING = 0;
export const SHAPE_INPUT = 2;
export const REDIRECT_MANUAL = 1;
export const DAMAGE_BOUNDING_BOX = 2;
/** Picture operators: clear, overwrite, blend over. */
export const OP_CLEAR = 0;
export const OP_SRC = 1;
export const OP_OVER = 3;
/** Rectangles sorted by rows, rows of equal height: the form that costs the server least. */
export const YX_BANDED = 3;

type Rectangle = readonly [x: number, y: number, width: number, height: number];

export interface ShapeExtension {
  Rectangles(
    op: number,
    kind: number,
    window: number,
    x: number,
    y: number,
    list: readonly Rectangle[],
    order: number,
  ): void;
  /** Bitmap 0: no shape, the whole window. */
  Mask(op: number, kind: number, window: number, x: number, y: number, bitmap: number): void;
  Combine(
    op: number,
    kind: number,
    sourceKind: number,
    window: number,
    x: number,
    y: number,
    sourceWindow: number,
  ): void;
  GetRectangles(window: number, kind: number, done: Done<{ readonly rectangles: readonly Rectangle[] }>): void;
}

export interface CompositeExtension {
  RedirectWindow(window: number, update: number): void;
  NameWindowPixmap(window: number, pixmap: number): void;
}

export interface DamageExtension {
  Create(damage: number, drawable: number, level: number): void;
  Subtract(damage: number, repair: number, parts: number): void;
}

export interface FixesExtension {
  SelectSelectionInput(window: number, selection: number, mask: number): void;
}

export interface RenderExtension {
  readonly a8: number;
  readonly rgba32: number;
  findVisualFormat(visual: number): number | undefined;
  CreatePicture(id: number, drawable: number, format: number, values: { subwindowMode?: number }): void;
  FreePicture(id: number): void;
  FillRectangles(
    op: number,
    picture: number,
    colour: readonly [number, number, number, number],
    boxes: readonly number[],
  ): void;
  Composite(
    op: number,
    source: number,
    mask: number,
    target: number,
    sourceX: number,
    sourceY: number,
    maskX: number,
    maskY: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void;
}

export interface RandrExtension {
  SelectInput(window: number, mask: number): void;
  /** What the server knows; asking it to look at the hardware again (`GetScreenResources`) may take it long. */
  GetScreenResourcesCurrent(
    window: number,
    done: Done<{ readonly crtcs: readonly number[]; readonly outputs: readonly number[] }>,
  ): void;
  GetOutputInfo(
    output: number,
    configTimestamp: number,
    done: Done<{ readonly crtc: number; readonly connection: number; readonly name: string }>,
  ): void;
  /** `mode` 0: it is off. */
  GetCrtcInfo(crtc: number, configTimestamp: number, done: Done<Box & { readonly mode: number }>): void;
  /** 0: none is. */
  GetOutputPrimary(window: number, done: Done<number>): void;
}

export interface ScreenSaverExtension {
  SelectInput(drawable: number, mask: number): void;
  /** State 0: off, 1: on, 3: disabled. */
  QueryInfo(drawable: number, done: Done<{ readonly state: number }>): void;
}

export interface Extensions {
  readonly shape: ShapeExtension;
  readonly composite: CompositeExtension;
  readonly damage: DamageExtension;
  readonly fixes: FixesExtension;
  readonly render: RenderExtension;
  /** null: the server has one screen that never changes, as far as can be asked. */
  readonly randr: RandrExtension | null;
}

const requireOne = <Extension>(X: XClient, name: string): Promise<Extension> =>
  new Promise((resolve, reject) => {
    X.require(name, (error, extension) => {
      if (error) reject(new Error(`the X server lacks ${name}`));
      else resolve(extension as Extension);
      return true;
    });
  });

/** Asks for all of them. Rejects with the name of the first that must be there and is not. */
export async function requireExtensions(X: XClient): Promise<Extensions> {
  const shape = await requireOne<ShapeExtension>(X, 'shape');
  const fixes = await requireOne<FixesExtension>(X, 'fixes');
  const composite = await requireOne<CompositeExtension>(X, 'composite');
  const damage = await requireOne<DamageExtension>(X, 'damage');
  const render = await requireOne<RenderExtension>(X, 'render');
  const randr = await requireOne<RandrExtension>(X, 'randr').catch(() => null);
  return { shape, composite, damage, fixes, render, randr };
}
