/** What a command says about itself: the words it takes, options, where help finds its text, and what it does. */
import type { MethodName } from '../server/registry/catalog.ts';
import type { Option, Options, Values } from './args.ts';
import type { Client } from './client/client.ts';
import type { ConnectOptions } from './client/options.ts';
import type { CompanionError } from './companion-error.ts';
import type { Io } from './io.ts';

/** Every command takes these. */
export const COMMON_OPTIONS = {
  'credential-profile': {
    kind: 'text',
    value: 'PROFILE',
    help: 'whose key to use (also COMPANION_PROFILE); needed when there are several',
  },
  json: { kind: 'flag', value: '', help: 'print one JSON value, errors too' },
  help: { kind: 'flag', value: '', help: 'print this help' },
} as const satisfies Options;

export interface Context<Table extends Options = Options> {
  readonly io: Io;
  readonly values: Values<Table & typeof COMMON_OPTIONS>;
  /** As many as the command takes; those of `own`: everything after its name, unread. */
  readonly words: readonly string[];
  /** The text of its help. */
  help(): Promise<string>;
  /** Every command there is, in the order help shows them. */
  commands(): Promise<readonly NamedCommand[]>;
  /** A client with the chosen profile's key, closed when the command ends. Errors: as `connect`. */
  connect(options?: ConnectOptions): Promise<Client>;
  /** From the first call on, Ctrl-C does not end the process but this signal, with INTERRUPTED as its reason. */
  interruption(): AbortSignal;
}

/** What a command found. `error` stands beside an answer when a request was read well and ended badly. */
export interface Answer {
  readonly json: unknown;
  /** For people and shell scripts; null prints nothing. */
  readonly plain: string | null;
  readonly error: CompanionError | null;
}

/** What of the registry a command stands for; its descriptions are help's text. */
export type About = { readonly method: MethodName } | { readonly capabilities: readonly string[] } | null;

export interface Command {
  /** Names of the words it takes, all required; one that ends in `…` stands for any number, and is the last. */
  readonly takes: readonly string[];
  /** What this verb does, in a sentence; null when the description of its method says that already. */
  readonly summary: string | null;
  readonly about: About;
  /**
   * `json`: prints JSON always (spec §6); `dialogue` too, and errors also in words to who sits there. `plain`: JSON only with
   * --json. `own`: reads its own words and prints for itself, errors too; it never throws. `program`: runs what the first
   * word names, whose output standard output is; options end before it, and what is to be said is said on standard error.
   */
  readonly output: 'json' | 'dialogue' | 'plain' | 'own' | 'program';
  readonly options: Readonly<Record<string, Option>>;
  /** Command lines that work. */
  readonly examples: readonly string[];
  /** An exit code instead of an answer: the command has printed for itself. */
  run(context: Context): Promise<Answer | number>;
}

export interface NamedCommand extends Command {
  /** The words it is called by, one space between them. */
  readonly name: string;
}

/** Declares a command; its table of options gives `run` their types. */
export function defineCommand<const Table extends Options>(
  command: Omit<Command, 'options' | 'run'> & {
    readonly options: Table;
    run(context: Context<Table>): Promise<Answer | number>;
  },
): Command {
  // The option reader hands `run` only values of this very table.
  // Its own options come first in help; where it says something else about a common one, that is what help tells.
  const options = { ...command.options, ...COMMON_OPTIONS, ...command.options };
  return { ...command, options, run: command.run as Command['run'] };
}

/** Just this, in JSON. */
export const jsonAnswer = (json: unknown): Answer => ({ json, plain: JSON.stringify(json), error: null });
