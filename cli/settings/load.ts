/** Loads the code that few commands need; it lies beside the CLI in a file of its own. */
import type * as Settings from './entry.ts';

// A name the bundler cannot follow.
const SETTINGS: string = './settings.cjs';

// Not by `import`: that first looks through all of the text for names, which takes as long as the rest of the loading.
/** What reads and changes JSON and TOML. */
export const loadSettings = (): typeof Settings => require(SETTINGS) as typeof Settings;
export type SettingsCode = typeof Settings;
