/** A sheet of equal cells, however it was described: checks it against its picture and makes a draft of it. */
import type { Box } from '../../protocol/character.ts';
import { type Draft, type Note, plainPose, type Take } from './draft.ts';
import { giveUp } from './give-up.ts';
import { type Picture, readPicture } from './picture.ts';
import { baseOf, findFile, folderOf, insidePath, joinPath, type SourceTree, shown } from './source.ts';
import type { JsonObject } from './text.ts';
import { CLIP_TARGETS, chooseByWords, isPassing, splitState } from './words.ts';

export const GRID_FORMAT = 'grid';
export const MAX_CELLS = 4_096;
export const MAX_CLIP_FRAMES = 256;

/** Cells of a picture: how they lie, and which of them follow each other. */
export interface GridSheet {
  readonly columns: number;
  readonly rows: number;
  readonly cellW: number;
  readonly cellH: number;
  readonly margin: number;
  readonly spacing: number;
}

export interface GridAnimation {
  readonly name: string;
  readonly cells: readonly number[];
  /** One per cell. */
  readonly durationsMs: readonly number[];
  readonly loop: boolean;
}

/** A whole number of that name, or `usual` when there is none. Error: E_INVALID_INPUT. */
export const wholeOf = (where: string, object: JsonObject, name: string, min: number, usual: number | null): number => {
  const value = object.get(name) ?? usual;
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= 8_192
    ? (value as number)
    : giveUp(`${where}: ${name} must be a whole number from ${min} to 8192`);
};

function checkSheet(
  where: string,
  { columns, rows, cellW, cellH, margin, spacing }: GridSheet,
  picture: Picture,
): void {
  const w = 2 * margin + columns * (cellW + spacing) - spacing;
  const h = 2 * margin + rows * (cellH + spacing) - spacing;
  if (columns < 1 || rows < 1 || cellW < 1 || cellH < 1 || w > picture.w || h > picture.h)
    giveUp(
      `${where}: ${columns} x ${rows} cells of ${cellW} x ${cellH} do not fit into ${picture.w} x ${picture.h} pixels`,
    );
  if (columns * rows > MAX_CELLS) giveUp(`${where}: has ${columns * rows} cells, at most ${MAX_CELLS} are allowed`);
}

const regionOf = ({ columns, cellW, cellH, margin, spacing }: GridSheet, cell: number): Box => ({
  x: margin + (cell % columns) * (cellW + spacing),
  y: margin + Math.floor(cell / columns) * (cellH + spacing),
  w: cellW,
  h: cellH,
});

/** Clips whose name is one of ours are declared; others are known by their words. */
function takesOf(
  where: string,
  sheet: GridSheet,
  picture: Picture,
  animations: readonly GridAnimation[],
  verbs: readonly string[],
  notes: Note[],
): readonly Take[] {
  const count = sheet.columns * sheet.rows;
  const toTake = (target: string, basis: Take['basis'], { name, cells, durationsMs, loop }: GridAnimation): Take => {
    const bad = cells.find((cell) => !Number.isInteger(cell) || cell < 0 || cell >= count);
    if (bad !== undefined) giveUp(`${where}: clip ${shown(name)} names cell ${String(bad)}, the sheet has ${count}`);
    const poses = cells.map((cell, index) => plainPose(picture.file, regionOf(sheet, cell), durationsMs[index]!));
    return { target, source: name, basis, poses, loop: target === 'idle' || (loop && !isPassing(target)) };
  };
  const own = animations.filter(({ name }) => CLIP_TARGETS.includes(name) || verbs.includes(name));
  const others = animations.filter((each) => !own.includes(each));
  const declared = own.map((each) => toTake(each.name, 'declared', each));
  const known = chooseByWords(animations, ({ name }) => splitState(name).state)
    .filter(({ target }) => !declared.some((take) => take.target === target))
    .map(({ target, basis, animation }) => toTake(target, basis, animation));
  for (const each of others.filter(({ name }) => !known.some(({ source }) => source === name)))
    notes.push({ file: where, line: null, text: `clip ${shown(each.name)} was left out: nothing here calls for it` });
  return [...declared, ...known];
}

export interface Described {
  readonly where: string;
  readonly name: string;
  readonly picture: Picture;
  readonly sheet: GridSheet;
  readonly animations: readonly GridAnimation[];
  readonly json: JsonObject;
  readonly notes: Note[];
  readonly evidence: readonly Uint8Array[];
}

/** Errors: E_INVALID_INPUT, naming `where`. */
export function toDraft(
  { where, name, picture, sheet, animations, json, notes, evidence }: Described,
  verbs: readonly string[],
): Draft {
  checkSheet(where, sheet, picture);
  const author = json.text('author');
  const key = json.text('transparency');
  return {
    format: GRID_FORMAT,
    name,
    sourceId: name,
    description: json.text('description') ?? '',
    authors: author === null ? [] : [author],
    license: json.text('license'),
    version: json.text('version'),
    facing: json.text('facing') === 'left' ? 'left' : 'right',
    scaling: json.text('scaling') === 'smooth' ? 'smooth' : 'pixelated',
    scale: 1,
    colourKey: key !== null && /^([A-Za-z]{1,32}|#[0-9A-Fa-f]{3,8})$/.test(key) ? key : null,
    pictures: new Map([[picture.file, picture]]),
    takes: takesOf(where, sheet, picture, animations, verbs, notes),
    notes,
    evidence: [...evidence, picture.bytes],
  };
}

/** The picture that `file` names, which lies beside it. Errors: E_INVALID_INPUT. */
export async function pictureBeside(tree: SourceTree, file: string, named: string, notes: Note[]): Promise<Picture> {
  const path = insidePath(folderOf(file), named);
  if (path === null) return giveUp(`${shown(file)} names a picture outside the pack; it was not opened`);
  const found = findFile(tree, path) ?? findFile(tree, joinPath(folderOf(file), baseOf(path)));
  if (found === null) return giveUp(`${shown(path)} is missing: ${shown(file)} names it as its picture`);
  if (found.note !== null) notes.push({ file: found.path, line: null, text: found.note });
  return readPicture(found.path, await tree.read(found.path));
}
