/** What the NDJSON door loads, built as a file of its own: beside it the code for packs has all that imports them, which takes a third longer to read. */
export { openLibrary } from '../../server/packs/library.ts';
export { runInterface } from './main.ts';
