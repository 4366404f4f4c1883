/** Reads options the way POSIX tools do, by a table. Own code: `util.parseArgs` knows no durations and costs start-up time. */
import { usageError } from './companion-error.ts';
import { parseDuration } from './duration.ts';

/** How an option's value reads: `maybeDuration` is `--wait` or `--wait=10s`. */
type OptionKind = 'flag' | 'text' | 'list' | 'number' | 'duration' | 'maybeDuration';

export interface Option {
  readonly kind: OptionKind;
  /** What stands for the value in help; '' for a flag. Completions know it too: `a|b` are all there are, FILE is a file (cli/shell/surface.ts). */
  readonly value: string;
  readonly help: string;
  /** One letter for the same, in a command that speaks another program's language. */
  readonly short?: string;
}

export type Options = Readonly<Record<string, Option>>;

interface ValueOf {
  readonly flag: true;
  readonly text: string;
  readonly list: readonly string[];
  readonly number: number;
  /** Milliseconds. */
  readonly duration: number;
  /** true: without a limit. */
  readonly maybeDuration: true | number;
}

export type Values<Table extends Options> = { readonly [Name in keyof Table]?: ValueOf[Table[Name]['kind']] };

export interface Arguments<Table extends Options> {
  readonly values: Values<Table>;
  readonly words: readonly string[];
}

function readNumber(name: string, text: string): number {
  const number = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) throw usageError(`--${name} needs a number.`);
  return number;
}

function readDuration(name: string, text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === null) throw usageError(`--${name} needs a duration with a unit, such as 500ms, 30s, 10m or 2h.`);
  return milliseconds;
}

function readValue(name: string, kind: Exclude<OptionKind, 'flag'>, text: string, before: unknown): unknown {
  if (kind === 'list') return [...((before as readonly string[] | undefined) ?? []), text];
  if (before !== undefined) throw usageError(`--${name} is given twice.`);
  if (kind === 'text') return text;
  return kind === 'number' ? readNumber(name, text) : readDuration(name, text);
}

/**
 * Sorts `args` into options of `table` and other words. An option's value is the next word, whatever it looks like, or follows
 * `=`; `--` ends the options, and so does the first other word if `isProgram`: what follows is that program's. Errors: INVALID_PARAMS for an unknown option, a missing, malformed or repeated value.
 */
export function parseArguments<Table extends Options>(
  args: readonly string[],
  table: Table,
  isProgram = false,
): Arguments<Table> {
  const values: Record<string, unknown> = {};
  const words: string[] = [];
  const left = [...args];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') {
      words.push(...left);
      break;
    }
    if (!/^-./.test(word)) {
      words.push(word);
      if (!isProgram) continue;
      words.push(...left);
      break;
    }
    const [, name = '', given] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word === '-h' ? '--help' : word) ?? [];
    const kind = Object.hasOwn(table, name) ? table[name]!.kind : undefined;
    // The word itself may be a secret that slipped its place: only an option's name is repeated.
    if (kind === undefined)
      throw usageError(name === '' ? 'Options begin with two dashes.' : `There is no option --${name}.`);
    if (kind === 'flag') {
      if (given !== undefined) throw usageError(`--${name} takes no value.`);
      values[name] = true;
    } else if (kind === 'maybeDuration') {
      values[name] = given === undefined ? true : readDuration(name, given);
    } else {
      const text = given ?? left.shift();
      if (text === undefined) throw usageError(`--${name} needs a value.`);
      values[name] = readValue(name, kind, text, values[name]);
    }
  }
  return { values: values as Values<Table>, words };
}
