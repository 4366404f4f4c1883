/** The characters there are at one moment, and which of them the user has chosen: what the host tells the runtime, anew with each change. */
import type { Character } from './character.ts';

/** A character that can be shown. */
export interface Member extends Character {
  /** It came with this program. */
  readonly builtIn: boolean;
  /** Names these very files, manifest and pictures; another one once any of them is another. Plain letters and digits. */
  readonly stamp: string;
}

export interface Cast {
  /** Built-in ones first, each kind by its IDs; no two with one ID. */
  readonly members: readonly Member[];
  /** What is there and cannot be used. */
  readonly unavailable: readonly { readonly id: string; readonly reason: string }[];
  /** ID the user has chosen, whether it can be had or not; null: the default built-in one. */
  readonly chosen: string | null;
}
