/** Reads eSheep (desktopPet) files: one XML with its sheet inside; sums are worked out by our own reader, nothing is run. */
import type { Basis } from '../../protocol/character.ts';
import { workOut } from './arithmetic.ts';
import { type Candidate, type Draft, leftOut, type Note, plainPose, playedMs, type Take } from './draft.ts';
import { giveUp } from './give-up.ts';
import { type Picture, readPicture } from './picture.ts';
import { baseOf, type SourceTree, shown, stemOf } from './source.ts';
import { isPassing, wordsOf } from './words.ts';
import { descendants, type Element, parseXml } from './xml.ts';

export const ESHEEP_FORMAT = 'esheep';
const MAX_TILES = 1_024;
const MAX_ANIMATIONS = 1_024;
const MAX_CLIP_FRAMES = 256;
const DEFAULT_KEY = 'Magenta';
const COLOUR = /^([A-Za-z]{1,32}|#[0-9A-Fa-f]{3,8})$/;

interface Animation {
  readonly id: string;
  readonly name: string;
  readonly line: number;
  readonly element: Element;
}

interface Rule {
  readonly target: string;
  readonly basis: Basis;
  readonly pattern: RegExp;
}

/** Fixed names first; the others are habit. */
const RULES: readonly Rule[] = [
  { target: 'drag', basis: 'declared', pattern: /^drag$/ },
  { target: 'fall', basis: 'declared', pattern: /^fall$/ },
  { target: 'idle', basis: 'named', pattern: /^(idle|stand|sit|wait)/ },
  { target: 'move', basis: 'named', pattern: /^walk/ },
  { target: 'move', basis: 'named', pattern: /^run/ },
  { target: 'rest', basis: 'named', pattern: /^(sit|rest)/ },
  { target: 'sleep', basis: 'named', pattern: /^(sleep|snooze)/ },
  { target: 'look', basis: 'named', pattern: /^look/ },
  { target: 'wait', basis: 'guessed', pattern: /^(wait|sit|blink|yawn)/ },
  { target: 'celebrate', basis: 'guessed', pattern: /^(jump|happy|dance)/ },
  { target: 'fail', basis: 'guessed', pattern: /^(cry|sad|hurt|boing|crash)/ },
  { target: 'work', basis: 'guessed', pattern: /^(eat|work|dig)/ },
];

const childOf = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((each) => each.name.toLowerCase() === name);
const childrenOf = (element: Element | undefined, name: string): readonly Element[] =>
  element?.children.filter((each) => each.name.toLowerCase() === name) ?? [];
const textOf = (element: Element | undefined, name: string): string => childOf(element, name)?.text.trim() ?? '';

/** A number of tiles along one side. */
function tiles(file: string, image: Element, name: string): number {
  const text = textOf(image, name);
  return /^\d{1,4}$/.test(text) && Number(text) > 0
    ? Number(text)
    : giveUp(`${shown(file)}, line ${image.line}: ${name} must be a whole number above 0`);
}

function pictureOf(file: string, image: Element): Picture {
  const text = textOf(image, 'png').replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) giveUp(`${shown(file)}, line ${image.line}: the sheet is no base64`);
  return readPicture(`${shown(file)} (its sheet)`, Buffer.from(text, 'base64'));
}

interface Sheet {
  readonly picture: Picture;
  readonly columns: number;
  readonly rows: number;
}

function sheetOf(file: string, root: Element): Sheet & { readonly colourKey: string | null } {
  const image = childOf(root, 'image') ?? giveUp(`${shown(file)} has no image`);
  const [columns, rows] = [tiles(file, image, 'tilesx'), tiles(file, image, 'tilesy')];
  const picture = pictureOf(file, image);
  if (columns * rows > MAX_TILES)
    giveUp(`${shown(file)} has ${columns * rows} tiles, at most ${MAX_TILES} are allowed`);
  if (picture.w < columns || picture.h < rows)
    giveUp(`${shown(file)}: ${columns} x ${rows} tiles do not fit into ${picture.w} x ${picture.h} pixels`);
  const key = textOf(image, 'transparency') || DEFAULT_KEY;
  return { picture, columns, rows, colourKey: COLOUR.test(key) && !/^transparent$/i.test(key) ? key : null };
}

/** Milliseconds of a step at the start and at the end; in between they run in a straight line. */
function intervalsOf(
  file: string,
  animation: Animation,
  sheet: Sheet,
  notes: Note[],
): { readonly startMs: number; readonly endMs: number } {
  const words = { imagew: sheet.picture.w / sheet.columns, imageh: sheet.picture.h / sheet.rows };
  const read = (name: string): number | null => {
    const text = textOf(childOf(animation.element, name), 'interval');
    const value = text === '' ? null : workOut(text, words);
    if (text !== '' && value === null)
      notes.push({
        file,
        line: animation.line,
        text: `${shown(animation.name)}: an interval that is no sum was ignored`,
      });
    return value;
  };
  const startMs = read('start') ?? 100;
  return { startMs, endMs: read('end') ?? startMs };
}

interface Sequence {
  readonly cells: readonly number[];
  /** Where the rounds after the first begin. */
  readonly from: number;
  /** Rounds after the first; a number of luck is its middle. */
  readonly repeat: number;
}

function sequenceOf(file: string, { element, name, line }: Animation, tileCount: number, notes: Note[]): Sequence {
  const sequence = childOf(element, 'sequence');
  const cells = childrenOf(sequence, 'frame').map((frame) => Number(frame.text.trim() || Number.NaN));
  const bad = cells.find((cell) => !Number.isInteger(cell) || cell < 0 || cell >= tileCount);
  if (bad !== undefined)
    notes.push({
      file,
      line,
      text: `animation ${shown(name)} was left out: it names tile ${bad}, the sheet has ${tileCount}`,
    });
  const repeat = Math.max(0, Math.round(workOut(sequence?.attributes.get('repeat') ?? '0') ?? 0));
  const from = Number(sequence?.attributes.get('repeatfrom') ?? 0);
  const isInside = Number.isInteger(from) && from >= 0 && from < cells.length;
  return { cells: bad === undefined ? cells.slice(0, MAX_CLIP_FRAMES) : [], from: isInside ? from : 0, repeat };
}

/** All rounds written out, as far as a clip goes: their intervals differ. */
function writtenOut({ cells, from, repeat }: Sequence): readonly number[] {
  const again = cells.slice(from);
  const steps = [...cells];
  for (let round = 0; round < repeat && again.length > 0 && steps.length + again.length <= MAX_CLIP_FRAMES; round += 1)
    steps.push(...again);
  return steps;
}

function takeOf(
  file: string,
  animation: Animation,
  { target, basis }: Pick<Rule, 'target' | 'basis'>,
  sheet: Sheet,
  notes: Note[],
): Take | null {
  const sequence = sequenceOf(file, animation, sheet.columns * sheet.rows, notes);
  if (sequence.cells.length === 0) return null;
  const { startMs, endMs } = intervalsOf(file, animation, sheet, notes);
  const isEven = startMs === endMs;
  const steps = isEven ? sequence.cells : writtenOut(sequence);
  const [w, h] = [Math.floor(sheet.picture.w / sheet.columns), Math.floor(sheet.picture.h / sheet.rows)];
  const poses = steps.map((cell, index) =>
    plainPose(
      sheet.picture.file,
      { x: (cell % sheet.columns) * w, y: Math.floor(cell / sheet.columns) * h, w, h },
      playedMs(steps.length < 2 ? startMs : startMs + ((endMs - startMs) * index) / (steps.length - 1)),
    ),
  );
  const loop = !isPassing(target);
  const loopStart = isEven && loop && sequence.repeat > 0 && sequence.from > 0 ? { loopStart: sequence.from } : {};
  return { target, basis, source: animation.name, poses, loop, ...loopStart };
}

/** IDs an animation may be followed by. */
const nextOf = ({ element }: Animation): readonly string[] =>
  descendants(element)
    .filter(({ name }) => name.toLowerCase() === 'next')
    .map(({ text }) => text.trim());

function stands({ element }: Animation): boolean {
  return ['start', 'end'].every((part) => {
    const at = childOf(element, part);
    return at === undefined || ['x', 'y'].every((axis) => (workOut(textOf(at, axis) || '0') ?? 1) === 0);
  });
}

/** One that stays where it is and may follow walking; else any that stays; else the first. */
function idleGuess(animations: readonly Animation[]): Animation | undefined {
  const walk = animations.find(({ name }) => name.startsWith('walk'));
  const after = walk === undefined ? [] : nextOf(walk);
  const usable = animations.filter(({ name }) => !['fall', 'drag', 'kill', 'sync'].includes(name));
  return (
    usable.find((each) => after.includes(each.id) && stands(each)) ?? usable.find(stands) ?? usable[0] ?? animations[0]
  );
}

function animationsOf(file: string, root: Element, notes: Note[]): readonly Animation[] {
  const elements = childrenOf(childOf(root, 'animations'), 'animation');
  if (elements.length > MAX_ANIMATIONS)
    giveUp(`${shown(file)} has ${elements.length} animations, at most ${MAX_ANIMATIONS} are allowed`);
  const seen = new Set<string>();
  return elements.flatMap((element) => {
    const id = element.attributes.get('id') ?? '';
    const name = textOf(element, 'name');
    if (seen.has(id)) notes.push({ file, line: element.line, text: `a second animation ${shown(id)} was left out` });
    if (seen.has(id)) return [];
    seen.add(id);
    return [{ id, name: name.toLowerCase(), line: element.line, element }];
  });
}

function takesOf(file: string, animations: readonly Animation[], sheet: Sheet, notes: Note[]): readonly Take[] {
  const takes: Take[] = [];
  const tried = new Set<string>();
  const add = (rule: Pick<Rule, 'target' | 'basis'>, animation: Animation | undefined): void => {
    if (animation === undefined || takes.some(({ target }) => target === rule.target)) return;
    tried.add(animation.name);
    const take = takeOf(file, animation, rule, sheet, notes);
    if (take !== null) takes.push(take);
  };
  for (const rule of RULES)
    add(
      rule,
      animations.find(({ name }) => rule.pattern.test(wordsOf(name).join('_'))),
    );
  add({ target: 'idle', basis: 'guessed' }, idleGuess(animations));
  const left = animations.filter(({ name }) => !tried.has(name)).map(({ name }) => shown(name));
  if (left.length > 0)
    notes.push({
      file,
      line: null,
      text: `${leftOut(left.length, 'animation')}, nothing here calls for them: ${left.join(', ')}`,
    });
  return takes;
}

function notesOnRest(file: string, root: Element): readonly Note[] {
  const parts = [
    ['sounds', 'sounds were left out'],
    ['childs', 'child figures were left out'],
    ['spawns', 'places to appear at were left out: where a figure stands is decided here'],
  ] as const;
  return parts.flatMap(([name, text]) => {
    const part = childOf(root, name);
    return part === undefined || part.children.length === 0 ? [] : [{ file, line: part.line, text }];
  });
}

function readSheep(file: string, bytes: Uint8Array, root: Element): Draft {
  const notes: Note[] = [];
  const sheet = sheetOf(file, root);
  const animations = animationsOf(file, root, notes);
  const header = childOf(root, 'header');
  const author = textOf(header, 'author');
  const name = textOf(header, 'petname') || textOf(header, 'title') || stemOf(file);
  return {
    format: ESHEEP_FORMAT,
    name,
    sourceId: name,
    description: textOf(header, 'title'),
    authors: author === '' ? [] : [author],
    license: null,
    version: textOf(header, 'version'),
    // Such a figure walks to the left unless it is turned.
    facing: 'left',
    scaling: 'pixelated',
    scale: 1,
    colourKey: sheet.colourKey,
    pictures: new Map([[sheet.picture.file, sheet.picture]]),
    takes: takesOf(file, animations, sheet, notes),
    notes: [...notes, ...notesOnRest(file, root)],
    evidence: [bytes],
  };
}

/** Figures in files of their own. */
export async function findSheep(tree: SourceTree): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const file of tree.files) {
    if (!/\.xml$/i.test(file) || (tree.chosen !== null && tree.chosen !== file)) continue;
    const bytes = await tree.read(file);
    // Cheap enough to look for, and spares reading every XML file there is.
    const head = Buffer.from(bytes.subarray(0, 65_536)).toString('latin1').replaceAll('\0', '');
    if (tree.chosen === null && !/<animations[\s>]/i.test(head)) continue;
    const root = parseXml(shown(file), bytes);
    if (root.name.toLowerCase() !== 'animations' || childOf(root, 'image') === undefined) continue;
    found.push({ format: ESHEEP_FORMAT, name: stemOf(baseOf(file)), read: async () => readSheep(file, bytes, root) });
  }
  return found;
}
