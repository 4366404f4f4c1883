/** Puts the frames of all clips into the cells of one grid, each drawing once. */
import type { DrawnClip } from './clips.ts';
import type { Pose } from './pose.ts';

const COLUMNS = 10;

export interface Sheet {
  readonly columns: number;
  readonly rows: number;
  /** Drawings in the order of their cells. */
  readonly cells: readonly string[];
  /** Each clip with the cells of its frames, in order. */
  readonly clips: readonly { readonly name: string; readonly clip: DrawnClip; readonly cells: readonly number[] }[];
}

/** Draws every pose of `clips`; equal drawings share a cell. */
export function layOut(clips: Readonly<Record<string, DrawnClip>>, draw: (pose: Pose) => string): Sheet {
  const cells: string[] = [];
  const cellOf = (pose: Pose): number => {
    const drawing = draw(pose);
    const known = cells.indexOf(drawing);
    return known === -1 ? cells.push(drawing) - 1 : known;
  };
  const placed = Object.entries(clips).map(([name, clip]) => ({
    name,
    clip,
    cells: clip.shots.map(({ pose }) => cellOf(pose)),
  }));
  return { columns: COLUMNS, rows: Math.ceil(cells.length / COLUMNS), cells, clips: placed };
}
