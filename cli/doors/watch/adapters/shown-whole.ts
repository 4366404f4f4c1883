/** A text that someone is to agree to: every character of it is seen, and what does not fit is said to be missing. */
import { visible } from '../../../../server/protocol/visible.ts';

export interface ShownWhole {
  readonly text: string;
  readonly isWhole: boolean;
}

/** `text` with what cannot be seen in it as escapes (`\u001B`), at most `max` code points of it. Line breaks and tabs stay. */
export function shownWhole(text: string, max: number): ShownWhole {
  const points = Array.from(visible(text.slice(0, max * 2 + 2)));
  const isWhole = text.length <= max * 2 + 2 && points.length <= max;
  return { text: points.slice(0, max).join(''), isWhole };
}
