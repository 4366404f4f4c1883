/** What the command line loads only when packs are its business; built as a file of its own, so that other commands do not pay for it. */
export { buildIndex } from '../../server/packs/build-index.ts';
export { openLibrary } from '../../server/packs/library.ts';
export { loadCharacters } from '../../server/packs/load.ts';
export { runInterface } from '../interface/main.ts';
