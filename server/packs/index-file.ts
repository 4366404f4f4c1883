/** What an index says: `index.json`, one entry for each version of a pack it has. */
import { PACK_LIMITS } from './limits.ts';
import { license, packId, requires, sha256, version } from './manifest-shape.ts';
import { fewReasons } from './read-json.ts';
import { line, list, matching, object, oneOf, whole } from './shape.ts';
import { type OfferedPack, PackError } from './types.ts';

export const INDEX_FILE = 'index.json';
export const INDEX_SCHEMA = 'desktop-companion.index/1';
export const MAX_INDEX_BYTES = 4_194_304;
const MAX_PACKS = 10_000;

/** A pack as `index.json` writes it down. */
export type IndexedPack = Omit<OfferedPack, 'index'>;

export interface IndexFile {
  readonly schema: typeof INDEX_SCHEMA;
  readonly packs: readonly IndexedPack[];
}

/** A zip's name in an index: with a folder or a scheme in it, it could lead anywhere. */
export const ZIP_NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,199}\.zip$/;

const indexFile = object({
  schema: oneOf(INDEX_SCHEMA),
  packs: list(
    object({
      id: packId,
      version,
      displayName: line(64),
      description: line(280),
      license,
      requires,
      file: matching(ZIP_NAME, 'must be the plain name of a .zip file beside the index'),
      size: whole(1, PACK_LIMITS.maxArchiveBytes),
      sha256,
    }),
    0,
    MAX_PACKS,
  ),
});

/** Checks the text of an `index.json`; `where` names it in the refusal, which is E_INVALID_INPUT. */
export function parseIndex(text: string, where: string): readonly IndexedPack[] {
  const refuse = (reason: string): PackError => new PackError('E_INVALID_INPUT', `${where}: ${reason}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('is not JSON');
  }
  const reasons = indexFile(value, '');
  if (reasons.length > 0) throw refuse(fewReasons(reasons));
  const { packs } = value as IndexFile;
  const seen = new Set<string>();
  for (const { id, version: each } of packs) {
    const name = `${id}@${each}`;
    if (seen.has(name)) throw refuse(`has ${name} twice`);
    seen.add(name);
  }
  return packs;
}
