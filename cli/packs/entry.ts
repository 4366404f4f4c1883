/** What the command line loads only when packs are its business; built as a file of its own, so that other commands do not pay for it. */
export { checkPack } from '../../server/packs/adopt.ts';
export { buildIndex } from '../../server/packs/build-index.ts';
export { CODEX_FORMAT } from '../../server/packs/import/codex-pet.ts';
export { importFrom } from '../../server/packs/import/import.ts';
export { versioned } from '../../server/packs/import/reimport.ts';
export { tellReport } from '../../server/packs/import/report.ts';
export { findPets } from '../../server/packs/in-place.ts';
export { openLibrary } from '../../server/packs/library.ts';
export { loadCharacters } from '../../server/packs/load.ts';
export { runInterface } from '../interface/main.ts';
export { openPictureDesk } from './picture-desk.ts';
