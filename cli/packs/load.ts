/** Loads the code for packs, which lies beside the CLI in a file of its own. */
import type * as Packs from './entry.ts';

// A name the bundler cannot follow.
const PACKS: string = './packs.cjs';

// Not by `import`: that looks through all of the text for names first, which takes as long as the rest of the loading.
export const loadPacks = async (): Promise<typeof Packs> => require(PACKS) as typeof Packs;
