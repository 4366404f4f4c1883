/** Text helpers of the page: hidden characters made visible, lengths in code points, instants in the user's language. */
import type { LocalText } from '../server/protocol/character.ts';
import type { Language } from '../server/protocol/words.ts';

/** Bidirectional controls and characters that leave no ink: with them a command can look like another one. */
const HIDDEN = /[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

/** Shows characters that reorder or hide text as escapes (`\u202E`), so that what is read is what is there. R2. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
}

/** Length as contracts count it: in code points. */
export const codePoints = (text: string): number => [...text].length;

/** Time of day of an instant (epoch ms), with the date when it is another day than `nowMs`. */
export function formatMoment(language: Language, atMs: number, nowMs: number): string {
  const sameDay = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return new Intl.DateTimeFormat(
    language,
    sameDay ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  ).format(atMs);
}

/** Date and time of an instant (epoch ms). */
export function formatDate(language: Language, atMs: number): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(atMs);
}

/** A pack's text in the user's language, where it has it. */
export const inLanguage = ({ default: text, zh }: LocalText, language: Language): string =>
  language === 'zh-CN' ? (zh ?? text) : text;
