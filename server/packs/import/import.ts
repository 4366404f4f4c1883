/** Reads every character of a foreign source and turns each into a pack; installs nothing. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { maxBytesOf } from '../pack-files.ts';
import { PackError } from '../types.ts';
import { buildPack, type ImportedPack, type ImportOptions, type MakeAtlas, verbOf } from './build.ts';
import type { Look } from './draft.ts';
import { findCharacters, findOwnPack, openSource } from './find.ts';
import { giveUp } from './give-up.ts';
import { oneLine } from './identity.ts';
import { baseOf, folderOf, type SourceTree } from './source.ts';

/** What decodes pictures, outside this process. */
export interface PictureWork {
  readonly look: Look;
  readonly makeAtlas: MakeAtlas;
}

export interface Refused {
  readonly name: string;
  readonly reason: string;
}

export type ImportResult =
  /** The source needs no import: at `path` is a pack of our own, a folder or a zip. */
  | { readonly kind: 'pack'; readonly path: string }
  | { readonly kind: 'imported'; readonly packs: readonly ImportedPack[]; readonly refused: readonly Refused[] };

const NOTICE = /^(LICEN[CS]E|COPYING|NOTICE|AUTHORS|CREDITS)(\.txt|\.md)?$/;

/** Licence texts at the top of the source travel with what is made of it. */
async function noticesOf(tree: SourceTree): Promise<ReadonlyMap<string, Uint8Array>> {
  const tops = new Set(tree.files.map((file) => file.split('/')[0]));
  const top = tops.size === 1 ? [...tops][0]! : '';
  const notices = new Map<string, Uint8Array>();
  // Beside a single file anything may lie.
  if (tree.chosen !== null) return notices;
  for (const file of tree.files) {
    const name = baseOf(file);
    if (!NOTICE.test(name) || (folderOf(file) !== '' && folderOf(file) !== top) || notices.has(name)) continue;
    const bytes = await tree.read(file);
    if (bytes.length <= (maxBytesOf(name) ?? 0)) notices.set(name, bytes);
  }
  return notices;
}

async function importTree(tree: SourceTree, options: ImportOptions, work: PictureWork): Promise<ImportResult> {
  const found = await findCharacters(tree, options.capabilities.map(verbOf));
  if (found.length > 1 && options.as !== null)
    giveUp(
      `there are ${found.length} characters in it, so that one name does not do`,
      'leave out --as, or hand over one of them',
    );
  const notices = await noticesOf(tree);
  const packs: ImportedPack[] = [];
  const refused: Refused[] = [];
  for (const candidate of found) {
    try {
      const pack = await buildPack(await candidate.read(work.look), options, work.makeAtlas);
      packs.push({ ...pack, files: new Map([...notices, ...pack.files]) });
    } catch (error) {
      // One that cannot be taken keeps none of the others from it.
      if (found.length === 1 || !(error instanceof PackError) || error.code !== 'E_INVALID_INPUT') throw error;
      refused.push({ name: oneLine(candidate.name, 64, 'unnamed'), reason: error.message });
    }
  }
  return { kind: 'imported', packs, refused };
}

/** Runs nothing of the source and opens nothing outside it. Errors: PackError. */
export async function importFrom(
  path: string,
  options: ImportOptions,
  work: PictureWork,
  signal: AbortSignal,
): Promise<ImportResult> {
  const tree = await openSource(path, signal);
  try {
    const own = findOwnPack(tree);
    if (own === null) return await importTree(tree, options, work);
    if (options.as !== null)
      giveUp('this is a character pack already, which has a name and an ID of its own', 'leave out --as');
    if (tree.chosen !== null) return { kind: 'pack', path: dirname(path) };
    return { kind: 'pack', path: statSync(path).isDirectory() ? join(path, own) : path };
  } finally {
    tree.close();
  }
}
