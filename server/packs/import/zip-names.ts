/** Reads the names of a zip's entries, which say in no reliable way which encoding they are in. */
import { isUtf8 } from 'node:buffer';
import { decodeAs } from './text.ts';

/** The upper half of the IBM PC's character set, in which old archives are said to be. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** Names of descriptions a pack is known by; a reading under which one appears is the right one. */
const KNOWN =
  /(^|\/)(動作|行動|actions?|behaviors?|behaviours?|pet|avatar|grid|theme|character|animations)\.(xml|json)$/i;

export interface RawName {
  readonly bytes: Uint8Array;
  /** The archive says that it is UTF-8. */
  readonly isUtf8: boolean;
}

const asCp437 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : CP437[byte - 128]!)).join('');

/** All names under one reading, or null when one of them cannot be read so. */
function readingOf(names: readonly RawName[], encoding: string): readonly string[] | null {
  const read = names.map(({ bytes, isUtf8: flagged }) => decodeAs(flagged ? 'utf-8' : encoding, bytes));
  return read.includes(null) ? null : (read as readonly string[]);
}

/** In the order of `raw`: UTF-8, else Shift_JIS, else CP437; a later one only if known names appear under it alone. */
export function readNames(raw: readonly RawName[]): readonly string[] {
  const cp437 = raw.map(({ bytes, isUtf8: flagged }) =>
    flagged && isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : asCp437(bytes),
  );
  const readings = [readingOf(raw, 'utf-8'), readingOf(raw, 'shift_jis'), cp437].filter((read) => read !== null);
  const names = readings.find((read) => read.some((name) => KNOWN.test(name))) ?? readings[0]!;
  // Some programs write the path as Windows does.
  return names.map((name) => name.replaceAll('\\', '/'));
}
