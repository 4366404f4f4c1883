/** Reads XML into a plain tree; a document type, an unknown entity and anything out of bounds is refused. */
import { SaxesParser } from 'saxes';
import { PackError } from '../types.ts';
import { decodeText } from './text.ts';

const MAX_XML_BYTES = 8 * 1_024 * 1_024;
const MAX_ELEMENTS = 100_000;
const MAX_DEPTH = 64;

export interface Element {
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  /** Its own text, CDATA included. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

interface Open {
  name: string;
  attributes: Map<string, string>;
  children: Open[];
  text: string;
  line: number;
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The root element. Error: E_INVALID_INPUT, naming `file`, and the line where there is one. */
export function parseXml(file: string, bytes: Uint8Array): Element {
  if (bytes.length > MAX_XML_BYTES)
    throw new PackError('E_INVALID_INPUT', `${file} has ${bytes.length} bytes, at most ${MAX_XML_BYTES} are allowed`);
  const parser = new SaxesParser({ xmlns: false });
  const refuse = (why: string): never => {
    throw new PackError('E_INVALID_INPUT', `${file}, line ${parser.line}: ${why}`);
  };
  const open: Open[] = [];
  let root: Open | null = null;
  let count = 0;
  parser.on('error', () => refuse('is not well-formed XML'));
  parser.on('doctype', () => refuse('a document type (DOCTYPE) is not allowed'));
  parser.on('opentag', ({ name, attributes }) => {
    count += 1;
    if (count > MAX_ELEMENTS) refuse(`more than ${MAX_ELEMENTS} elements`);
    if (open.length >= MAX_DEPTH) refuse(`elements inside each other more than ${MAX_DEPTH} deep`);
    const element: Open = {
      name: local(name),
      attributes: new Map(Object.entries(attributes).map(([key, value]) => [local(key), String(value)])),
      children: [],
      text: '',
      line: parser.line,
    };
    if (open.length > 0) open.at(-1)!.children.push(element);
    else root = element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const addText = (text: string): void => {
    if (open.length > 0) open.at(-1)!.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  // The text is decoded already, whatever its declaration says.
  parser.write(decodeText(file, bytes)).close();
  return root ?? refuse('has no element');
}

/** Every element below `root`, in document order. */
export function descendants(root: Element): readonly Element[] {
  return root.children.flatMap((child) => [child, ...descendants(child)]);
}
