/** The library's own file: which wardrobe is active, which indexes there are, and which wardrobes lie elsewhere. */
import type { Places } from './places.ts';
import { readJson } from './read-json.ts';
import { dictionary, line, list, matching, object } from './shape.ts';
import { PackError, type PackIndex } from './types.ts';
import { replaceJson } from './write-file.ts';

const MAX_FILE_BYTES = 1_048_576;
const MAX_INDEXES = 64;
const MAX_WARDROBES = 1_000;

export interface LibraryFile {
  /** Name of the active wardrobe. */
  readonly active: string;
  readonly indexes: readonly PackIndex[];
  /** Wardrobe name → its folder, for those that do not lie in the library's own place. */
  readonly folders: Readonly<Record<string, string>>;
}

export const DEFAULT_WARDROBE = 'default';

/** A wardrobe's name. */
export const WARDROBE_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** An index's name. */
export const INDEX_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const wardrobeName = matching(WARDROBE_NAME, 'must be of letters, digits, - and _, at most 64');
const libraryFile = object({
  active: wardrobeName,
  indexes: list(object({ name: matching(INDEX_NAME, 'is no name of an index'), url: line(4_096) }), 0, MAX_INDEXES),
  folders: dictionary(wardrobeName, line(4_096), 0, MAX_WARDROBES),
});

/** What the file says; a library that has none yet has the default wardrobe and no index. E_INVALID_INPUT: it cannot be read. */
export function readLibraryFile(places: Places): LibraryFile {
  const { value, reason } = readJson<LibraryFile>(places.libraryFile, libraryFile, MAX_FILE_BYTES);
  if (reason !== null)
    throw new PackError('E_INVALID_INPUT', `${places.libraryFile}: ${reason}`, 'mend this file, or move it away');
  return value ?? { active: DEFAULT_WARDROBE, indexes: [], folders: {} };
}

/** The caller holds the library's lock. Refuses with E_INVALID_INPUT what it could not read again. */
export function writeLibraryFile(places: Places, value: LibraryFile): void {
  const reasons = libraryFile(value, '');
  if (reasons.length > 0) throw new PackError('E_INVALID_INPUT', `library.json: ${reasons[0]}`);
  replaceJson(places.libraryFile, value);
}
