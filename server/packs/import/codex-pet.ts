/** Reads Codex pets: `pet.json` and one sheet of 8 columns, told apart by the picture's size; the sheet is taken as it is. */
import type { Candidate, Draft, Note, Pose, Take } from './draft.ts';
import { giveUp } from './give-up.ts';
import { type Picture, readPicture } from './picture.ts';
import { findFile, folderOf, insidePath, joinPath, type SourceTree, shown, stemOf } from './source.ts';
import { type JsonObject, jsonObject, parseJson } from './text.ts';

export const CODEX_FORMAT = 'codex-pet';
const MANIFESTS = /(^|\/)(pet|avatar)\.json$/;
const DEFAULT_SHEET = 'spritesheet.webp';
const MAX_CELLS = 256;
const MAX_FPS = 60;
const LOOK_MS = 250;

interface Row {
  readonly name: string;
  readonly cells: number;
  readonly ms: number;
  readonly lastMs: number;
  readonly targets: readonly string[];
}

const row = (name: string, cells: number, ms: number, lastMs: number, ...targets: string[]): Row => ({
  name,
  cells,
  ms,
  lastMs,
  targets,
});

/** What the rows of a sheet mean, from the top. The right-running figure is also what is dragged, as there is no other. */
const ROWS: readonly Row[] = [
  row('idle', 6, 0, 0, 'idle'),
  row('running-right', 8, 120, 220, 'move', 'drag'),
  row('running-left', 8, 120, 220, 'move-left', 'drag-left'),
  row('waving', 4, 140, 280, 'greet'),
  row('jumping', 5, 140, 280, 'celebrate'),
  row('failed', 8, 140, 240, 'fail'),
  row('waiting', 6, 150, 260, 'wait'),
  row('running', 6, 120, 220, 'work'),
  row('review', 6, 150, 280, 'think'),
];
/** An idle figure moves six times slower than its row says. */
const IDLE_MS = [1_680, 660, 660, 840, 840, 1_920];
const ALIASES: Readonly<Record<string, string>> = {
  move_right: 'running-right',
  move_left: 'running-left',
  wave: 'waving',
  bounce: 'jumping',
  sad: 'failed',
};
const CELL = { w: 192, h: 208, columns: 8 };
const ROWS_BY_VERSION = [
  { version: 1, rows: 9 },
  { version: 2, rows: 11 },
];

interface Sheet {
  readonly picture: Picture;
  readonly columns: number;
  readonly rows: number;
  readonly cellW: number;
  readonly cellH: number;
}

/** The grid the manifest states, or that of the version whose sheet has this size. */
function gridOf(file: string, picture: Picture, manifest: JsonObject, notes: Note[]): Sheet {
  const frame = manifest.object('frame');
  const known = ROWS_BY_VERSION.find(({ rows }) => picture.w === CELL.w * CELL.columns && picture.h === CELL.h * rows);
  const claimed = manifest.number('spriteVersionNumber');
  if (known !== undefined && claimed !== null && claimed !== known.version)
    notes.push({
      file,
      line: null,
      text: `says version ${claimed}, but its sheet has the size of version ${known.version}`,
    });
  if (frame === null) {
    if (known === undefined)
      return giveUp(
        `${shown(picture.file)} is ${picture.w} x ${picture.h} pixels; a Codex pet has 1536 x 1872 (version 1) or 1536 x 2288 (version 2)`,
      );
    return { picture, columns: CELL.columns, rows: known.rows, cellW: CELL.w, cellH: CELL.h };
  }
  const whole = (name: string, usual: number): number => {
    const value = frame.get(name) ?? usual;
    return Number.isInteger(value) && (value as number) > 0
      ? (value as number)
      : giveUp(`${shown(file)}: frame.${name} must be a whole number above 0`);
  };
  const sheet = {
    picture,
    columns: whole('columns', CELL.columns),
    rows: whole('rows', known?.rows ?? ROWS.length),
    cellW: whole('width', CELL.w),
    cellH: whole('height', CELL.h),
  };
  if (sheet.columns * sheet.rows > MAX_CELLS)
    giveUp(`${shown(file)}: has ${sheet.columns * sheet.rows} cells, at most ${MAX_CELLS} are allowed`);
  if (sheet.columns * sheet.cellW !== picture.w || sheet.rows * sheet.cellH !== picture.h)
    giveUp(
      `${shown(file)}: ${sheet.columns} x ${sheet.rows} cells of ${sheet.cellW} x ${sheet.cellH} do not cover the sheet of ${picture.w} x ${picture.h} pixels`,
    );
  return sheet;
}

function poseOf({ picture, columns, cellW, cellH }: Sheet, cell: number, durationMs: number): Pose {
  const region = { x: (cell % columns) * cellW, y: Math.floor(cell / columns) * cellH, w: cellW, h: cellH };
  return {
    picture: picture.file,
    frame: 0,
    region,
    rotated: false,
    offset: { x: 0, y: 0 },
    size: { w: cellW, h: cellH },
    anchor: { x: cellW / 2, y: cellH },
    durationMs,
  };
}

/** The animations that every sheet of this shape has. */
function takesOfRows(sheet: Sheet): readonly Take[] {
  const takes = ROWS.slice(0, sheet.rows).flatMap(({ name, cells, ms, lastMs, targets }, line) => {
    const poses = Array.from({ length: Math.min(cells, sheet.columns) }, (_, index) =>
      poseOf(
        sheet,
        line * sheet.columns + index,
        IDLE_MS[line === 0 ? index : -1] ?? (index === cells - 1 ? lastMs : ms),
      ),
    );
    return targets.map((target): Take => ({ target, source: name, basis: 'declared', poses, loop: loopOf(target) }));
  });
  if (sheet.rows !== 11) return takes;
  const look = Array.from({ length: 2 * sheet.columns }, (_, index) =>
    poseOf(sheet, 9 * sheet.columns + index, LOOK_MS),
  );
  return [...takes, { target: 'look', source: 'look directions', basis: 'declared', poses: look, loop: false }];
}

/** Its states play three times and then settle; what a request holds on to goes round as long as it is wanted. */
const loopOf = (target: string): boolean | number => (target === 'greet' || target === 'celebrate' ? 3 : true);

/** Animations that the manifest spells out itself. */
function takesOfManifest(file: string, manifest: JsonObject, sheet: Sheet, notes: Note[]): readonly Take[] {
  const cells = sheet.columns * sheet.rows;
  return (manifest.object('animations')?.entries() ?? []).flatMap(([name, value]): readonly Take[] => {
    const animation = jsonObject(value);
    const label = shown(name);
    const frames = animation?.list('frames');
    if (!animation || !frames || frames.length === 0) return giveUp(`${shown(file)}: animation ${label} has no frames`);
    const fps = animation.get('fps') ?? 8;
    if (typeof fps !== 'number' || !(fps > 0 && fps <= MAX_FPS))
      return giveUp(`${shown(file)}: animation ${label} has a rate that is not above 0 and at most ${MAX_FPS}`);
    const bad = frames.find((cell) => !Number.isInteger(cell) || (cell as number) < 0 || (cell as number) >= cells);
    if (bad !== undefined)
      giveUp(`${shown(file)}: animation ${label} names cell ${String(bad)}, the sheet has ${cells}`);
    const known = ROWS.find((each) => each.name === (ALIASES[name] ?? name));
    if (known === undefined) {
      notes.push({ file, line: null, text: `animation ${label} was left out: nothing here calls for it` });
      return [];
    }
    const poses = frames.map((cell) => poseOf(sheet, cell as number, Math.max(20, Math.round(1_000 / fps))));
    const loop = animation.get('loop') !== false;
    return known.targets.map((target) => ({
      target,
      source: name,
      basis: 'declared',
      poses,
      loop: target === 'idle' || loop,
    }));
  });
}

/** What a pet's manifest says, before anything else of it is opened. */
export interface PetFile {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly manifest: JsonObject;
  /** Path of the sheet, in the folder of `file` or below it. */
  readonly sheet: string;
}

/** Reads `pet.json`. Error: E_INVALID_INPUT, also when its sheet would lie outside its folder. */
export function readPetFile(file: string, bytes: Uint8Array): PetFile {
  const manifest = jsonObject(parseJson(shown(file), bytes));
  if (manifest === null) return giveUp(`${shown(file)} is no JSON object`);
  const named = manifest.text('spritesheetPath') ?? DEFAULT_SHEET;
  const folder = folderOf(file);
  const sheet = insidePath(folder, named);
  if (sheet === null || (folder !== '' && !sheet.startsWith(`${folder}/`)) || named.split(/[\\/]/).includes('..'))
    return giveUp(`${shown(file)}: spritesheetPath leads out of the pet's folder; it was not opened`);
  return { file, bytes, manifest, sheet };
}

async function readSheet(tree: SourceTree, { file, sheet }: PetFile, notes: Note[]): Promise<Picture> {
  const found = findFile(tree, sheet);
  if (found === null) return giveUp(`${shown(sheet)} is missing: ${shown(file)} names it as the pet's sheet`);
  if (found.note !== null) notes.push({ file: found.path, line: null, text: found.note });
  return readPicture(found.path, await tree.read(found.path));
}

/** What the pet is, with `picture` as its sheet. `fallbackId`: what it is called if it says nothing. Error: E_INVALID_INPUT. */
export function draftOfPet(
  { file, bytes, manifest }: PetFile,
  picture: Picture,
  fallbackId: string,
  found: readonly Note[] = [],
): Draft {
  if (picture.type === 'image/gif') giveUp(`${shown(picture.file)} is a GIF; a pet's sheet is a PNG or WebP`);
  const notes = [...found];
  const sheet = gridOf(file, picture, manifest, notes);
  const id = manifest.text('id') ?? fallbackId;
  const author = manifest.text('author');
  const own = takesOfManifest(file, manifest, sheet, notes);
  return {
    format: CODEX_FORMAT,
    name: manifest.text('displayName') ?? id,
    sourceId: id,
    description: manifest.text('description') ?? '',
    authors: author === null ? [] : [author],
    license: manifest.text('license'),
    version: manifest.text('version'),
    facing: 'right',
    scaling: 'pixelated',
    scale: 1,
    colourKey: null,
    pictures: new Map([[picture.file, picture]]),
    takes: [...own, ...(sheet.cellW === CELL.w && sheet.cellH === CELL.h ? takesOfRows(sheet) : [])],
    notes,
    evidence: [bytes, picture.bytes],
    asIs: { columns: sheet.columns, rows: sheet.rows, cellW: sheet.cellW, cellH: sheet.cellH },
  };
}

async function readPet(tree: SourceTree, file: string, fallbackId: string): Promise<Draft> {
  const pet = readPetFile(file, await tree.read(file));
  const notes: Note[] = [];
  return draftOfPet(pet, await readSheet(tree, pet, notes), fallbackId, notes);
}

/** Every pet in the source: it may be one pet's folder, or a folder of such folders. */
export function findCodexPets(tree: SourceTree): readonly Candidate[] {
  const manifests = tree.files.filter((file) => MANIFESTS.test(file) && (tree.chosen === null || tree.chosen === file));
  return manifests
    .filter((file) => stemOf(file) === 'pet' || !manifests.includes(joinPath(folderOf(file), 'pet.json')))
    .map((file) => {
      const name = folderOf(file) === '' ? tree.name : stemOf(folderOf(file));
      return { format: CODEX_FORMAT, name, read: () => readPet(tree, file, name) };
    });
}
