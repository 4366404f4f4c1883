/** Loads the code for packs, which lies beside the CLI in a file of its own. */
import type * as Packs from './entry.ts';

// A name the bundler cannot follow.
const PACKS: string = './packs.cjs';

export const loadPacks = async (): Promise<typeof Packs> => (await import(PACKS)) as typeof Packs;
