/** Reads loose pictures named by what they show: animated GIF, APNG and WebP, or numbered frames (`walk_0.png`, `walk_1.png`). */
import { PackError } from '../types.ts';
import {
  type Candidate,
  type Draft,
  isPixelArt,
  type Look,
  type Note,
  type Pose,
  plainPose,
  playedMs,
  type Take,
} from './draft.ts';
import { type Picture, readPicture } from './picture.ts';
import { baseOf, folderOf, type SourceTree, shown, stemOf } from './source.ts';
import { chooseByWords, isPassing, splitState } from './words.ts';

export const FILES_FORMAT = 'animated-files';
const PICTURE = /\.(gif|a?png|webp)$/i;
const MAX_CLIP_FRAMES = 256;
/** For frames that are files of their own and say no time in their names. */
const DEFAULT_FRAME_MS = 125;

/** One animation: a moving picture, or the still ones that make it up. */
interface Animation {
  readonly state: string | null;
  /** What its name begins with, and its folder: whose animation it is. */
  readonly owner: string;
  readonly source: string;
  readonly files: readonly { readonly file: string; readonly ms: number }[];
}

/** `walk_3` is frame 3 of walk; `walk_3_125` too, shown for 125 ms. */
function frameOf(file: string): { readonly name: string; readonly index: number; readonly ms: number } | null {
  const stem = stemOf(file);
  const [, timed, at, ms] = /^(.*?)[\s_.-]+(\d{1,4})[\s_.-]+(\d{2,5})$/.exec(stem) ?? [];
  if (timed !== undefined) return { name: timed, index: Number(at), ms: Number(ms) };
  const [, name, index] = /^(.*?)[\s_.-]*\(?(\d{1,4})\)?$/.exec(stem) ?? [];
  return name === undefined ? null : { name, index: Number(index), ms: DEFAULT_FRAME_MS };
}

/** What is called like a frame is one only beside others of its kind, and if it does not move itself: GIFs and WebPs mostly do. */
function groupFrames(files: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const frame = /\.png$/i.test(file) ? frameOf(file) : null;
    const key = frame === null ? `file ${file}` : `frames ${folderOf(file)}/${frame.name}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].map((group) =>
    group.toSorted((a, b) => (frameOf(a)?.index ?? 0) - (frameOf(b)?.index ?? 0)),
  );
}

function animationOf(group: readonly string[]): Animation {
  const [first] = group as readonly [string];
  const folder = folderOf(first);
  const name = group.length > 1 ? (frameOf(first)?.name ?? '') : stemOf(first);
  const files = group.map((file) => ({
    file,
    ms: group.length > 1 ? (frameOf(file)?.ms ?? DEFAULT_FRAME_MS) : DEFAULT_FRAME_MS,
  }));
  // Frames that are numbers only are named by their folder.
  const isInFolder = splitState(name).state === null && /^\d*$/.test(name) && folder !== '';
  const { prefix, state } = splitState(isInFolder ? baseOf(folder) : name);
  const home = isInFolder ? folderOf(folder) : folder;
  return { state, owner: state === null ? home : `${home}/${prefix}`, source: isInFolder ? folder : first, files };
}

/** One list of animations per figure: those of a folder whose names begin alike, if such a list can stand idle. */
function figuresOf(animations: readonly Animation[]): readonly (readonly Animation[])[] {
  const owners = [...new Set(animations.filter(({ state }) => state !== null).map(({ owner }) => owner))];
  const figures = owners.map((owner) => animations.filter((each) => each.owner === owner && each.state !== null));
  const standing = figures.filter((figure) =>
    chooseByWords(figure, ({ state }) => state).some(({ target, basis }) => target === 'idle' && basis === 'named'),
  );
  if (standing.length > 0) return standing;
  return animations.length === 0 ? [] : [animations];
}

/** Reads and measures pictures, each once. */
function makeShelf(tree: SourceTree, look: Look, notes: Note[]) {
  const pictures = new Map<string, Picture>();
  async function posesOf({ files, source }: Animation): Promise<readonly Pose[]> {
    const poses: Pose[] = [];
    for (const { file, ms } of files) {
      const isKnown = pictures.has(file);
      const picture = pictures.get(file) ?? readPicture(shown(file), await tree.read(file));
      const facts = await look(picture);
      pictures.set(file, picture);
      if (facts.isOpaque && !isKnown)
        notes.push({ file, line: null, text: 'has no transparent background; its whole rectangle will be seen' });
      const region = { x: 0, y: 0, w: facts.w, h: facts.h };
      const moves = facts.delaysMs.length > 1;
      for (const [index, delayMs] of facts.delaysMs.entries())
        poses.push(plainPose(file, region, moves ? playedMs(delayMs) : playedMs(ms), index));
    }
    if (poses.length > MAX_CLIP_FRAMES)
      notes.push({
        file: source,
        line: null,
        text: `has ${poses.length} frames; those after the ${MAX_CLIP_FRAMES}th were left out`,
      });
    return poses.slice(0, MAX_CLIP_FRAMES);
  }
  return { pictures, posesOf };
}

async function readFigure(
  tree: SourceTree,
  look: Look,
  name: string,
  figure: readonly Animation[],
  said: Partial<Draft>,
): Promise<Draft> {
  if (figure.length > 1 && figure.every(({ state }) => state === null))
    throw new PackError(
      'E_INVALID_INPUT',
      `no picture in ${shown(name)} says by its name what it shows, as idle.gif or walk_0.png do`,
    );
  const notes: Note[] = [...(said.notes ?? [])];
  const { pictures, posesOf } = makeShelf(tree, look, notes);
  const chosen = chooseByWords(figure, ({ state }) => state);
  const takes: Take[] = [];
  for (const { target, basis, animation } of chosen) {
    const poses = await posesOf(animation);
    takes.push({ target, basis, source: baseOf(animation.source), poses, loop: !isPassing(target) });
  }
  for (const each of figure.filter((animation) => !chosen.some((take) => take.animation === animation)))
    notes.push({ file: each.source, line: null, text: 'was left out: nothing here calls for it' });
  const [first] = pictures.values();
  return {
    format: FILES_FORMAT,
    sourceId: name,
    description: '',
    authors: [],
    license: null,
    version: null,
    facing: 'right',
    scaling:
      (first?.type === 'image/gif' && Math.max(first.w, first.h) <= 256) || isPixelArt([...pictures.values()])
        ? 'pixelated'
        : 'smooth',
    scale: 1,
    colourKey: null,
    name,
    ...said,
    pictures,
    takes,
    notes,
    evidence: [...pictures.values()].map(({ bytes }) => bytes),
  };
}

const nameOf = (tree: SourceTree, figure: readonly Animation[], alone: boolean): string => {
  const owner = figure[0]!.owner;
  const prefix = alone ? '' : baseOf(owner);
  const folder = owner.split('/').slice(0, -1).join('/');
  return [folder === '' ? tree.name : baseOf(folder), prefix].filter((part) => part !== '').join(' ');
};

/** Figures made of the pictures in the source; a single file is a figure that only stands there. */
export function findAnimatedFiles(tree: SourceTree): readonly Candidate[] {
  const files = tree.files.filter((file) => PICTURE.test(file) && (tree.chosen === null || tree.chosen === file));
  const figures = figuresOf(groupFrames(files).map(animationOf));
  return figures.map((figure) => {
    const name = tree.chosen === null ? nameOf(tree, figure, figures.length === 1) : tree.name;
    return { format: FILES_FORMAT, name, read: (look) => readFigure(tree, look, name, figure, {}) };
  });
}

/** A figure of files that something else has given their states: `files` is state → path. Error: E_INVALID_INPUT. */
export function readNamedFiles(
  tree: SourceTree,
  look: Look,
  name: string,
  files: readonly { readonly state: string; readonly file: string }[],
  said: Partial<Draft>,
): Promise<Draft> {
  if (files.length === 0) throw new PackError('E_INVALID_INPUT', `${shown(name)} has no picture that can be taken`);
  const figure = files.map(({ state, file }) => ({
    state: splitState(state).state,
    owner: '',
    source: file,
    files: [{ file, ms: DEFAULT_FRAME_MS }],
  }));
  return readFigure(tree, look, name, figure, said);
}
