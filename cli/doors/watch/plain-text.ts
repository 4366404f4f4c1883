/** Makes text of a watched program fit to show: no escape sequences, nothing that reorders or hides, no more than fits. */
import { stripVTControlCharacters } from 'node:util';

const UNSEEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u200B\u2028\u2029\u2060-\u206F\uFEFF]+/gu;
const UNSEEN_BUT_LAYOUT = /[^\P{Cc}\n\t]|[\p{Cs}\p{Bidi_Control}\u200B\u2028\u2029\u2060-\u206F\uFEFF]/gu;
const VISIBLE = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;
/** Units of what comes in that are looked at for one code point that may go out; an escape sequence is rarely longer. */
const LOOK = 16;

/** The first `max` code points, the last of them an ellipsis where something was left out. */
export function clamp(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = Array.from(text.slice(0, max * 2 + 2));
  return points.length <= max && text.length <= max * 2 + 2 ? text : `${points.slice(0, max - 1).join('')}…`;
}

/** One line of at most `max` code points; null when nothing of it can be seen. White space of any kind is one space. */
export function plainLine(text: string, max: number): string | null {
  const kept = stripVTControlCharacters(text.slice(0, max * LOOK))
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .trim();
  return VISIBLE.test(kept) ? clamp(kept, max) : null;
}

/** The first line of a text that has something to see, as `plainLine`. */
export function firstLine(text: string, max: number): string | null {
  for (const line of text.slice(0, max * LOOK * 4).split(/[\r\n]+/, 50)) {
    const plain = plainLine(line, max);
    if (plain !== null) return plain;
  }
  return null;
}

/**
 * The whole text, what cannot be seen in it as escapes (`\u001B`), so that what is read is what is there: for what someone
 * is to agree to. Line breaks and tabs stay.
 */
export const shownWhole = (text: string): string =>
  text.replace(UNSEEN_BUT_LAYOUT, (char) => `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
