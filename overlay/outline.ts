/** Tells the see-through window which parts of the page are there, before they are painted, and marks the frame that shows them. */
import type { Box, Piece } from '../server/protocol/window.ts';
import type { ToWindow } from './link.ts';
import { createMarker, nextGeneration } from './marker.ts';
import { encodeRuns } from './mask.ts';
import type { PaintReports } from './paint.ts';
import { boxPiece, common, type Edges, isWithin, type Radii, toDevice } from './pieces.ts';
import { drawTail, type TailSide } from './tail.ts';

export interface Outline extends PaintReports {
  /** Runs `change`, which may draw and move anything, then measures everything and tells the shape, once. */
  during(change: () => void): void;
  /** Measures again, as the character is another one. */
  review(): void;
}

/** Everything that stands free on the page, but for the figure. */
const PARTS = ':is(.card, .panel, .menu, .badge, .sessions, .mark)';
/** What may change its size without a scene. */
const WATCHED = `${PARTS}, .stack, .foot, .figure`;
const CORNERS = [
  'borderTopLeftRadius',
  'borderTopRightRadius',
  'borderBottomRightRadius',
  'borderBottomLeftRadius',
] as const;

/** Corner radii in CSS px; a share of the box is a share of its shorter side, as the boxes that have one are round. */
function radiiOf(style: CSSStyleDeclaration, { left, top, right, bottom }: Edges): Radii {
  const side = Math.min(right - left, bottom - top);
  return CORNERS.map((corner) => {
    const value = Number.parseFloat(style[corner]) || 0;
    return style[corner].includes('%') ? (side * value) / 100 : value;
  }) as unknown as Radii;
}

const shifted = ({ left, top, right, bottom }: Edges, px: number): Edges => ({
  left: left + px,
  top: top + px,
  right: right + px,
  bottom: bottom + px,
});

/** Watches `root`, in which `canvas` is the figure. Tells nothing before the first `during`. */
export function createOutline(root: HTMLElement, canvas: HTMLCanvasElement, toWindow: ToWindow): Outline {
  const mark = createMarker();
  const toldMasks = new Set<string>();
  let watched: ReadonlySet<Element> = new Set();
  let parts: readonly Piece[] = [];
  let figure: Box | null = null;
  /** The figure's whole box is shown, as around it is the ring of the focus. */
  let ring: Piece | null = null;
  /** What of the figure takes the pointer, where it says so itself. */
  let hit: Box | null = null;
  let figureMask: string | null = null;
  let generation = 0;
  let told = '';
  let busy = false;

  const sizes = new ResizeObserver(() => measure());

  function tellMask(mask: string, width: number, height: number, alpha: Uint8Array): void {
    if (toldMasks.has(mask)) return;
    toldMasks.add(mask);
    toWindow({ type: 'mask', mask, width, height, runs: encodeRuns(alpha) });
  }

  function tail(element: Element, clip: Edges): readonly Piece[] {
    const edges = element.getBoundingClientRect();
    const { x, y, width, height } = toDevice(edges, devicePixelRatio);
    if (width === 0 || height === 0 || !isWithin(edges, clip)) return [];
    const { stack, align } = document.documentElement.dataset as unknown as TailSide;
    const mask = `tail-${stack}-${align}-${width}x${height}`;
    if (!toldMasks.has(mask)) tellMask(mask, width, height, drawTail(width, height, { stack, align }));
    return [{ kind: 'mask', mask, x, y }];
  }

  /** A part as the pieces that are seen of it: its box, the hard shadow it casts, and its tail. */
  function piecesOf(part: Element, page: Edges): readonly Piece[] {
    const stack = part.closest('.stack')?.getBoundingClientRect();
    const clip = stack === undefined ? page : common(stack, page);
    const edges = part.getBoundingClientRect();
    if (clip === null || edges.width === 0) return [];
    const style = getComputedStyle(part);
    const castPx = Number.parseFloat(style.getPropertyValue('--cast')) || 0;
    const boxes = castPx === 0 ? [edges] : [edges, shifted(edges, castPx)];
    const radii = radiiOf(style, edges);
    const seen = boxes.map((box) => boxPiece(box, radii, clip, devicePixelRatio)).filter((piece) => piece !== null);
    return [...seen, ...[...part.querySelectorAll(':scope > .tail')].flatMap((element) => tail(element, clip))];
  }

  function watch(): void {
    const now = new Set(root.querySelectorAll(WATCHED));
    for (const element of watched) if (!now.has(element)) sizes.unobserve(element);
    for (const element of now) if (!watched.has(element)) sizes.observe(element);
    watched = now;
  }

  function measureFigure(page: Edges): void {
    const edges = canvas.getBoundingClientRect();
    figure = canvas.isConnected && edges.width > 0 ? toDevice(edges, devicePixelRatio) : null;
    const area = 'hit' in document.documentElement.dataset ? root.querySelector('.hit') : null;
    hit = area === null ? null : toDevice(area.getBoundingClientRect(), devicePixelRatio);
    const grip = root.querySelector('.figure:focus-visible');
    if (grip === null) ring = null;
    else {
      const around = grip.getBoundingClientRect();
      ring = boxPiece(around, radiiOf(getComputedStyle(grip), around), page, devicePixelRatio);
    }
  }

  function measure(): void {
    const page = document.body.getBoundingClientRect();
    parts = [...root.querySelectorAll(PARTS)].flatMap((part) => piecesOf(part, page));
    measureFigure(page);
    watch();
    tell();
  }

  const figurePieces = (): readonly Piece[] => {
    if (figure === null || figureMask === null) return [];
    return [ring ?? { kind: 'mask', mask: figureMask, x: figure.x, y: figure.y, ...(hit && { hit }) }];
  };

  function tell(): void {
    const { width, height } = toDevice({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }, devicePixelRatio);
    const shape = { width, height, pieces: [...parts, ...figurePieces()], figure: figureMask === null ? null : figure };
    const now = JSON.stringify(shape);
    if (now === told) return;
    told = now;
    generation = nextGeneration(generation);
    toWindow({ type: 'shape', generation, ...shape });
    mark(generation);
  }

  const isStarted = (): boolean => generation > 0;
  root.addEventListener(
    'scroll',
    ({ target }) => {
      // What scrolls within a part changes no shape.
      if (isStarted() && target instanceof Element && target.closest(PARTS) === null) measure();
    },
    true,
  );
  for (const name of ['focusin', 'focusout'] as const)
    root.addEventListener(name, ({ target }) => {
      if (isStarted() && target instanceof Element && target.matches('.figure')) queueMicrotask(measure);
    });

  return {
    during(change) {
      busy = true;
      change();
      busy = false;
      measure();
    },
    review: () => {
      if (isStarted() && !busy) measure();
    },
    onMask: tellMask,
    onDrawn(mask) {
      figureMask = mask;
      if (busy || !isStarted()) return;
      if (figure?.width === canvas.width && figure.height === canvas.height) tell();
      else measure();
    },
  };
}
