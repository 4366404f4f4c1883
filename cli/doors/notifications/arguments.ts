/** Reads a command line as libnotify's notify-send does: the same options, the same refusals. Own words; pure. */
import { parseArgs } from 'node:util';
import type { Options } from '../../args.ts';
import { usageError } from '../../companion-error.ts';
import type { Action, Note } from './note.ts';
import { MAX_ID } from './note-ids.ts';

export const NOTIFY_SEND_OPTIONS = {
  urgency: { kind: 'text', short: 'u', value: 'low|normal|critical', help: 'how urgent it is' },
  'expire-time': { kind: 'number', short: 't', value: 'MS', help: 'milliseconds it is shown; 0: as long as can be' },
  'app-name': { kind: 'text', short: 'a', value: 'APP', help: 'stands before the summary' },
  icon: { kind: 'text', short: 'i', value: 'ICON', help: 'accepted; no icon is shown' },
  category: { kind: 'text', short: 'c', value: 'TYPE', help: 'accepted; changes nothing' },
  transient: { kind: 'flag', short: 'e', value: '', help: 'accepted; changes nothing' },
  hint: { kind: 'list', short: 'h', value: 'TYPE:NAME:VALUE', help: 'read and checked; changes nothing' },
  'print-id': { kind: 'flag', short: 'p', value: '', help: 'print a number for --replace-id' },
  'replace-id': {
    kind: 'number',
    short: 'r',
    value: 'ID',
    help: 'take the place of the notification with this number',
  },
  wait: { kind: 'flag', short: 'w', value: '', help: 'wait until it is closed' },
  action: {
    kind: 'list',
    short: 'A',
    value: '[NAME=]TEXT',
    help: 'a button, once for each; waits, and prints the name of the one that is pressed, without NAME its number from 0',
  },
  'credential-profile': { kind: 'text', value: 'PROFILE', help: 'whose key to use (also COMPANION_PROFILE)' },
  version: { kind: 'flag', short: 'v', value: '', help: 'print the version of notify-send that this follows' },
  help: { kind: 'flag', short: '?', value: '', help: 'print this help' },
} as const satisfies Options;

export interface NotifySendCall {
  readonly ask: 'help' | 'version' | null;
  readonly note: Note;
  readonly printsId: boolean;
  /** null: none, or one that can be none. */
  readonly replacesId: number | null;
  readonly waits: boolean;
  readonly profile: string | undefined;
}

const HINT_VALUES: Readonly<Record<string, RegExp>> = {
  boolean: /^(true|false)$/i,
  int: /^[+-]?\d+$/,
  double: /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
  string: /^[\s\S]*$/,
  byte: /^(\d|\d\d|1\d\d|2[0-4]\d|25[0-5])$/,
  variant: /^[\s\S]*$/,
};

function assertHint(hint: string): void {
  const [, type, value] = /^([^:]*):[^:]*:([\s\S]*)$/.exec(hint) ?? [];
  if (type === undefined) throw usageError('A hint is TYPE:NAME:VALUE.');
  const values = Object.hasOwn(HINT_VALUES, type.toLowerCase()) ? HINT_VALUES[type.toLowerCase()] : undefined;
  if (values === undefined) throw usageError(`The type of a hint is one of: ${Object.keys(HINT_VALUES).join(', ')}.`);
  if (!values.test(value!)) throw usageError('The value of a hint does not fit its type.');
}

function readInteger(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = /^\s*[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number)) throw usageError(`--${name} needs a whole number.`);
  if (Math.abs(number) > MAX_ID) throw usageError(`The number of --${name} is out of range.`);
  return number;
}

function readUrgency(text: string | undefined): Note['urgency'] {
  const urgency = text?.toLowerCase() ?? 'normal';
  if (urgency === 'low' || urgency === 'normal' || urgency === 'critical') return urgency;
  throw usageError('The urgency is one of: low, normal, critical.');
}

/** `NAME=TEXT`; without a name it is called by its number. */
function readAction(text: string, index: number): Action {
  const at = text.indexOf('=');
  return at === -1 ? { name: String(index), label: text } : { name: text.slice(0, at), label: text.slice(at + 1) };
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** `\n` and its like in a body mean what they mean in C; a backslash before anything else is dropped. */
const uncompress = (body: string): string =>
  body.replace(/\\([0-7]{1,3}|[\s\S])/g, (_whole, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (ESCAPES[code] ?? code),
  );

/** Sorts the words. `strict` would refuse values that begin with a dash. Errors: INVALID_PARAMS. */
function readWords(args: readonly string[]) {
  const table: Options = NOTIFY_SEND_OPTIONS;
  const options = Object.fromEntries(
    Object.entries(table).map(([name, { kind, short }]) => [
      name,
      { type: kind === 'flag' ? 'boolean' : 'string', ...(short !== undefined && { short }) } as const,
    ]),
  );
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(table, token.name) ? table[token.name]! : undefined;
    if (option === undefined) throw usageError('There is no such option.');
    if (option.kind !== 'flag' && token.value === undefined) throw usageError(`--${token.name} needs a value.`);
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? '']);
  }
  return { given, positionals };
}

/** The whole call. Of an option that is given twice the last one counts. Errors: INVALID_PARAMS. */
export function readNotifySend(args: readonly string[]): NotifySendCall {
  const { given, positionals } = readWords(args);
  const last = (name: keyof typeof NOTIFY_SEND_OPTIONS): string | undefined => given.get(name)?.at(-1);
  const ask = given.has('help') ? 'help' : given.has('version') ? 'version' : null;
  const [summary = '', body = '', ...more] = positionals;
  const expireMs = readInteger('expire-time', last('expire-time'));
  const replaces = readInteger('replace-id', last('replace-id'));
  const urgency = readUrgency(last('urgency'));
  for (const hint of given.get('hint') ?? []) assertHint(hint);
  if (ask === null && summary === '') throw usageError('A summary is needed.');
  if (ask === null && more.length > 0) throw usageError('It takes a summary and a body; quote what has spaces.');
  // A button without a text would be none.
  const actions = (given.get('action') ?? []).map(readAction).filter(({ name, label }) => name !== '' && label !== '');
  return {
    ask,
    note: {
      app: last('app-name') || null,
      summary,
      body: uncompress(body),
      urgency,
      expireMs: expireMs === null || expireMs < 0 ? null : expireMs,
      actions,
    },
    printsId: given.has('print-id'),
    replacesId: replaces !== null && replaces > 0 ? replaces : null,
    waits: given.has('wait') || actions.length > 0,
    profile: last('credential-profile'),
  };
}
