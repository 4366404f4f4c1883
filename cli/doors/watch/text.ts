/** Makes what a program says fit to be shown: plain text, clamped, without what steers terminals or turns the reading direction. */
import { stripVTControlCharacters } from 'node:util';

/** Longer texts are cut before they are looked at. */
const LOOKED_AT = 20_000;
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const LONE = /\p{Cs}/gu;
const CONTROL = /\p{Cc}/gu;
const CONTROL_BUT_BREAKS = /[^\P{Cc}\n\t]/gu;
const INK = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;

/** At most `maxLength` characters (code points), the last one an ellipsis when something is missing. */
function clamp(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength
    ? text
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}

const strip = (text: string): string =>
  stripVTControlCharacters(text.slice(0, LOOKED_AT)).replace(BIDI, '').replace(LONE, '');

/** One visible line of at most `maxLength` characters; undefined when nothing of `text` is visible. */
export function toLine(text: string | undefined, maxLength: number): string | undefined {
  const line = strip(text ?? '')
    .replace(CONTROL, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return INK.test(line) ? clamp(line, maxLength) : undefined;
}

/** Visible text with its line breaks, at most `maxLength` characters; undefined when nothing is visible. */
export function toProse(text: string | undefined, maxLength: number): string | undefined {
  const prose = strip((text ?? '').replaceAll('\r\n', '\n'))
    .replaceAll('\r', '\n')
    .replace(CONTROL_BUT_BREAKS, '')
    .trimEnd();
  return INK.test(prose) ? clamp(prose, maxLength) : undefined;
}

/** `40 s`, `12 min`, `1 h 5 min`: as much as is worth saying. */
export function toElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `5.1 of 20 MB`, `3 of 12`; without a total `5.1 MB`, `3`. */
export function toCounts(done: number, total: number | null, unit: 'bytes' | 'items' | undefined): string {
  if (unit !== 'bytes') return total === null ? `${done}` : `${done} of ${total}`;
  const most = Math.max(total ?? done, 1);
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(most) / 3));
  const scaled = (bytes: number): string => `${Number((bytes / 1_000 ** power).toPrecision(3))}`;
  return total === null ? `${scaled(done)} ${UNITS[power]}` : `${scaled(done)} of ${scaled(total)} ${UNITS[power]}`;
}
