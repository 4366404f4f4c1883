/** Text that somebody is to agree to: everything in it is to be seen. */

/**
 * Control characters but for line breaks and tabs, halves of surrogate pairs, and what reorders text or leaves no ink; of the
 * places kept free for such marks, U+2065 too.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029\u2065\u115F\u1160\u3164\uFFA0]/gu;

function escaped(char: string): string {
  const hex = char.codePointAt(0)!.toString(16).toUpperCase();
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

/** `text` with what cannot be seen as escapes (`\u202E`). */
export const visible = (text: string): string => text.replace(UNSEEN, escaped);
