/** Lays the poses of a draft into equal cells, so that what has to stay in its place does; pure, moves no pixel. */
import type { AtlasCell, AtlasPlan } from '../../protocol/atlas.ts';
import { PACK_LIMITS } from '../limits.ts';
import type { Draft, Pose } from './draft.ts';
import { giveUp } from './give-up.ts';

/** Figures are about as large as those that come with the program; larger ones have finer pixels instead. */
const USUAL_SIDE_PX = 128;
const MAX_LOGICAL_SIDE_PX = 256;
const MAX_SCALE = 4;
const MIN_LOGICAL_SIDE_PX = 16;
/** 64 MB once the overlay has decoded it. */
const MAX_ATLAS_PX = 16_000_000;
const MAX_ATLAS_SIDE_PX = 8_192;
const MAX_GRID_SIDE = 256;
const MAX_CELL_PX = 4_096;

export interface Layout {
  readonly plan: AtlasPlan;
  /** Of one pose: its cell. */
  cellOf(pose: Pose): number;
  readonly canvas: { readonly w: number; readonly h: number; readonly scale: number };
  /** Fractions of a cell. */
  readonly anchor: { readonly x: number; readonly y: number };
  /** Atlas px per picture px. */
  readonly zoom: number;
}

interface Reach {
  readonly left: number;
  readonly right: number;
  readonly up: number;
  readonly down: number;
}

/** How far the poses reach from the anchor they share, picture px; never negative, so that the anchor lies within. */
function reachOf(poses: readonly Pose[]): Reach {
  const most = (of: (pose: Pose) => number): number =>
    poses.reduce((max, pose) => Math.max(max, Math.ceil(of(pose))), 0);
  return {
    left: most(({ anchor }) => anchor.x),
    right: most(({ anchor, size }) => size.w - anchor.x),
    up: most(({ anchor }) => anchor.y),
    down: most(({ anchor, size }) => size.h - anchor.y),
  };
}

/** Small pixel art is magnified by a whole number, large pictures are shown finer, and what would not fit is made smaller. */
function sizesOf(draft: Draft, w: number, h: number, cells: number): { readonly zoom: number; readonly scale: number } {
  const logical = Math.max(w, h) / draft.scale;
  let zoom = Math.max(1, 1 / draft.scale);
  let scale = Math.min(MAX_SCALE, Math.max(1, Math.round(draft.scale)));
  const times = Math.floor(USUAL_SIDE_PX / logical);
  if (draft.scaling === 'pixelated' && draft.scale === 1 && times > 1) zoom = times;
  if (logical > MAX_LOGICAL_SIDE_PX) scale = Math.min(MAX_SCALE, scale * Math.ceil(logical / MAX_LOGICAL_SIDE_PX));
  const largest = Math.max(w, h) * zoom;
  if (largest > MAX_LOGICAL_SIDE_PX * scale) zoom *= (MAX_LOGICAL_SIDE_PX * scale) / largest;
  const area = cells * w * h * zoom * zoom;
  // A little less than fits, because cells are rounded up.
  if (area > MAX_ATLAS_PX) zoom *= Math.sqrt((MAX_ATLAS_PX * 0.95) / area);
  return { zoom, scale };
}

const keyOf = ({ picture, frame, region, rotated, offset, anchor }: Pose): string =>
  JSON.stringify([picture, frame, region, rotated, offset, anchor]);

function columnsFor(cells: number, cellW: number, cellH: number): number {
  const square = Math.ceil(Math.sqrt((cells * cellH) / cellW));
  const columns = Math.max(1, Math.min(square, cells, MAX_GRID_SIDE, Math.floor(MAX_ATLAS_SIDE_PX / cellW)));
  const rows = Math.ceil(cells / columns);
  return rows > MAX_GRID_SIDE || rows * cellH > MAX_ATLAS_SIDE_PX
    ? giveUp(`${cells} pictures of ${cellW} x ${cellH} pixels are too many for one sheet`)
    : columns;
}

/** Every different pose gets a cell. Error: E_INVALID_INPUT when they would make too large a sheet. */
export function layOut(draft: Draft): Layout {
  const poses = draft.takes.flatMap((take) => take.poses);
  if (poses.length > PACK_LIMITS.maxFrames)
    giveUp(`the clips have ${poses.length} frames, at most ${PACK_LIMITS.maxFrames} are allowed`);
  const unique = new Map(poses.map((pose) => [keyOf(pose), pose]));
  const order = [...unique.keys()];
  const reach = reachOf([...unique.values()]);
  const [w, h] = [reach.left + reach.right, reach.up + reach.down];
  if (w < 1 || h < 1 || w > MAX_CELL_PX || h > MAX_CELL_PX)
    giveUp(`a frame would have to be ${w} x ${h} pixels, at most ${MAX_CELL_PX} are allowed on a side`);
  const { zoom, scale } = sizesOf(draft, w, h, order.length);
  const side = (length: number): number =>
    Math.max(MIN_LOGICAL_SIDE_PX, Math.ceil((length * zoom) / scale - 1e-6)) * scale;
  const [cellW, cellH] = [side(w), side(h)];
  // What a small figure lacks is added at its sides and above it: its feet stay at the edge.
  const [padX, padY] = [Math.floor((cellW - w * zoom) / 2), Math.floor(cellH - h * zoom)];
  const pictures = [...draft.pictures.keys()];
  const cells = [...unique.values()].map(
    (pose): AtlasCell => ({
      picture: pictures.indexOf(pose.picture),
      frame: pose.frame,
      region: pose.region,
      rotated: pose.rotated,
      x: Math.round(padX + (reach.left - pose.anchor.x + pose.offset.x) * zoom),
      y: Math.round(padY + (reach.up - pose.anchor.y + pose.offset.y) * zoom),
    }),
  );
  return {
    plan: {
      columns: columnsFor(cells.length, cellW, cellH),
      cellW,
      cellH,
      zoom,
      smooth: draft.scaling === 'smooth' || zoom < 1,
      colourKey: draft.colourKey,
      cells,
    },
    cellOf: (pose) => order.indexOf(keyOf(pose)),
    canvas: { w: cellW / scale, h: cellH / scale, scale },
    anchor: { x: (padX + reach.left * zoom) / cellW, y: Math.min(1, (padY + reach.up * zoom) / cellH) },
    zoom,
  };
}
