/** Reads plain sheets of equal cells by a descriptor, `grid.json`, or because they are known by heart (oneko). */
import { type Candidate, type Draft, type Note, playedMs } from './draft.ts';
import { giveUp } from './give-up.ts';
import {
  GRID_FORMAT,
  type GridAnimation,
  type GridSheet,
  MAX_CLIP_FRAMES,
  pictureBeside,
  toDraft,
  wholeOf,
} from './grid-sheet.ts';
import { ONEKO } from './oneko.ts';
import { type Picture, readPicture } from './picture.ts';
import { baseOf, folderOf, type SourceTree, shown, stemOf } from './source.ts';
import { type JsonObject, jsonObject, parseJson } from './text.ts';
import { findWindowPets } from './window-pet.ts';

const DESCRIPTOR = /(^|\/)grid\.json$/i;
const DEFAULT_FPS = 8;
const MAX_FPS = 50;

/** Cell sizes as the descriptor states them, or what is left when columns and rows share the picture. */
function sheetOf(where: string, json: JsonObject, picture: Picture): GridSheet {
  const margin = wholeOf(where, json, 'margin', 0, 0);
  const spacing = wholeOf(where, json, 'spacing', 0, 0);
  const cell = json.object('cell');
  const along = (side: number, count: 'columns' | 'rows', name: 'w' | 'h') => {
    const usable = side - 2 * margin + spacing;
    if (cell !== null && json.get(count) === undefined) {
      const length = wholeOf(`${where}: cell`, cell, name, 1, null);
      return { count: Math.floor(usable / (length + spacing)), length };
    }
    const number = wholeOf(where, json, count, 1, null);
    const length =
      cell === null ? Math.floor(usable / number) - spacing : wholeOf(`${where}: cell`, cell, name, 1, null);
    return { count: number, length };
  };
  const [x, y] = [along(picture.w, 'columns', 'w'), along(picture.h, 'rows', 'h')];
  return { columns: x.count, rows: y.count, cellW: x.length, cellH: y.length, margin, spacing };
}

function animationOf(where: string, name: string, value: unknown): GridAnimation {
  const clip = jsonObject(Array.isArray(value) ? { cells: value } : value);
  const cells = clip?.list('cells');
  const label = `${where}: clip ${shown(name)}`;
  if (!clip || !cells || cells.length === 0) return giveUp(`${label} has no cells`);
  if (cells.length > MAX_CLIP_FRAMES)
    giveUp(`${label} has ${cells.length} cells, at most ${MAX_CLIP_FRAMES} are allowed`);
  const fps = clip.get('fps') ?? DEFAULT_FPS;
  if (typeof fps !== 'number' || !(fps > 0 && fps <= MAX_FPS))
    return giveUp(`${label}: fps must be above 0 and at most ${MAX_FPS}`);
  const times = clip.list('durations');
  if (times !== null && (times.length !== cells.length || times.some((ms) => typeof ms !== 'number' || !(ms > 0))))
    giveUp(`${label}: durations must be as many numbers above 0 as there are cells`);
  return {
    name,
    cells: cells as number[],
    durationsMs: times === null ? cells.map(() => playedMs(1_000 / fps)) : (times as number[]).map(playedMs),
    loop: clip.get('loop') !== false,
  };
}

async function readDescriptor(tree: SourceTree, file: string, verbs: readonly string[]): Promise<Draft> {
  const bytes = await tree.read(file);
  const json = jsonObject(parseJson(shown(file), bytes));
  if (json === null) return giveUp(`${shown(file)} is no JSON object`);
  const notes: Note[] = [];
  const image = json.text('image') ?? giveUp(`${shown(file)}: image must name the picture`);
  const picture = await pictureBeside(tree, file, image, notes);
  const name = json.text('name') ?? (folderOf(file) === '' ? tree.name : baseOf(folderOf(file)));
  const base = { where: shown(file), name, picture, json, notes, evidence: [bytes] };
  if (json.text('preset') === 'oneko') return toDraft({ ...base, ...ONEKO }, verbs);
  if (json.get('preset') !== undefined) return giveUp(`${shown(file)}: the only preset is oneko`);
  const clips = json.object('clips')?.entries() ?? [];
  if (clips.length === 0) giveUp(`${shown(file)}: clips must name at least one clip`);
  const animations = clips.map(([clip, value]) => animationOf(shown(file), clip, value));
  return toDraft({ ...base, sheet: sheetOf(shown(file), json, picture), animations }, verbs);
}

/** The one sheet everybody has under the same name and in the same size. */
async function findOneko(tree: SourceTree, verbs: readonly string[]): Promise<readonly Candidate[]> {
  const files = tree.files.filter(
    (file) => /(^|\/)oneko[^/]*\.(gif|png|webp)$/i.test(file) && (tree.chosen === null || tree.chosen === file),
  );
  const found: Candidate[] = [];
  for (const file of files) {
    const bytes = await tree.read(file);
    const picture = readPicture(file, bytes);
    if (picture.w !== 256 || picture.h !== 128) continue;
    const described = {
      where: shown(file),
      name: stemOf(file),
      picture,
      json: jsonObject({})!,
      notes: [],
      evidence: [],
      ...ONEKO,
    };
    found.push({ format: GRID_FORMAT, name: stemOf(file), read: async () => toDraft(described, verbs) });
  }
  return found;
}

/** Sheets with a descriptor, or known without one. `verbs` are the last words of capability IDs, which clips may be named by. */
export async function findGrids(tree: SourceTree, verbs: readonly string[]): Promise<readonly Candidate[]> {
  const described = tree.files
    .filter((file) => DESCRIPTOR.test(file) && (tree.chosen === null || tree.chosen === file))
    .map((file) => ({
      format: GRID_FORMAT,
      name: folderOf(file) === '' ? tree.name : baseOf(folderOf(file)),
      read: () => readDescriptor(tree, file, verbs),
    }));
  if (described.length > 0) return described;
  const pets = await findWindowPets(tree, verbs);
  return pets.length > 0 ? pets : findOneko(tree, verbs);
}
