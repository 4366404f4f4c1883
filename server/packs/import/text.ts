/** Turns bytes into text by byte-order mark, declaration, or what can be read at all: UTF-8, UTF-16, Shift_JIS. */
import { isObject } from '../../protocol/json-object.ts';
import { PackError } from '../types.ts';

/** What XML files of such packs say of themselves; anything else is refused rather than misread. */
const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16': 'utf-16le',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  shift_jis: 'shift_jis',
  'shift-jis': 'shift_jis',
  sjis: 'shift_jis',
  'windows-31j': 'shift_jis',
  ms932: 'shift_jis',
  cp932: 'shift_jis',
  'euc-jp': 'euc-jp',
  'iso-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
};

/** The text of `bytes` in that encoding, or null when it is not text in it. A byte-order mark is taken off. */
export function decodeAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** By its mark, or by the zeros beside its first letter. */
function wideEncoding([first, second]: Uint8Array): string | null {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return null;
}

function declaredEncoding(file: string, bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 256)).toString('latin1');
  const label = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1];
  if (label === undefined) return null;
  const encoding = ENCODINGS[label.toLowerCase()];
  if (encoding === undefined) throw new PackError('E_INVALID_INPUT', `${file} is in an encoding that is not read here`);
  return encoding;
}

/** Error: E_INVALID_INPUT, naming `file`. */
export function decodeText(file: string, bytes: Uint8Array): string {
  const wide = wideEncoding(bytes);
  const candidates = wide !== null ? [wide] : [declaredEncoding(file, bytes) ?? 'utf-8', 'utf-8', 'shift_jis'];
  for (const encoding of candidates) {
    const text = decodeAs(encoding, bytes);
    if (text !== null) return text;
  }
  throw new PackError('E_INVALID_INPUT', `${file} is not text in the encoding it claims`);
}

/** An object of a foreign JSON file: only fields of its own are ever seen, so that no name reaches a prototype. */
export interface JsonObject {
  get(name: string): unknown;
  /** Text without line breaks at the ends; null when it is none, or empty. */
  text(name: string): string | null;
  number(name: string): number | null;
  object(name: string): JsonObject | null;
  list(name: string): readonly unknown[] | null;
  entries(): readonly (readonly [string, unknown])[];
}

/** Null when `value` is no object. */
export function jsonObject(value: unknown): JsonObject | null {
  if (!isObject(value)) return null;
  const get = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
  return {
    get,
    text: (name) => {
      const found = get(name);
      return typeof found === 'string' && found.trim() !== '' ? found.trim() : null;
    },
    number: (name) => {
      const found = get(name);
      return typeof found === 'number' && Number.isFinite(found) ? found : null;
    },
    object: (name) => jsonObject(get(name)),
    list: (name) => {
      const found = get(name);
      return Array.isArray(found) ? found : null;
    },
    entries: () => Object.entries(value),
  };
}

/** Error: E_INVALID_INPUT, naming `file`. */
export function parseJson(file: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(file, bytes));
  } catch (error) {
    if (error instanceof PackError) throw error;
    throw new PackError('E_INVALID_INPUT', `${file} is not JSON`);
  }
}
