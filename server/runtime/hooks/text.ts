/** Text of others on one of our cards: everything in it is to be seen. */

/** Control characters but for line breaks and tabs, halves of surrogate pairs, and what reorders text or leaves no ink. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029\u115F\u1160\u3164\uFFA0]/gu;

function escaped(char: string): string {
  const hex = char.codePointAt(0)!.toString(16).toUpperCase();
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** `text` with what cannot be seen as escapes (`\u202E`). */
export const visible = (text: string): string => text.replace(UNSEEN, escaped);

/** The last part of a path on one line, at most `max` characters; '?' for none. */
export function baseName(path: string, max: number): string {
  const last = path.split('/').filter(Boolean).at(-1) ?? (path.startsWith('/') ? '/' : '');
  const line = [
    ...visible(last)
      .replace(/[\n\t]/g, ' ')
      .trim(),
  ];
  if (line.length === 0) return '?';
  return line.length > max ? `${line.slice(0, max - 1).join('')}…` : line.join('');
}
