/** A text that someone is to agree to: every character of it is seen, and what does not fit is said to be missing. */

const UNSEEN = /[^\P{Cc}\n\t]|[\p{Cs}\p{Bidi_Control}\u200B-\u200D\u2028\u2029\u2060-\u206F\uFEFF]/gu;
const asEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

export interface ShownWhole {
  readonly text: string;
  readonly isWhole: boolean;
}

/** `text` with what cannot be seen in it as escapes (`\u001B`), at most `max` code points of it. Line breaks and tabs stay. */
export function shownWhole(text: string, max: number): ShownWhole {
  const points = Array.from(text.slice(0, max * 2 + 2).replace(UNSEEN, asEscape));
  const isWhole = text.length <= max * 2 + 2 && points.length <= max;
  return { text: points.slice(0, max).join(''), isWhole };
}
