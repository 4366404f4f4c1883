/** Loads the code that few commands need; it lies beside the CLI in files of its own. */
import type * as Interface from '../interface/entry.ts';
import type * as Packs from './entry.ts';

// Names the bundler cannot follow.
const PACKS: string = './packs.cjs';
const INTERFACE: string = './interface.cjs';

// Not by `import`: that first looks through all of the text for names, which takes as long as the rest of the loading.
export const loadPacks = async (): Promise<typeof Packs> => require(PACKS) as typeof Packs;

/** The NDJSON interface and the library of packs. */
export const loadInterface = async (): Promise<typeof Interface> => require(INTERFACE) as typeof Interface;
