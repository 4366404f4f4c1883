/** What can be typed after `companion`, as data: read from the table of commands and the registry, and from nothing else. */
import { AGENTS } from '../../server/protocol/hooks.ts';
import { STYLE_IDS, TONES } from '../../server/protocol/words.ts';
import { CAPABILITIES } from '../../server/registry/catalog.ts';
import { MCP_CLIENT_NAMES } from '../agents/mcp-clients.ts';
import type { Option } from '../args.ts';
import type { NamedCommand } from '../command.ts';
import { summaryOf } from '../help.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
/** What `companion completions` prints one a line while a script asks for it: it changes from day to day. */
export const ASKED = ['characters', 'formats', 'profiles'] as const;
export type Asked = (typeof ASKED)[number];

/** What may stand in one place. `programs`: a command line of somebody else's begins here. */
export type Candidates =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'asked'; readonly what: Asked }
  | { readonly kind: 'files' | 'folders' | 'programs' | 'anything' };

export interface Place {
  /** As help calls it, without brackets. */
  readonly placeholder: string;
  readonly candidates: Candidates;
}

export interface SurfaceOption extends Place {
  /** `--tone`, and its short form where it has one. */
  readonly names: readonly string[];
  readonly help: string;
  /** `none`: a flag. `next`: the next word, or after `=`. `attached`: after `=` only, and it may be left out. */
  readonly value: 'none' | 'next' | 'attached';
  readonly isRepeatable: boolean;
}

export interface SurfaceCommand {
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly SurfaceOption[];
  readonly takes: readonly Place[];
}

const words = (list: readonly string[]): Candidates => ({ kind: 'words', words: list });
const lastWord = (id: string): string => id.slice(id.lastIndexOf('.') + 1);

/** The placeholders that stand for more than any text. */
const KNOWN: Readonly<Record<string, Candidates>> = {
  TONE: words(TONES),
  STYLE: words(STYLE_IDS),
  CAPABILITY: words(CAPABILITIES.map(({ id }) => id)),
  ANIMATION: words(CAPABILITIES.filter(({ kind }) => kind === 'animation').map(({ id }) => lastWord(id))),
  CHARACTER: { kind: 'asked', what: 'characters' },
  PROFILE: { kind: 'asked', what: 'profiles' },
  SHELL: words(SHELLS),
  AGENT: words(AGENTS),
  CLIENT: words(MCP_CLIENT_NAMES),
  FORMAT: { kind: 'asked', what: 'formats' },
  FILE: { kind: 'files' },
  PATH: { kind: 'files' },
  ICON: { kind: 'files' },
  DIR: { kind: 'folders' },
  CMD: { kind: 'programs' },
};

/** `[BODY]` and `ARG…` are read without what is around the name. */
function toPlace(text: string): Place {
  const placeholder = text.replace(/^\[|\]$/g, '').replace(/(…|\.\.\.)$/, '');
  const candidates = /^[\w-]+(\|[\w-]+)+$/.test(placeholder) ? words(placeholder.split('|')) : KNOWN[placeholder];
  return { placeholder, candidates: candidates ?? { kind: 'anything' } };
}

const VALUES: Readonly<Record<Option['kind'], SurfaceOption['value']>> = {
  flag: 'none',
  text: 'next',
  list: 'next',
  number: 'next',
  duration: 'next',
  maybeDuration: 'attached',
};

const toOption = ([name, { kind, value, help, short }]: readonly [string, Option]): SurfaceOption => ({
  ...toPlace(value),
  names: short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`],
  help,
  value: VALUES[kind],
  isRepeatable: kind === 'list',
});

/** What a command takes; where somebody else's command line begins, all the rest is of that. */
function toPlaces(takes: readonly string[]): readonly Place[] {
  const places = takes.map(toPlace);
  const program = places.findIndex(({ candidates }) => candidates.kind === 'programs');
  return program === -1 ? places : places.slice(0, program + 1);
}

/** The whole surface, in the order of the table. */
export const toSurface = (commands: readonly NamedCommand[]): readonly SurfaceCommand[] =>
  commands.map((command) => ({
    words: command.name.split(' '),
    summary: summaryOf(command),
    options: Object.entries(command.options).map(toOption),
    takes: toPlaces(command.takes),
  }));

/** Whether the command ends in a program with words of its own. */
export const runsProgram = ({ takes }: SurfaceCommand): boolean => takes.at(-1)?.candidates.kind === 'programs';

/** The verbs under each noun, and the commands of one word; a noun may be both. */
export function firstWords(commands: readonly SurfaceCommand[]): ReadonlyMap<string, readonly SurfaceCommand[]> {
  const groups = new Map<string, SurfaceCommand[]>();
  for (const command of commands) {
    const [first = ''] = command.words;
    groups.set(first, [...(groups.get(first) ?? []), command]);
  }
  return groups;
}

/** What a first word is for: its command's summary, else the verbs it takes. */
export const groupSummary = (first: string, group: readonly SurfaceCommand[]): string =>
  group.find(({ words: { length } }) => length === 1)?.summary ??
  `${first} ${group.map(({ words: [, verb] }) => verb).join(', ')}`;
