/** The sheet of oneko, 8 x 4 cells of 32 px, which comes without a description: which cells show what. Data. */
import type { GridAnimation, GridSheet } from './grid-sheet.ts';

/** A cell by its column and row. */
const at = (column: number, row: number): number => row * 8 + column;
/** One step of it takes this long. */
const STEP_MS = 100;

const animation = (name: string, stepsPerCell: number, ...cells: number[]): GridAnimation => ({
  name,
  cells,
  durationsMs: cells.map(() => STEP_MS * stepsPerCell),
  loop: true,
});

export const ONEKO: { readonly sheet: GridSheet; readonly animations: readonly GridAnimation[] } = {
  sheet: { columns: 8, rows: 4, cellW: 32, cellH: 32, margin: 0, spacing: 0 },
  animations: [
    animation('idle', 10, at(3, 3)),
    animation('alert', 10, at(7, 3)),
    animation('scratchSelf', 2, at(5, 0), at(6, 0), at(7, 0)),
    animation('tired', 10, at(3, 2)),
    animation('sleeping', 4, at(2, 0), at(2, 1)),
    animation('move_right', 1, at(3, 0), at(3, 1)),
    animation('move_left', 1, at(4, 2), at(4, 3)),
  ],
};
