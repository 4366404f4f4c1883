/** The characters this project draws. */
import type { DrawnCharacter } from './drawn.ts';
import { nib } from './nib/nib.ts';

export const CHARACTERS: readonly DrawnCharacter[] = [nib];
