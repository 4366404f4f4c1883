/** Puts on the screen what Chromium has painted unseen: the shape and the pixels of one generation together, or nothing (design §3). */
import { type Box, MARKER_RED, type PageToWindow } from '../../protocol/window.ts';
import { overlap, type Point, sameBox } from '../desk/geometry.ts';
import { type Container, shapeLike, unshape } from './container.ts';
import { OP_CLEAR, OP_OVER, OP_SRC, SHAPE_BOUNDING, SHAPE_INPUT, SHAPE_SET, SHAPE_UNION } from './extensions.ts';
import { type At, createPieces, type PlacedStencil } from './pieces.ts';
import type { Screen } from './screen.ts';

export type Shape = Extract<PageToWindow, { type: 'shape' }>;

export interface Painter {
  /** A mask or a shape from the page; a shape may come before or after its pixels. */
  take(message: Extract<PageToWindow, { type: 'mask' | 'shape' }>): void;
  /** Chromium's window has other pixels now, since it was mapped or has another size. */
  renew(): void;
  /** Chromium has painted there, in its own coordinates. */
  damaged(area: Box): void;
  /** The server asks for a part of our own window again. */
  exposed(area: Box): void;
  /** Our own window has got the size or place it was to have: what was drawn before may have been cut. */
  repaint(): void;
  /** Real opacity where a compositor blends us; else only a shape. */
  setBlending(on: boolean): void;
  /** Draws the present generation anew: frame, place or mode have changed. */
  refresh(): void;
  /** Moves what is shown, without drawing. */
  move(): void;
  /** The window manager has laid our window: what had to wait for it is shown now. */
  goOn(): void;
  /** What is on the screen; null: nothing. */
  shown(): Shown | null;
  /** Where our window was laid; null: nowhere yet. */
  laid(): Box | null;
  close(): void;
}

export interface Shown {
  readonly shape: Shape;
  readonly placed: readonly PlacedStencil[];
  /** The pieces' extent in the page. */
  readonly box: Box;
}

interface Source {
  readonly pixmap: number;
  readonly picture: number;
  readonly width: number;
  readonly height: number;
}

export interface PainterOptions {
  readonly screen: Screen;
  readonly container: Container;
  /** Where on the screen the page's corner belongs for this shape. */
  readonly originFor: (shape: Shape) => Point;
  /** That shape is on the screen from now on. */
  readonly onShown: (shown: Shown) => void;
}

/** Shapes that may still be waiting for their pixels. */
const MAX_SHAPES = 32;

/** The generation in the pixel of the corner (blue, green, red); null: no marker of ours. */
function readMarker(pixel: Buffer): number | null {
  if (pixel[2] !== MARKER_RED) return null;
  return pixel[1]! * 256 + pixel[0]!;
}

function extentOf(placed: readonly PlacedStencil[]): Box {
  const left = Math.min(...placed.map(({ x }) => x));
  const top = Math.min(...placed.map(({ y }) => y));
  const right = Math.max(...placed.map(({ x, stencil }) => x + stencil.width));
  const bottom = Math.max(...placed.map(({ y, stencil }) => y + stencil.height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const union = (a: Box | null, b: Box): Box => {
  if (a === null) return b;
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
};

const isAt = (a: At | null, b: At | null): boolean => a?.stencil === b?.stencil && a?.x === b?.x && a?.y === b?.y;

const isSamePlace = (a: readonly PlacedStencil[], b: readonly PlacedStencil[]): boolean =>
  a.length === b.length && a.every((each, index) => isAt(each, b[index]!) && isAt(each.hit, b[index]!.hit));

/** Where our window and the page's corner belong on the screen. */
interface Laid {
  readonly place: Box;
  readonly origin: Point;
}

export function createPainter({ screen, container, originFor, onShown }: PainterOptions): Painter {
  const { X, root } = screen;
  const { shape: shapes, render, composite } = screen.extensions;
  const pieces = createPieces(screen);
  const told = new Map<number, Shape>();
  const stage = X.AllocID();
  X.CreateWindow(stage, root, 0, 0, 1, 1, 0, 0, 1, 0, { overrideRedirect: 1 });
  let source: Source | null = null;
  let target = 0;
  let mask: {
    readonly pixmap: number;
    readonly picture: number;
    readonly width: number;
    readonly height: number;
  } | null = null;
  let blending = false;
  let shown: Shown | null = null;
  let laid: Laid | null = null;
  /** The shape on the server is not what `shown` says: our window was mapped anew, or the mode has changed. */
  let isStale = true;
  let pending: Box | null = null;
  let isLooking = false;

  const layOut = (shape: Shape, box: Box): Laid => {
    const origin = originFor(shape);
    return { origin, place: { ...box, x: origin.x + box.x, y: origin.y + box.y } };
  };

  const isLaid = ({ place, origin }: Laid): boolean =>
    laid !== null && sameBox(laid.place, place) && laid.origin.x === origin.x && laid.origin.y === origin.y;

  const dropMask = (): void => {
    if (mask === null) return;
    render.FreePicture(mask.picture);
    X.FreePixmap(mask.pixmap);
  };

  const targetPicture = async (): Promise<number> => {
    if (target !== 0) return target;
    const { visual } = await screen.ask<{ visual: number }>((done) => X.GetWindowAttributes(container.window, done));
    target = X.AllocID();
    render.CreatePicture(target, container.window, render.findVisualFormat(visual)!, {});
    return target;
  };

  /** The stage gets the solid parts of all pieces together, our window's corner at (0, 0). */
  const setStage = (placed: readonly At[], { x, y }: Point): void => {
    for (const [index, piece] of placed.entries())
      shapes.Combine(
        index === 0 ? SHAPE_SET : SHAPE_UNION,
        SHAPE_BOUNDING,
        SHAPE_BOUNDING,
        stage,
        piece.x - x,
        piece.y - y,
        piece.stencil.helper,
      );
  };

  const setMask = (placed: readonly PlacedStencil[], box: Box): void => {
    if (mask === null || mask.width < box.width || mask.height < box.height) {
      dropMask();
      mask = { pixmap: X.AllocID(), picture: X.AllocID(), width: box.width, height: box.height };
      X.CreatePixmap(mask.pixmap, root, 8, mask.width, mask.height);
      render.CreatePicture(mask.picture, mask.pixmap, render.a8, {});
    }
    render.FillRectangles(OP_CLEAR, mask.picture, [0, 0, 0, 0], [0, 0, mask.width, mask.height]);
    for (const { stencil, x, y } of placed)
      render.Composite(
        OP_OVER,
        stencil.picture,
        0,
        mask.picture,
        0,
        0,
        0,
        0,
        x - box.x,
        y - box.y,
        stencil.width,
        stencil.height,
      );
  };

  /** Copies that part of the page, in its coordinates, to where it is in our window. */
  const copy = (area: Box): void => {
    if (source === null || shown === null) return;
    const part = overlap(area, shown.box);
    if (part === null) return;
    const [x, y] = [part.x - shown.box.x, part.y - shown.box.y];
    const through = blending ? (mask?.picture ?? 0) : 0;
    render.Composite(OP_SRC, source.picture, through, target, part.x, part.y, x, y, x, y, part.width, part.height);
  };

  /** Shapes our window like the pieces; what takes the pointer may be less, or without bounds of its own more. */
  const applyShape = (placed: readonly PlacedStencil[], box: Box): void => {
    const hasHits = placed.some(({ hit }) => hit !== null);
    if (blending) {
      if (isStale) unshape(screen, container, SHAPE_BOUNDING);
    } else {
      setStage(placed, box);
      shapeLike(screen, container, SHAPE_BOUNDING, stage);
      if (!hasHits) unshape(screen, container, SHAPE_INPUT);
    }
    if (blending || hasHits) {
      setStage(
        placed.map((piece) => piece.hit ?? piece),
        box,
      );
      shapeLike(screen, container, SHAPE_INPUT, stage);
    }
    isStale = false;
  };

  const present = (shape: Shape): void => {
    const placed = pieces.place(shape.pieces);
    if (placed.length === 0) return;
    const before = shown;
    const box = extentOf(placed);
    const next = layOut(shape, box);
    const isSame = !isStale && before !== null && isSamePlace(before.placed, placed);
    const isMoved = !isLaid(next);
    if (isMoved && container.isAsked()) return;
    shown = { shape, placed, box };
    if (!isSame || isMoved) X.GrabServer();
    if (isMoved) container.lay(next.place, next.origin);
    if (!isSame) {
      if (blending) setMask(placed, box);
      applyShape(placed, box);
    }
    copy(box);
    if (!isSame || isMoved) X.UngrabServer();
    laid = next;
    screen.flush();
    if (isMoved) container.tellPosition(next.origin);
    onShown(shown);
  };

  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      while (pending !== null && source !== null && container.isMapped()) {
        const from = source;
        const area: Box = pending;
        pending = null;
        const corner = await screen.pixel(from.pixmap, 0, 0);
        if (source === from) settle(readMarker(corner), area);
      }
    } catch {
      // The pixels went while they were read; what comes next brings its own damage.
    } finally {
      isLooking = false;
    }
  };

  /** What is painted now is of that generation: shows it if its shape is known. */
  const settle = (generation: number | null, area: Box): void => {
    if (generation === null) return;
    if (!isStale && shown?.shape.generation === generation) {
      copy(area);
      screen.flush();
      return;
    }
    const shape = told.get(generation);
    if (shape !== undefined && shape.width === source?.width && shape.height === source.height) present(shape);
    // Its shape is on the way: it will look again.
    else pending = null;
  };

  const lookAgain = (): void => {
    if (source === null) return;
    pending = { x: 0, y: 0, width: source.width, height: source.height };
    void look();
  };

  const takeShape = (shape: Shape): void => {
    told.delete(shape.generation);
    told.set(shape.generation, shape);
    if (told.size > MAX_SHAPES) told.delete(told.keys().next().value!);
    if (shape.pieces.length === 0) {
      shown = null;
      isStale = true;
    } else lookAgain();
  };

  const move = (): void => {
    if (shown === null) return;
    const next = layOut(shown.shape, shown.box);
    if (isLaid(next) || container.isAsked()) return;
    laid = next;
    X.GrabServer();
    container.lay(next.place, next.origin);
    X.UngrabServer();
    screen.flush();
    container.tellPosition(next.origin);
  };

  const dropSource = (): void => {
    if (source === null) return;
    render.FreePicture(source.picture);
    X.FreePixmap(source.pixmap);
    source = null;
  };

  return {
    take: (message) => {
      if (message.type === 'mask') pieces.learn(message);
      else takeShape(message);
    },
    renew: () => {
      void (async () => {
        await targetPicture();
        const { visual } = await screen.ask<{ visual: number }>((done) => X.GetWindowAttributes(container.child, done));
        const [pixmap, picture] = [X.AllocID(), X.AllocID()];
        composite.NameWindowPixmap(container.child, pixmap);
        // Its own size: the window may have another one again by now.
        const { width, height } = await screen.ask<{ width: number; height: number }>((done) =>
          X.GetGeometry(pixmap, done),
        );
        render.CreatePicture(picture, pixmap, render.findVisualFormat(visual)!, {});
        dropSource();
        source = { pixmap, picture, width, height };
        lookAgain();
      })().catch(() => {});
    },
    damaged: (area) => {
      pending = union(pending, area);
      void look();
    },
    exposed: (area) => {
      if (shown === null || isStale) return;
      copy({ ...area, x: area.x + shown.box.x, y: area.y + shown.box.y });
      screen.flush();
    },
    repaint: () => {
      if (shown === null || isStale) return;
      copy(shown.box);
      screen.flush();
    },
    setBlending: (on) => {
      if (on === blending) return;
      blending = on;
      isStale = true;
      lookAgain();
    },
    refresh: () => {
      isStale = true;
      laid = null;
      lookAgain();
    },
    move,
    goOn: () => {
      move();
      lookAgain();
    },
    shown: () => shown,
    laid: () => laid?.place ?? null,
    close: () => {
      dropSource();
      pieces.clear();
      dropMask();
      X.DestroyWindow(stage);
    },
  };
}
