/** Puts one table at the end of a TOML file and takes it out again; every other line stays, which is verified by reading both. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { parse, type TomlTable } from 'smol-toml';
import type { Edited, Path, Read } from './edit.ts';

const BOM = '\uFEFF';
const BARE = /^[A-Za-z0-9_-]+$/;

const keyOf = (name: string): string => (BARE.test(name) ? name : JSON.stringify(name));
const headerOf = (path: Path): string => `[${path.map(keyOf).join('.')}]`;
const lineEnd = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Strings, numbers, arrays and small tables of them. JSON's escapes of strings are TOML's too. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, inside]) => `${keyOf(name)} = ${valueText(inside)}`);
  return `{ ${entries.join(', ')} }`;
}

/** The data of `text`. */
export function readToml(text: string): Read {
  try {
    return { value: parse(text.startsWith(BOM) ? text.slice(1) : text) };
  } catch (error) {
    // The message repeats the text around the mistake; the place says enough.
    const line = (error as { line?: number }).line;
    return { fault: `it is not TOML${line === undefined ? '' : `: a mistake in line ${line}`}` };
  }
}

/** `table` without what is at `path`, and without the tables around it that are empty then. */
function without(table: TomlTable, [name, ...rest]: Path): TomlTable {
  const { [name!]: inner, ...others } = table;
  if (rest.length === 0 || typeof inner !== 'object') return others as TomlTable;
  const left = without(inner as TomlTable, rest);
  return (Object.keys(left).length === 0 ? others : { ...others, [name!]: left }) as TomlTable;
}

const isTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** What is at `path`; undefined: nothing. */
function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inside, name) => (isTable(inside) ? inside[name] : undefined), value);
}

/** Reports whether two texts say the same but for what is at `path`. */
function sameElsewhere(before: unknown, after: unknown, path: Path): boolean {
  return isDeepStrictEqual(without(before as TomlTable, path), without(after as TomlTable, path));
}

/** The text of the table `path` with `value`'s keys in it. */
export const tableText = (path: Path, value: object, eol = '\n'): string =>
  [headerOf(path), ...Object.entries(value).map(([name, inside]) => `${keyOf(name)} = ${valueText(inside)}`), ''].join(
    eol,
  );

const BY_HAND = 'it says it in a way that cannot be changed without touching the rest; change it by hand';

/** Adds the table `path` at the end. Fault when something is at `path` already, or around it in a form that takes no more. */
export function appendTable(text: string, path: Path, value: object): Edited {
  const before = readToml(text);
  if ('fault' in before) return before;
  if (at(before.value, path) !== undefined) return { fault: `${path.join('.')} is there already` };
  const eol = lineEnd(text);
  const start = text === '' || text === BOM ? text : text.endsWith('\n') ? text + eol : text + eol + eol;
  const edited = start + tableText(path, value, eol);
  const after = readToml(edited);
  if ('fault' in after || !sameElsewhere(before.value, after.value, path)) return { fault: BY_HAND };
  return isDeepStrictEqual(at(after.value, path), at(readData(value, path), path))
    ? { text: edited }
    : { fault: BY_HAND };
}

/** What a reader makes of the table alone. */
const readData = (value: object, path: Path): unknown => parse(tableText(path, value));

/** Which lines of `lines` begin a table, by its name as it is written. */
const headerIn = (line: string): string | undefined => /^(\[\[?[^[\]]*\]\]?)\s*(#.*)?$/.exec(line.trim())?.[1];

/** Takes out the table `path` with the blank line before it. Nothing there: nothing changes. */
export function removeTable(text: string, path: Path): Edited {
  const before = readToml(text);
  if ('fault' in before) return before;
  if (at(before.value, path) === undefined) return { text };
  const lines = text.split(/(?<=\n)/);
  const own = headerOf(path);
  const start = lines.findIndex((line) => headerIn(line.replace(BOM, ''))?.replace(/\s/g, '') === own);
  if (start === -1) return { fault: BY_HAND };
  const isOurs = (header: string): boolean => header.replace(/\s/g, '').startsWith(`${own.slice(0, -1)}.`);
  const next = lines.findIndex((line, index) => {
    const header = index > start ? headerIn(line) : undefined;
    return header !== undefined && !isOurs(header);
  });
  let stop = next === -1 ? lines.length : next;
  // What stands before the next table, blank lines and comments, is that table's.
  while (stop > start + 1 && /^(#.*)?$/.test(lines[stop - 1]!.trim())) stop -= 1;
  const from = start > 0 && lines[start - 1]!.trim() === '' ? start - 1 : start;
  const edited = [...lines.slice(0, from), ...lines.slice(stop)].join('');
  const after = readToml(edited);
  const isGone = !('fault' in after) && at(after.value, path) === undefined;
  return isGone && sameElsewhere(before.value, after.value, path) ? { text: edited } : { fault: BY_HAND };
}
