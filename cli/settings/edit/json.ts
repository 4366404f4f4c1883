/** Changes JSON as people keep it (comments, trailing commas, any indentation) so that every other byte stays. Pure. */
import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Edited, Path, Read } from './edit.ts';

/** Of jsonc-parser, whose constant enumerations no bundler can follow. */
const [COMMA, END] = [5, 17];
const BOM = '\uFEFF';

class Fault extends Error {}

const articles: Readonly<Record<string, string>> = { array: 'an array', object: 'an object' };
const wordOf = ({ type }: Node): string => articles[type] ?? `a ${type}`;
const nameOf = (path: Path): string => (path.length === 0 ? 'the file' : path.join('.'));

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The tree of `text`; an empty text is an empty object. Throws Fault. */
function parse(text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text.trim() === '' ? '{}' : text, errors, { allowTrailingComma: true });
  } catch {
    throw new Fault('it is nested too deeply');
  }
  const [first] = errors;
  if (first !== undefined)
    throw new Fault(`it is not JSON: ${printParseErrorCode(first.error)} in line ${lineOf(text, first.offset)}`);
  if (root === undefined) throw new Fault('it is not JSON');
  if (root.type !== 'object') throw new Fault(`it should hold an object, and holds ${wordOf(root)}`);
  return root;
}

/** The property `name` of an object. Readers differ in which of two of one name they take: then nobody may guess. */
function property(object: Node, name: string, path: Path): Node | undefined {
  const found = (object.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (found.length > 1) throw new Fault(`${nameOf([...path, name])} is there twice`);
  return found[0];
}

interface Place {
  readonly around: Node;
  /** Which step of the path is looked for in it. */
  readonly at: number;
  readonly found: Node | null;
}

/** The property at `path`, and the object around it; the property is missing when any part of the way is. Throws Fault. */
function find(root: Node, path: Path): Place {
  let around = root;
  for (const [at, name] of path.entries()) {
    const found = property(around, name, path.slice(0, at));
    if (found === undefined || at === path.length - 1) return { around, at, found: found ?? null };
    const value = found.children![1]!;
    if (value.type !== 'object')
      throw new Fault(`${nameOf(path.slice(0, at + 1))} should be an object, and is ${wordOf(value)}`);
    around = value;
  }
  throw new Fault('no place is named');
}

interface Style {
  readonly eol: string;
  readonly unit: string;
  /** Without any space, as machines write it. */
  readonly compact: boolean;
}

function styleOf(text: string): Style {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    unit: unit.startsWith('\t') ? '\t' : unit,
    compact: !text.includes('\n') && !/[:,] /.test(text) && /[:,]/.test(text),
  };
}

const indentAt = (text: string, offset: number): string =>
  /[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))![0];

/** `value` on one line. */
function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, inside]) => `${JSON.stringify(name)}: ${oneLine(inside)}`);
  return `{${entries.join(', ')}}`;
}

/** `value` as it stands after `indent`; on one line when `indent` is null. */
function render(value: unknown, { eol, unit, compact }: Style, indent: string | null): string {
  if (indent === null) return compact ? JSON.stringify(value) : oneLine(value);
  return JSON.stringify(value, null, unit)
    .split('\n')
    .join(eol + indent);
}

/** Where the first comma outside of comments is in `text` from `from` to `to`; -1: nowhere. */
function commaBetween(text: string, from: number, to: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  for (let token: number = scanner.scan(); token !== END && scanner.getTokenOffset() < to; token = scanner.scan())
    if (token === COMMA) return scanner.getTokenOffset();
  return -1;
}

const endOf = ({ offset, length }: Node): number => offset + length;

/** Adds `child` as the last one of an object or array, after what comments stand there. */
function insertChild(text: string, around: Node, child: (indent: string | null) => string, style: Style): string {
  const { eol, unit } = style;
  const close = endOf(around) - 1;
  const last = around.children?.at(-1);
  if (last === undefined) {
    const base = indentAt(text, around.offset);
    const inner = text.slice(around.offset + 1, close).trimEnd();
    return `${text.slice(0, around.offset + 1)}${inner}${eol}${base}${unit}${child(base + unit)}${eol}${base}${text.slice(close)}`;
  }
  const lastEnd = endOf(last);
  const tail = text.slice(lastEnd, close);
  const isTrailing = commaBetween(text, lastEnd, close) !== -1;
  const body = tail.trimEnd();
  const isOneLine = !text.slice(around.offset, close).includes('\n');
  const indent = isOneLine ? null : indentAt(text, around.children![0]!.offset);
  const gap = indent === null ? (style.compact ? '' : ' ') : eol + indent;
  const added = `${isTrailing ? '' : ','}${body}${gap}${child(indent)}${isTrailing ? ',' : ''}`;
  return text.slice(0, lastEnd) + added + tail.slice(body.length) + text.slice(close);
}

/** Takes the child out, and the comma that came with it; what was inserted by `insertChild` leaves no trace. */
function removeChild(text: string, around: Node, child: Node): string {
  const siblings = around.children!;
  const at = siblings.indexOf(child);
  const start = at === 0 ? around.offset + 1 : endOf(siblings[at - 1]!);
  const close = endOf(around) - 1;
  const stop = at === siblings.length - 1 ? close : siblings[at + 1]!.offset;
  let before = text.slice(start, child.offset).trimEnd();
  let after = text.slice(endOf(child), stop);
  const comma = commaBetween(text, endOf(child), stop);
  if (comma !== -1) after = text.slice(endOf(child), comma) + text.slice(comma + 1, stop);
  else if (at > 0) {
    const joint = commaBetween(text, start, child.offset) - start;
    before = before.slice(0, joint) + before.slice(joint + 1);
  }
  const isBare = siblings.length === 1 && before === '' && after.trim() === '';
  return text.slice(0, start) + (isBare ? '' : before + after) + text.slice(stop);
}

/** Runs `work` on the text without its byte order mark, and puts that back. */
function edit(text: string, work: (text: string) => string): Edited {
  const mark = text.startsWith(BOM) ? BOM : '';
  try {
    return { text: mark + work(text.slice(mark.length)) };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

/** The data of `text`. */
export function readJson(text: string): Read {
  try {
    return { value: getNodeValue(parse(text.startsWith(BOM) ? text.slice(1) : text)) };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

const nested = (path: Path, value: unknown): unknown =>
  path.reduceRight<unknown>((inside, name) => ({ [name]: inside }), value);

/** Adds the property that is missing on the way of `path`, with the rest of the way inside it. */
function insertProperty(text: string, { around, at }: Place, path: Path, value: unknown): string {
  const style = styleOf(text);
  const inside = nested(path.slice(at + 1), value);
  const colon = style.compact ? ':' : ': ';
  const child = (indent: string | null): string => `"${path[at]}"${colon}${render(inside, style, indent)}`;
  return insertChild(text, around, child, style);
}

/** What an empty text becomes. */
function whole(text: string, path: Path, value: unknown): string {
  const style = styleOf(text);
  return render(nested(path, value), style, '') + style.eol;
}

/** Puts `value` at `path`, with the objects on the way that are missing. What is there already is replaced. */
export const putJson = (text: string, path: Path, value: unknown): Edited =>
  edit(text, (plain) => {
    if (plain.trim() === '') return whole(plain, path, value);
    const place = find(parse(plain), path);
    const { around, found } = place;
    if (found === null) return insertProperty(plain, place, path, value);
    const old = found.children![1]!;
    const isOneLine = !plain.slice(around.offset, endOf(around)).includes('\n');
    const rendered = render(value, styleOf(plain), isOneLine ? null : indentAt(plain, found.offset));
    return plain.slice(0, old.offset) + rendered + plain.slice(endOf(old));
  });

/** Adds `value` as the last element of the array at `path`, which is made when it is missing. */
export const appendJson = (text: string, path: Path, value: unknown): Edited =>
  edit(text, (plain) => {
    if (plain.trim() === '') return whole(plain, path, [value]);
    const place = find(parse(plain), path);
    const array = place.found?.children?.[1];
    if (array === undefined) return insertProperty(plain, place, path, [value]);
    if (array.type !== 'array') throw new Fault(`${nameOf(path)} should be an array, and is ${wordOf(array)}`);
    const style = styleOf(plain);
    return insertChild(plain, array, (indent) => render(value, style, indent), style);
  });

/** Takes out what is at `path`, an index standing for an element. Nothing there: nothing changes. */
export const removeJson = (text: string, path: readonly (string | number)[]): Edited =>
  edit(text, (plain) => {
    let around = parse(plain);
    for (const [at, step] of path.entries()) {
      const child =
        typeof step === 'number'
          ? around.type === 'array' && around.children?.[step]
          : around.type === 'object' && property(around, step, []);
      if (!child) return plain;
      if (at === path.length - 1) return removeChild(plain, around, child);
      around = typeof step === 'number' ? child : child.children![1]!;
    }
    return plain;
  });
