/** The looks a card can have. A style never hides the mark of a tone (spec §2). */
import type { StyleId } from '../protocol/words.ts';

export const DEFAULT_STYLE: StyleId = 'plain';

export const STYLES: readonly { readonly id: StyleId; readonly description: string }[] = [
  { id: 'plain', description: 'Quiet cards in the colours of the desktop.' },
  { id: 'comic', description: 'Speech balloons with bold outlines.' },
  { id: 'terminal', description: 'Monospaced, dark, square: for output of programs.' },
  { id: 'large-text', description: 'Larger letters, stronger contrast and wider spacing.' },
];

/** Styles that fit capabilities drawn as a card. */
export const CARD_STYLES: readonly StyleId[] = STYLES.map(({ id }) => id);
/** A clip is drawn by the character; no card style applies to it but the plain one. */
export const CLIP_STYLES: readonly StyleId[] = ['plain'];
