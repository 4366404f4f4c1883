/** What the user has chosen; kept in the store, changed in the overlay only. */
import type { FullScreenPolicy } from './window.ts';
import type { Language, StyleId } from './words.ts';

export interface Settings {
  /** Outside access; off until the user switches it on (spec §5). */
  readonly access: boolean;
  readonly hidden: boolean;
  readonly paused: boolean;
  readonly doNotDisturb: boolean;
  /** 50 to 300. */
  readonly sizePercent: number;
  /** null: as the system says. */
  readonly reduceMotion: boolean | null;
  /** null: by locale. */
  readonly language: Language | null;
  readonly style: StyleId;
  /** Character ID. */
  readonly character: string;
  /** When a program takes the figure's whole monitor. */
  readonly fullScreen: FullScreenPolicy;
  /** A short sound with each card. */
  readonly sounds: boolean;
}

export const DEFAULT_CHARACTER = 'builtin.nib';

export const DEFAULT_SETTINGS: Settings = {
  access: false,
  hidden: false,
  paused: false,
  doNotDisturb: false,
  sizePercent: 100,
  reduceMotion: null,
  language: null,
  style: 'plain',
  character: DEFAULT_CHARACTER,
  fullScreen: 'hide',
  sounds: false,
};
