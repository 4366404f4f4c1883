/** Puts the frames of a character into grids of cells: one sheet a clip, so that a page decodes no more than it shows. */
import { type Clip, IDLE_CLIP } from '../../server/protocol/character.ts';
import type { DrawnClip } from './drawn.ts';

export interface Sheet {
  /** Of the clip it was made for, and of the image. */
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  /** Drawings in the order of their cells. */
  readonly cells: readonly string[];
}

export interface Layout {
  readonly sheets: readonly Sheet[];
  readonly clips: Readonly<Record<string, Clip>>;
}

const unique = (drawings: readonly string[]): readonly string[] => [...new Set(drawings)];

function toSheet(name: string, cells: readonly string[]): Sheet {
  const columns = Math.ceil(Math.sqrt(cells.length));
  return { name, columns, rows: Math.ceil(cells.length / columns), cells };
}

function toClip({ frames, loop, stillFrame }: DrawnClip, sheets: readonly Sheet[]): Clip {
  const placed = frames.map(({ drawing, ms }) => {
    const sheet = sheets.find(({ cells }) => cells.includes(drawing))!;
    return { image: sheet.name, cell: sheet.cells.indexOf(drawing), duration: ms };
  });
  return { frames: placed, loop, stillFrame, ...(loop === true ? {} : { fallback: IDLE_CLIP }) };
}

/**
 * Lays out `clips`: within a clip equal drawings share a cell, and what idle has already is taken from its sheet, which
 * is the one that is nearly always there. Nothing else is shared: a clip must not wait for a sheet of another.
 */
export function layOut(clips: Readonly<Record<string, DrawnClip>>): Layout {
  const drawingsOf = (name: string): readonly string[] => unique(clips[name]!.frames.map(({ drawing }) => drawing));
  const idle = toSheet(IDLE_CLIP, drawingsOf(IDLE_CLIP));
  const sheetOf = (name: string): Sheet =>
    name === IDLE_CLIP
      ? idle
      : toSheet(
          name,
          drawingsOf(name).filter((drawing) => !idle.cells.includes(drawing)),
        );
  const named = Object.entries(clips).map(([name, drawn]) => [name, drawn, sheetOf(name)] as const);
  return {
    sheets: named.map(([, , sheet]) => sheet).filter(({ cells }) => cells.length > 0),
    clips: Object.fromEntries(named.map(([name, drawn, sheet]) => [name, toClip(drawn, [idle, sheet])])),
  };
}
