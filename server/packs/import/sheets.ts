/** Reads JSON sheets of Aseprite and TexturePacker: a list or an object of frames, tags or animations, rotated and trimmed pieces. */
import type { Box } from '../../protocol/character.ts';
import { type Candidate, type Draft, isPixelArt, type Note, type Pose, playedMs, type Take } from './draft.ts';
import { giveUp } from './give-up.ts';
import { type Picture, readPicture } from './picture.ts';
import { baseOf, findFile, folderOf, joinPath, type SourceTree, shown, stemOf } from './source.ts';
import { type JsonObject, jsonObject, parseJson } from './text.ts';
import { chooseByWords, isPassing, splitState } from './words.ts';

export const SHEET_FORMAT = 'sheet';
/** Where a sheet says no times, as TexturePacker's do not. */
const DEFAULT_FRAME_MS = 125;
const MAX_FRAMES = 2_048;
const MAX_CLIP_FRAMES = 256;
const MAX_PACKS = 16;
const MAX_SIDE_PX = 8_192;

interface SheetFrame {
  readonly name: string;
  readonly pose: Pose;
}

interface Animation {
  readonly name: string;
  readonly poses: readonly Pose[];
  readonly loop: boolean | number;
}

interface SheetPart {
  readonly file: string;
  readonly json: JsonObject;
  readonly meta: JsonObject;
  readonly bytes: Uint8Array;
}

/** A whole number of pixels; anything else is 0 or refused by who asked. */
function box(value: unknown): Box | null {
  const object = jsonObject(value);
  const [x, y, w, h] = ['x', 'y', 'w', 'h'].map((name) => object?.get(name));
  const all = [x, y, w, h] as number[];
  return all.every((each) => Number.isInteger(each) && each >= -MAX_SIDE_PX && each <= MAX_SIDE_PX)
    ? { x: all[0]!, y: all[1]!, w: all[2]!, h: all[3]! }
    : null;
}

function size(value: unknown): { readonly w: number; readonly h: number } | null {
  const found = box({ x: 0, y: 0, ...(jsonObject(value) === null ? {} : (value as object)) });
  return found !== null && found.w > 0 && found.h > 0 ? { w: found.w, h: found.h } : null;
}

/** Names and records, whether the sheet has a list or an object of them. */
function namedFrames(json: JsonObject): readonly (readonly [string, JsonObject])[] | null {
  const list = json.list('frames');
  const records =
    list?.map((value, index) => [jsonObject(value)?.text('filename') ?? String(index), value] as const) ??
    json.object('frames')?.entries();
  if (records === undefined) return null;
  return records.flatMap(([name, value]) => {
    const object = jsonObject(value);
    return object?.object('frame') ? [[name, object] as const] : [];
  });
}

/** The point a slice called pivot or anchor marks; else, in every frame, the middle of its lower edge. */
function pivotOf(meta: JsonObject): { readonly x: number; readonly y: number } | null {
  for (const value of meta.list('slices') ?? []) {
    const slice = jsonObject(value);
    if (!/^(pivot|anchor)$/i.test(slice?.text('name') ?? '')) continue;
    const key = jsonObject(slice?.list('keys')?.[0]);
    const [bounds, pivot] = [key?.object('bounds'), key?.object('pivot')];
    const [x, y] = [bounds?.number('x'), bounds?.number('y')];
    if (x != null && y != null) return { x: x + (pivot?.number('x') ?? 0), y: y + (pivot?.number('y') ?? 0) };
  }
  return null;
}

function poseOf({ file, meta }: SheetPart, name: string, record: JsonObject, picture: Picture): Pose {
  const where = `${shown(file)}: frame ${shown(name)}`;
  const region = box(record.get('frame')) ?? giveUp(`${where} has no rectangle`);
  const rotated = record.get('rotated') === true;
  const [w, h] = rotated ? [region.h, region.w] : [region.w, region.h];
  if (
    region.x < 0 ||
    region.y < 0 ||
    region.w < 1 ||
    region.h < 1 ||
    region.x + w > picture.w ||
    region.y + h > picture.h
  )
    giveUp(`${where} reaches beyond ${shown(picture.file)}, which is ${picture.w} x ${picture.h} pixels`);
  const trim = record.get('trimmed') === true ? box(record.get('spriteSourceSize')) : null;
  const whole = size(record.get('sourceSize')) ?? { w: region.w, h: region.h };
  const pivot = pivotOf(meta);
  const anchor = record.object('anchor');
  return {
    picture: picture.file,
    frame: 0,
    region,
    rotated,
    offset: { x: trim?.x ?? 0, y: trim?.y ?? 0 },
    size: whole,
    anchor: pivot ?? {
      x: (fraction(anchor?.number('x')) ?? 0.5) * whole.w,
      y: (fraction(anchor?.number('y')) ?? 1) * whole.h,
    },
    durationMs: record.number('duration') === null ? DEFAULT_FRAME_MS : playedMs(record.number('duration')!),
  };
}

const fraction = (value: number | null | undefined): number | null =>
  value != null && value >= 0 && value <= 1 ? value : null;

/** The picture lies beside the description; where its author had it does not matter, and is never opened. */
async function pictureOf(tree: SourceTree, { file, meta }: SheetPart, notes: Note[]): Promise<Picture> {
  const named = meta.text('image') ?? `${stemOf(file)}.png`;
  const name = baseOf(named.replaceAll('\\', '/'));
  if (name !== named)
    notes.push({ file, line: null, text: `names its picture by a path; ${shown(name)} beside it was taken` });
  const found = findFile(tree, joinPath(folderOf(file), name));
  if (found === null)
    return giveUp(`${shown(joinPath(folderOf(file), name))} is missing: ${shown(file)} names it as its picture`);
  if (found.note !== null) notes.push({ file: found.path, line: null, text: found.note });
  return readPicture(found.path, await tree.read(found.path));
}

async function readPart(tree: SourceTree, file: string): Promise<SheetPart | null> {
  const bytes = await tree.read(file);
  const json = jsonObject(parseJson(shown(file), bytes));
  if (json === null || namedFrames(json) === null) return null;
  return { file, json, meta: json.object('meta') ?? jsonObject({})!, bytes };
}

/** The further sheets a packer has spread its frames over; a name that leads to none is told. */
async function relatedParts(tree: SourceTree, first: SheetPart, notes: Note[]): Promise<readonly SheetPart[]> {
  const parts: SheetPart[] = [first];
  const raw = first.meta.get('related_multi_packs');
  if (raw === undefined) return parts;
  const note = (text: string): void => void notes.push({ file: first.file, line: null, text });
  if (!Array.isArray(raw)) note('related_multi_packs is no list and was ignored');
  for (const name of Array.isArray(raw) ? raw.slice(0, MAX_PACKS) : []) {
    const found = typeof name === 'string' ? findFile(tree, joinPath(folderOf(first.file), baseOf(name))) : null;
    const part =
      found === null || parts.some(({ file }) => file === found.path)
        ? null
        : await readPart(tree, found.path).catch(() => null);
    if (part === null) note(`a further sheet that it names is not there and was ignored`);
    else parts.push(part);
  }
  return parts;
}

/** The order of a tag's frames, as its direction says. */
function directed(from: number, to: number, direction: string): readonly number[] {
  const forward = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const back = forward.toReversed();
  if (direction === 'reverse') return back;
  if (direction === 'pingpong') return [...forward, ...back.slice(1, -1)];
  return direction === 'pingpong_reverse' ? [...back, ...forward.slice(1, -1)] : forward;
}

function taggedAnimations({ file, meta }: SheetPart, frames: readonly SheetFrame[]): readonly Animation[] {
  return (meta.list('frameTags') ?? []).map((value) => {
    const tag = jsonObject(value);
    const name = tag?.text('name') ?? 'unnamed';
    const [from, to] = [tag?.number('from'), tag?.number('to')];
    if (
      from == null ||
      to == null ||
      !Number.isInteger(from) ||
      !Number.isInteger(to) ||
      from < 0 ||
      to < from ||
      to >= frames.length
    )
      return giveUp(
        `${shown(file)}: tag ${shown(name)} names frames that are not there; the sheet has ${frames.length}`,
      );
    const repeat = Number(tag?.get('repeat') ?? 0);
    const poses = directed(from, to, tag?.text('direction') ?? 'forward').map((index) => frames[index]!.pose);
    return { name, poses, loop: Number.isInteger(repeat) && repeat > 0 ? Math.min(repeat, 1_000) : true };
  });
}

/** Lists of frame names, as a packer writes them. */
function listedAnimations(part: SheetPart, frames: readonly SheetFrame[], notes: Note[]): readonly Animation[] {
  return (part.json.object('animations')?.entries() ?? []).flatMap(([name, value]) => {
    const names = Array.isArray(value) ? value : [];
    const poses = names.flatMap((each) => frames.find((frame) => frame.name === each)?.pose ?? []);
    if (poses.length < names.length)
      notes.push({
        file: part.file,
        line: null,
        text: `animation ${shown(name)}: ${names.length - poses.length} of its frames are in no sheet`,
      });
    return poses.length === 0 ? [] : [{ name, poses, loop: true }];
  });
}

const unnumbered = (name: string): string =>
  stemOf(name)
    .replace(/[\s_.-]*\(?\d+\)?$/, '')
    .trim();

/** Frames whose names differ by a number at the end belong together. */
function groupedAnimations(frames: readonly SheetFrame[]): readonly Animation[] {
  const groups = new Map<string, Pose[]>();
  for (const { name, pose } of frames) groups.set(unnumbered(name), [...(groups.get(unnumbered(name)) ?? []), pose]);
  return [...groups].map(([name, poses]) => ({ name, poses, loop: true }));
}

function animationsOf(
  parts: readonly SheetPart[],
  frames: readonly (readonly SheetFrame[])[],
  notes: Note[],
): readonly Animation[] {
  const all = frames.flat();
  const tagged = parts.flatMap((part, index) => taggedAnimations(part, frames[index]!));
  if (tagged.length > 0) return tagged;
  const listed = parts.flatMap((part) => listedAnimations(part, all, notes));
  if (listed.length > 0) return listed;
  const hasTimes = namedFrames(parts[0]!.json)!.some(([, record]) => record.number('duration') !== null);
  // A sheet with times and without tags is one animation: its frames are named after the file, or just numbered.
  return hasTimes
    ? [{ name: stemOf(parts[0]!.file), poses: all.map(({ pose }) => pose), loop: true }]
    : groupedAnimations(all);
}

/** Picture px per logical px, as the sheet says (`"0.5"`: drawn at half its size). */
function scaleOf(meta: JsonObject): number {
  const scale = Number(meta.get('scale') ?? 1);
  return scale >= 0.125 && scale <= 8 ? scale : 1;
}

function takesOf(file: string, animations: readonly Animation[], notes: Note[]): readonly Take[] {
  const chosen = chooseByWords(animations, ({ name }) => splitState(name).state);
  const left = animations.filter((each) => !chosen.some(({ animation }) => animation === each));
  for (const { name } of left)
    notes.push({ file, line: null, text: `animation ${shown(name)} was left out: nothing here calls for it` });
  return chosen.map(({ target, basis, animation }) => {
    if (animation.poses.length > MAX_CLIP_FRAMES)
      notes.push({
        file,
        line: null,
        text: `animation ${shown(animation.name)}: frames after the ${MAX_CLIP_FRAMES}th were left out`,
      });
    const loop = target === 'idle' ? true : isPassing(target) && animation.loop === true ? false : animation.loop;
    return { target, basis, source: animation.name, poses: animation.poses.slice(0, MAX_CLIP_FRAMES), loop };
  });
}

async function readSheet(tree: SourceTree, first: SheetPart): Promise<Draft> {
  const notes: Note[] = [];
  const pictures = new Map<string, Picture>();
  const parts = await relatedParts(tree, first, notes);
  const frames: SheetFrame[][] = [];
  for (const part of parts) {
    const records = namedFrames(part.json)!;
    if (records.length > MAX_FRAMES)
      giveUp(`${shown(part.file)} has ${records.length} frames, at most ${MAX_FRAMES} are allowed`);
    const picture = await pictureOf(tree, part, notes);
    pictures.set(picture.file, picture);
    frames.push(records.map(([name, record]) => ({ name, pose: poseOf(part, name, record, picture) })));
  }
  if (frames.flat().length === 0) giveUp(`${shown(first.file)} has no frames`);
  const isAseprite = /aseprite/i.test(first.meta.text('app') ?? '');
  if (!namedFrames(first.json)!.some(([, record]) => record.number('duration') !== null))
    notes.push({ file: first.file, line: null, text: `says no times; each frame is shown for ${DEFAULT_FRAME_MS} ms` });
  return {
    format: isAseprite ? 'aseprite' : SHEET_FORMAT,
    name: stemOf(first.file),
    sourceId: stemOf(first.file),
    description: '',
    authors: [],
    license: null,
    version: null,
    facing: 'right',
    scaling: isAseprite || isPixelArt(frames.flat().map(({ pose }) => pose.size)) ? 'pixelated' : 'smooth',
    scale: scaleOf(first.meta),
    colourKey: null,
    pictures,
    takes: takesOf(first.file, animationsOf(parts, frames, notes), notes),
    notes,
    evidence: [...parts.map(({ bytes }) => bytes), ...[...pictures.values()].map(({ bytes }) => bytes)],
  };
}

/** Sheets of a source; those another one names as its further sheets are no characters of their own. */
export async function findSheets(tree: SourceTree): Promise<readonly Candidate[]> {
  const files = tree.files.filter((file) => /\.json$/i.test(file) && (tree.chosen === null || tree.chosen === file));
  const parts: SheetPart[] = [];
  for (const file of files) {
    // A file chosen by the user has to be right; one that merely lies there need not be a sheet.
    const part = await readPart(tree, file).catch((error: unknown) => {
      if (tree.chosen !== null) throw error;
      return null;
    });
    if (part !== null) parts.push(part);
  }
  const further = new Set<string>();
  for (const { file, meta } of parts) {
    if (further.has(file)) continue;
    const names = meta.list('related_multi_packs') ?? [];
    for (const name of names) if (typeof name === 'string') further.add(joinPath(folderOf(file), baseOf(name)));
  }
  return parts
    .filter(({ file }) => !further.has(file))
    .map((part) => ({ format: SHEET_FORMAT, name: stemOf(part.file), read: () => readSheet(tree, part) }));
}
