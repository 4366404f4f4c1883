/** Reads WindowPet's lists of sheets, in both their forms: lines of a sheet, or stretches of its cells. */
import { type Candidate, type Draft, type Note, playedMs } from './draft.ts';
import { giveUp } from './give-up.ts';
import { GRID_FORMAT, MAX_CELLS, MAX_CLIP_FRAMES, pictureBeside, toDraft, wholeOf } from './grid-sheet.ts';
import { type SourceTree, shown, stemOf } from './source.ts';
import { type JsonObject, jsonObject, parseJson } from './text.ts';

/** WindowPet shows every sheet at this rate. */
const FRAMES_PER_SECOND = 9;

/** `{spriteLine, frameMax}` is a line of the sheet, `{start, end}` a stretch of its cells; all counted from 1. */
function windowPetCells(where: string, name: string, state: JsonObject | null, columns: number): readonly number[] {
  const number = (key: string): number | null => {
    const value = state?.number(key) ?? null;
    return value !== null && Number.isInteger(value) && value >= 1 && value <= MAX_CELLS ? value : null;
  };
  const [line, frames, start, end] = [number('spriteLine'), number('frameMax'), number('start'), number('end')];
  const [from, count] =
    line !== null && frames !== null
      ? [(line - 1) * columns, frames]
      : start !== null && end !== null
        ? [start - 1, end - start + 1]
        : [0, 0];
  if (count < 1 || count > MAX_CLIP_FRAMES) giveUp(`${where}: state ${shown(name)} names no cells`);
  return Array.from({ length: count }, (_, index) => from + index);
}

async function readWindowPet(
  tree: SourceTree,
  file: string,
  pet: JsonObject,
  bytes: Uint8Array,
  verbs: readonly string[],
): Promise<Draft> {
  const notes: Note[] = [];
  const where = shown(file);
  const picture = await pictureBeside(tree, file, (pet.text('imageSrc') ?? '').replace(/^[/\\]+/, ''), notes);
  const size = pet.number('frameSize');
  const sheet =
    size === null
      ? {
          columns: wholeOf(where, pet, 'highestFrameMax', 1, null),
          rows: wholeOf(where, pet, 'totalSpriteLine', 1, null),
          cellW: 0,
          cellH: 0,
        }
      : { columns: Math.floor(picture.w / size), rows: Math.floor(picture.h / size), cellW: size, cellH: size };
  const cellW = sheet.cellW || Math.floor(wholeOf(where, pet, 'width', 1, picture.w) / sheet.columns);
  const cellH = sheet.cellH || Math.floor(wholeOf(where, pet, 'height', 1, picture.h) / sheet.rows);
  const animations = (pet.object('states')?.entries() ?? []).map(([name, state]) => {
    const cells = windowPetCells(where, name, jsonObject(state), sheet.columns);
    return { name, cells, durationsMs: cells.map(() => playedMs(1_000 / FRAMES_PER_SECOND)), loop: true };
  });
  if (animations.length === 0) giveUp(`${where}: ${shown(pet.text('name') ?? 'a pet')} has no states`);
  const name = pet.text('name') ?? stemOf(file);
  return toDraft(
    {
      where,
      name,
      picture,
      json: pet,
      notes,
      evidence: [bytes],
      sheet: { ...sheet, cellW, cellH, margin: 0, spacing: 0 },
      animations,
    },
    verbs,
  );
}

const isWindowPet = (pet: JsonObject | null): pet is JsonObject =>
  pet?.text('imageSrc') != null && pet.object('states') !== null;

/** The pets of every such list in the source. */
export async function findWindowPets(tree: SourceTree, verbs: readonly string[]): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const file of tree.files) {
    if (!/\.json$/i.test(file) || (tree.chosen !== null && tree.chosen !== file)) continue;
    const bytes = await tree.read(file);
    let value: unknown;
    try {
      value = parseJson(file, bytes);
    } catch {
      // Some other file of JSON's name; whoever it belongs to will tell.
      continue;
    }
    for (const pet of (Array.isArray(value) ? value : [value]).map(jsonObject).filter(isWindowPet))
      found.push({
        format: GRID_FORMAT,
        name: pet.text('name') ?? stemOf(file),
        read: () => readWindowPet(tree, file, pet, bytes, verbs),
      });
  }
  return found;
}
