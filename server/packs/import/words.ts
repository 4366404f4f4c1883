/** Words by which packs call their animations, and what of ours each is taken for; better ones stand first. Data. */
import type { Basis } from '../../protocol/character.ts';

/** Clip names of ours that no request asks for; every other target is the last word of a capability ID. */
export const CLIP_TARGETS: readonly string[] = [
  'idle',
  'move',
  'move-left',
  'drag',
  'drag-left',
  'fall',
  'rest',
  'look',
  'enter',
];

interface Words {
  readonly target: string;
  /** They mean just this. */
  readonly named: readonly string[];
  /** They may be meant so; the user has to say yes. */
  readonly guessed: readonly string[];
}

const WORDS: readonly Words[] = [
  {
    target: 'idle',
    named: ['idle', 'stand', 'standing', 'still', 'default', 'breathe', 'breathing', 'normal'],
    guessed: ['neutral', 'loop', 'base', 'main'],
  },
  {
    target: 'move',
    named: ['move', 'walk', 'walking', 'move_right', 'walk_right', 'run', 'running', 'running_right', 'run_right'],
    guessed: ['walk_fast', 'dash', 'crawl', 'fly', 'swim'],
  },
  { target: 'move-left', named: ['move_left', 'walk_left', 'running_left', 'run_left'], guessed: [] },
  { target: 'rest', named: ['rest', 'resting', 'sit', 'sitting', 'lie', 'lying'], guessed: ['sleep', 'sleeping'] },
  {
    target: 'drag',
    named: ['drag', 'dragged', 'dragging', 'pinched', 'held', 'grab', 'grabbed', 'carried', 'carry'],
    guessed: [],
  },
  { target: 'fall', named: ['fall', 'falling', 'fall_from_grab'], guessed: ['drop'] },
  { target: 'look', named: ['look', 'looking', 'look_around'], guessed: [] },
  { target: 'enter', named: ['enter', 'spawn', 'appear', 'intro'], guessed: ['wake', 'waking', 'wakeup', 'land'] },
  {
    target: 'greet',
    named: ['greet', 'greeting', 'wave', 'waving', 'hello'],
    guessed: ['hi', 'swipe', 'attention'],
  },
  {
    target: 'celebrate',
    named: ['celebrate', 'celebrating', 'cheer', 'victory', 'win'],
    guessed: ['happy', 'joy', 'jump', 'jumping', 'bounce', 'dance', 'with_ball'],
  },
  {
    target: 'work',
    named: ['work', 'working', 'typing', 'coding'],
    guessed: ['busy', 'type', 'carrying', 'juggling', 'scratchself'],
  },
  { target: 'think', named: ['think', 'thinking', 'review', 'reviewing'], guessed: ['ponder'] },
  { target: 'wait', named: ['wait', 'waiting', 'ask', 'asking'], guessed: ['notification', 'alert', 'bored', 'sit'] },
  {
    target: 'fail',
    named: ['fail', 'failed', 'error'],
    guessed: ['sad', 'cry', 'crying', 'hurt', 'trip', 'die', 'dead', 'angry'],
  },
  {
    target: 'sleep',
    named: ['sleep', 'sleeping', 'asleep', 'snooze', 'nap'],
    guessed: ['doze', 'dozing', 'tired', 'lie'],
  },
];

/** The words of a name: `crab_walk-fast_8fps` is crab, walk, fast; so is `crabWalkFast`. Other scripts are kept. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !/^\d+fps$/.test(word));

const KNOWN = new Set(WORDS.flatMap(({ named, guessed }) => [...named, ...guessed]));

/** Splits a name into what it begins with and the longest known word it ends with; `state` null: it ends with none. */
export function splitState(name: string): { readonly prefix: string; readonly state: string | null } {
  const words = wordsOf(name);
  const ends = words.at(-1)?.replace(/\d+$/, '') ?? '';
  const bare = ends === '' ? words.slice(0, -1) : [...words.slice(0, -1), ends];
  for (let from = 0; from < bare.length; from += 1) {
    const state = bare.slice(from).join('_');
    if (KNOWN.has(state)) return { prefix: words.slice(0, from).join('_'), state };
  }
  return { prefix: words.join('_'), state: null };
}

export interface Chosen<Animation> {
  readonly target: string;
  readonly basis: Basis;
  readonly animation: Animation;
}

/**
 * For each target the animation with the best word, `stateOf` it being one of those above. Without any word for `idle` the
 * first animation is taken for it, as a guess.
 */
export function chooseByWords<Animation>(
  animations: readonly Animation[],
  stateOf: (animation: Animation) => string | null,
): readonly Chosen<Animation>[] {
  const find = (words: readonly string[]): Animation | undefined =>
    words.map((word) => animations.find((each) => stateOf(each) === word)).find((found) => found !== undefined);
  const chosen = WORDS.flatMap(({ target, named, guessed }): readonly Chosen<Animation>[] => {
    const known = find(named);
    if (known !== undefined) return [{ target, basis: 'named', animation: known }];
    const likely = find(guessed);
    return likely === undefined ? [] : [{ target, basis: 'guessed', animation: likely }];
  });
  const [first] = animations;
  if (first === undefined || chosen.some(({ target }) => target === 'idle')) return chosen;
  return [{ target: 'idle', basis: 'guessed', animation: first }, ...chosen];
}

/** Played once or a few times and then over; everything else goes on until something else comes. */
export const isPassing = (target: string): boolean => ['greet', 'celebrate', 'enter', 'look'].includes(target);
