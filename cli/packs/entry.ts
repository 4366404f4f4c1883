/** What the command line loads only when packs are its business; built as a file of its own, so that other commands do not pay for it. */
export { loadCharacters } from '../../server/packs/load.ts';
