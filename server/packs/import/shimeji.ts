/** Reads Shimeji-ee packs, English and Japanese: takes poses by the names of actions, and never evaluates a condition. */
import { type Candidate, counted, type Draft, leftOut, type Note, type Pose, type Take } from './draft.ts';
import { giveUp } from './give-up.ts';
import { type Picture, readPicture } from './picture.ts';
import { ACTION_FILES, ACTION_RULES, BEHAVIOUR_FILES, english } from './shimeji-words.ts';
import { baseOf, findFile, folderOf, insidePath, type SourceTree, shown } from './source.ts';
import { isPassing } from './words.ts';
import { descendants, type Element, parseXml } from './xml.ts';

export const SHIMEJI_FORMAT = 'shimeji';
/** The program's clock: durations are counted in these. */
const TICK_MS = 40;
const MAX_POSES = 256;
/** Poses hang at most this far from their anchor; more is a mistake, and would make a huge cell. */
const MAX_ANCHOR_PX = 2_048;
/** So many pictures directly in `img/` are a figure of the old kind, which knew only one. */
const OLD_LAYOUT_PICTURES = 5;

/** One figure: where its pictures are, and the file of actions that moves them. */
interface Figure {
  readonly name: string;
  readonly folder: string;
  readonly actions: string;
}

const lower = (path: string): string => path.toLowerCase().normalize('NFC');

/** The attribute under either of its names. */
function attribute({ attributes }: Element, name: string): string | null {
  for (const [key, value] of attributes) if (english(key) === name) return value;
  return null;
}

const isNamed = (element: Element, name: string): boolean => english(element.name) === name;

/** The folders directly in `folder`, by their paths. */
function subfolders(tree: SourceTree, folder: string): readonly string[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const names = tree.files
    .filter((file) => file.startsWith(prefix) && file.slice(prefix.length).includes('/'))
    .map((file) => file.slice(0, file.indexOf('/', prefix.length)));
  return [...new Set(names)];
}

const picturesIn = (tree: SourceTree, folder: string): readonly string[] =>
  tree.files.filter((file) => folderOf(file) === folder && /\.png$/i.test(file));

/** The file of actions in `folder`, by the best known name. */
function actionsIn(tree: SourceTree, folder: string | undefined): string | null {
  if (folder === undefined) return null;
  const here = tree.files.filter((file) => folderOf(file) === folder);
  for (const name of ACTION_FILES) {
    const found = here.find((file) => lower(baseOf(file)) === lower(name));
    if (found !== undefined) return found;
  }
  return null;
}

const child = (tree: SourceTree, folder: string, name: string): string | undefined =>
  subfolders(tree, folder).find((path) => lower(baseOf(path)) === lower(name));

/** The figures of a program folder: its pictures lie in `img/`, in one folder per figure, or of old directly in it. */
function figuresOfProgram(tree: SourceTree, root: string, img: string): readonly Figure[] {
  const conf = child(tree, root, 'conf');
  const shared = actionsIn(tree, conf);
  const sets = subfolders(tree, img).filter((set) => picturesIn(tree, set).length > 0);
  const figures = sets.flatMap((folder): readonly Figure[] => {
    const actions =
      actionsIn(tree, child(tree, folder, 'conf')) ??
      actionsIn(tree, conf === undefined ? undefined : child(tree, conf, baseOf(folder))) ??
      shared;
    return actions === null || lower(baseOf(folder)) === 'unused' ? [] : [{ name: baseOf(folder), folder, actions }];
  });
  if (shared === null || picturesIn(tree, img).length <= OLD_LAYOUT_PICTURES) return figures;
  return [{ name: root === '' ? tree.name : baseOf(root), folder: img, actions: shared }, ...figures];
}

/** A figure's own folder, with the file of actions in its `conf/` or beside the pictures. */
function figuresAlone(tree: SourceTree): readonly Figure[] {
  return [...new Set(tree.files.map(folderOf))].flatMap((folder) => {
    const actions = actionsIn(tree, child(tree, folder, 'conf')) ?? actionsIn(tree, folder);
    if (actions === null || picturesIn(tree, folder).length === 0) return [];
    return [{ name: folder === '' ? tree.name : baseOf(folder), folder, actions }];
  });
}

function figuresIn(tree: SourceTree): readonly Figure[] {
  const roots = [...new Set(tree.files.flatMap((file) => ancestors(file)))];
  const figures = roots.flatMap((root) => {
    const img = child(tree, root, 'img');
    return img === undefined ? [] : figuresOfProgram(tree, root, img);
  });
  return figures.length > 0 ? figures : figuresAlone(tree);
}

/** All folders a file lies in, '' being the source itself. */
function ancestors(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

/** Two numbers such as `64,128`; null when it is anything else, a script say. */
function pair(text: string | null): { readonly x: number; readonly y: number } | null {
  const [, x, y] = /^\s*(-?\d{1,6}(?:\.\d+)?)\s*,\s*(-?\d{1,6}(?:\.\d+)?)\s*$/.exec(text ?? '') ?? [];
  return x === undefined || y === undefined ? null : { x: Number(x), y: Number(y) };
}

/** Collects what one figure needs: pictures are read once, and every pose that cannot be had is told once. */
function makePoses(tree: SourceTree, { folder, actions }: Figure, notes: Note[]) {
  const pictures = new Map<string, Picture>();
  const missing = new Set<string>();
  const note = (line: number | null, text: string): void => void notes.push({ file: actions, line, text });

  async function pictureOf(named: string, line: number): Promise<Picture | null> {
    const path = insidePath(folder, named.replace(/^[/\\]+/, ''));
    if (path === null || /^[/\\]*[A-Za-z]:/.test(named))
      return giveUp(`${shown(actions)}, line ${line}: names a picture outside the pack; it was not opened`);
    const found = findFile(tree, path);
    if (found === null) {
      if (!missing.has(path)) note(line, `${shown(path)} is missing`);
      missing.add(path);
      return null;
    }
    const known = pictures.get(found.path);
    if (known !== undefined) return known;
    if (found.note !== null) notes.push({ file: found.path, line: null, text: found.note });
    const picture = readPicture(found.path, await tree.read(found.path));
    pictures.set(found.path, picture);
    return picture;
  }

  async function poseOf(element: Element): Promise<Pose | null> {
    const named = attribute(element, 'Image');
    if (named === null) return null;
    const anchor = pair(attribute(element, 'ImageAnchor'));
    const ticks = Number(attribute(element, 'Duration') ?? 1);
    const picture = await pictureOf(named, element.line);
    if (picture === null) return null;
    if (anchor !== null && Math.max(Math.abs(anchor.x), Math.abs(anchor.y)) > MAX_ANCHOR_PX) {
      note(element.line, 'a pose was left out: its ImageAnchor is far outside its picture');
      return null;
    }
    if (!Number.isInteger(ticks) || ticks < 1)
      note(element.line, 'a Duration that is no whole number above 0 was read as 1');
    return {
      picture: picture.file,
      frame: 0,
      region: { x: 0, y: 0, w: picture.w, h: picture.h },
      rotated: false,
      offset: { x: 0, y: 0 },
      size: { w: picture.w, h: picture.h },
      anchor: anchor ?? { x: picture.w / 2, y: picture.h },
      durationMs: TICK_MS * (Number.isInteger(ticks) && ticks >= 1 ? ticks : 1),
    };
  }
  return { pictures, poseOf };
}

/**
 * The animation that is taken: the one without a condition, as conditions are scripts; of several with one the middle, because
 * what they tell apart (how far a dragged figure leans) is symmetrical.
 */
function chosenAnimation(action: Element): Element | null {
  const animations = action.children.filter((each) => isNamed(each, 'Animation'));
  const plain = animations.find((each) => attribute(each, 'Condition') === null);
  return plain ?? animations[Math.floor(animations.length / 2)] ?? null;
}

const hasPoses = (action: Element): boolean => descendants(action).some((each) => isNamed(each, 'Pose'));

/** First action of each name; a later one of the same name is told. */
function actionsByName(root: Element, file: string, notes: Note[]): ReadonlyMap<string, Element> {
  const byName = new Map<string, Element>();
  for (const action of descendants(root).filter((each) => isNamed(each, 'Action'))) {
    const name = attribute(action, 'Name');
    if (name === null) continue;
    if (byName.has(name))
      notes.push({ file, line: action.line, text: `a second action called ${shown(name)} was left out` });
    else byName.set(name, action);
  }
  return byName;
}

/** Without one called so: the first that stays on the floor. */
function firstStay(actions: ReadonlyMap<string, Element>): string | null {
  for (const [name, action] of actions) {
    const type = english(attribute(action, 'Type') ?? '');
    const border = english(attribute(action, 'BorderType') ?? '');
    if (type === 'Stay' && border === 'Floor' && hasPoses(action)) return name;
  }
  return null;
}

async function takesOf(
  actions: ReadonlyMap<string, Element>,
  poseOf: (element: Element) => Promise<Pose | null>,
): Promise<readonly Take[]> {
  const takes: Take[] = [];
  const stay = firstStay(actions);
  const fallback = stay === null ? [] : [{ target: 'idle', basis: 'guessed' as const, actions: [[stay]] }];
  for (const { target, basis, actions: choices } of [...ACTION_RULES, ...fallback]) {
    const names = choices.find((each) => each.every((name) => actions.has(name) && hasPoses(actions.get(name)!)));
    if (names === undefined || takes.some((take) => take.target === target)) continue;
    const animations = names.map((name) => chosenAnimation(actions.get(name)!)).filter((each) => each !== null);
    const poses: Pose[] = [];
    for (const element of animations.flatMap((each) => each.children.filter((pose) => isNamed(pose, 'Pose')))) {
      const pose = await poseOf(element);
      if (pose !== null && poses.length < MAX_POSES) poses.push(pose);
    }
    if (poses.length > 0) takes.push({ target, source: names.join(' + '), basis, poses, loop: !isPassing(target) });
  }
  return takes;
}

/** What of the pack cannot come along, once per kind. */
function notesOnRest(tree: SourceTree, figure: Figure, root: Element): readonly Note[] {
  const scripts = [root, ...descendants(root)].filter(({ attributes }) =>
    [...attributes.values()].some((value) => /[$#]\{/.test(value)),
  );
  const behaviours = tree.files.filter(
    (file) => folderOf(file) === folderOf(figure.actions) && BEHAVIOUR_FILES.test(baseOf(file)),
  );
  const sounds = tree.files.filter((file) => /\.(wav|mp3|ogg)$/i.test(file));
  const [script] = scripts;
  return [
    ...(script === undefined
      ? []
      : [
          {
            file: figure.actions,
            line: script.line,
            text: `${counted(scripts.length, 'element')} with scripts (the first is here); none was run`,
          },
        ]),
    ...behaviours.map((file) => ({
      file,
      line: null,
      text: 'behaviours were left out: when a figure does what is decided here',
    })),
    ...(sounds.length === 0 ? [] : [{ file: sounds[0]!, line: null, text: leftOut(sounds.length, 'sound') }]),
  ];
}

async function readFigure(tree: SourceTree, figure: Figure): Promise<Draft> {
  const bytes = await tree.read(figure.actions);
  const root = parseXml(shown(figure.actions), bytes);
  if (!isNamed(root, 'Mascot')) giveUp(`${shown(figure.actions)} is no file of Shimeji actions`);
  const notes: Note[] = [];
  const actions = actionsByName(root, figure.actions, notes);
  const { pictures, poseOf } = makePoses(tree, figure, notes);
  const takes = await takesOf(actions, poseOf);
  if (!takes.some(({ target }) => target === 'idle'))
    giveUp(
      `${shown(figure.actions)} has no action to stand still with (Stand, or one that stays on the floor) whose pictures are there`,
    );
  const taken = new Set(takes.flatMap(({ source }) => source.split(' + ')));
  const left = [...actions]
    .filter(([name, action]) => !taken.has(name) && hasPoses(action))
    .map(([name]) => shown(name));
  if (left.length > 0)
    notes.push({
      file: figure.actions,
      line: null,
      text: `${leftOut(left.length, 'action')}, nothing here calls for them: ${left.join(', ')}`,
    });
  return {
    format: SHIMEJI_FORMAT,
    name: figure.name,
    sourceId: figure.name,
    description: '',
    authors: [],
    license: null,
    version: null,
    facing: 'left',
    scaling: 'smooth',
    scale: 1,
    colourKey: null,
    pictures,
    takes,
    notes: [...notes, ...notesOnRest(tree, figure, root)],
    evidence: [bytes, ...[...pictures.values()].map((picture) => picture.bytes)],
  };
}

/** Every figure of the source; several are several characters. */
export function findShimeji(tree: SourceTree): readonly Candidate[] {
  if (tree.chosen !== null) return [];
  return figuresIn(tree).map((figure) => ({
    format: SHIMEJI_FORMAT,
    name: figure.name,
    read: () => readFigure(tree, figure),
  }));
}
