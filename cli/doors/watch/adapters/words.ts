/** Amounts in words, for the one line that a card has. */
import { toCounts, toElapsed, toLine } from '../text.ts';

/** Longer texts are cut before they are looked at. */
const LOOKED_AT = 20_000;
const MAX_LINES = 50;

/** `1 file`, `3 files`. */
export const count = (many: number, one: string, several = `${one}s`): string =>
  `${many} ${many === 1 ? one : several}`;

/** `5.1 MB`. */
export const bytes = (amount: number): string => toCounts(amount, null, 'bytes');

/** Seconds that are left or gone: `40 s`, `3 min`. */
export const duration = (seconds: number): string => toElapsed(seconds * 1_000);

/** The first line of a text that has something to see, at most `max` code points of it. */
export function firstLine(text: string, max: number): string | undefined {
  for (const line of text.slice(0, LOOKED_AT).split(/[\r\n]+/, MAX_LINES)) {
    const shown = toLine(line, max);
    if (shown !== undefined) return shown;
  }
  return undefined;
}

/** The parts that are there, as one line. */
export const together = (...parts: readonly (string | null | undefined | false)[]): string | undefined =>
  parts.filter((part): part is string => typeof part === 'string' && part !== '').join(', ') || undefined;
