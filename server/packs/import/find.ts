/** Opens what the user has pointed at and says which characters are in it. */
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { MANIFEST_FILE } from '../pack-files.ts';
import { toPackError } from '../system-error.ts';
import { findAnimatedFiles } from './animated-files.ts';
import { findCodexPets } from './codex-pet.ts';
import type { Candidate } from './draft.ts';
import { findSheep } from './esheep.ts';
import { giveUp } from './give-up.ts';
import { findGrids } from './grid.ts';
import { openFile, openFolder } from './open-folder.ts';
import { openArchive } from './open-zip.ts';
import { findSheets } from './sheets.ts';
import { findShimeji } from './shimeji.ts';
import { folderOf, type SourceTree, shown } from './source.ts';
import { findThemes } from './theme.ts';

const MAX_CHARACTERS = 32;
const MAX_NAMED = 5;

async function startsAsZip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return /^PK(\x03\x04|\x05\x06)/.test(buffer.toString('latin1'));
  } finally {
    await file.close();
  }
}

/** A folder, a zip, or one file. Errors: E_NOT_FOUND, E_PERMISSION, E_INVALID_INPUT. */
export async function openSource(path: string, signal: AbortSignal): Promise<SourceTree> {
  const full = resolve(path);
  try {
    const found = await stat(full);
    if (found.isDirectory()) return await openFolder(full);
    if (!found.isFile()) giveUp('this is neither a folder nor a regular file');
    if (/\.(jar|exe)$/i.test(full))
      giveUp(
        'this is a program, and nothing of a program is run here',
        'hand over the folder or the zip with its pictures',
      );
    return /\.zip$/i.test(full) || (await startsAsZip(full)) ? await openArchive(full, signal) : await openFile(full);
  } catch (error) {
    throw toPackError(error, `${shown(path)} cannot be read`);
  }
}

/** Folder in the source that is a pack of our own already, '' for its top; null: none is. Error: E_INVALID_INPUT when there are several. */
export function findOwnPack({ files, chosen }: SourceTree): string | null {
  if (chosen !== null) return chosen === MANIFEST_FILE ? '' : null;
  if (files.includes(MANIFEST_FILE)) return '';
  const folders = files.filter((file) => /^[^/]+\/character\.json$/.test(file)).map(folderOf);
  if (folders.length < 2) return folders[0] ?? null;
  const named = folders.slice(0, MAX_NAMED).map(shown).join(', ');
  return giveUp(
    `there are ${folders.length} packs in it: ${named}`,
    'hand over one of them, or make an index of them: companion packs index',
  );
}

type Finder = (tree: SourceTree, verbs: readonly string[]) => readonly Candidate[] | Promise<readonly Candidate[]>;

/** The surest sign first; loose pictures are what is left when nothing describes them. */
const FINDERS: readonly Finder[] = [
  findCodexPets,
  findShimeji,
  findThemes,
  findGrids,
  findSheep,
  findSheets,
  findAnimatedFiles,
];

/** The characters of the source, all in one format. `verbs`: last words of capability IDs. Error: E_INVALID_INPUT when there is none. */
export async function findCharacters(tree: SourceTree, verbs: readonly string[]): Promise<readonly Candidate[]> {
  for (const find of FINDERS) {
    const found = await find(tree, verbs);
    if (found.length > MAX_CHARACTERS)
      giveUp(`there are ${found.length} characters in it, at most ${MAX_CHARACTERS} are taken at once`);
    if (found.length > 0) return found;
  }
  return giveUp(
    `nothing in ${shown(tree.chosen ?? tree.name)} is known here`,
    'a Codex pet has pet.json; a Shimeji has img/ and conf/actions.xml; a sheet has its .json; loose pictures are named idle.gif, walk.gif and so on; a plain sheet needs grid.json',
  );
}
