/** The characters this project draws. */
import type { DrawnCharacter } from './drawn.ts';
import { moss } from './moss/moss.ts';
import { nib } from './nib/nib.ts';
import { simmer } from './simmer/simmer.ts';

export const CHARACTERS: readonly DrawnCharacter[] = [nib, simmer, moss];
