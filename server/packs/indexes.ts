/** The indexes of a library: places packs come from, under a name each. */
import { isAbsolute, resolve } from 'node:path';
import { INDEX_NAME, readLibraryFile, writeLibraryFile } from './library-file.ts';
import type { Places } from './places.ts';
import { PackError, type PackIndex } from './types.ts';

const SCHEMES = ['file:', 'http:', 'https:'];

const isUrl = (text: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text);

function checkedUrl(text: string): string {
  if (text.trim() === '') throw new PackError('E_INVALID_INPUT', 'The index needs a folder or a URL.');
  if (isAbsolute(text) || !isUrl(text)) return resolve(text);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !SCHEMES.includes(url.protocol))
    throw new PackError('E_INVALID_INPUT', 'An index is a folder, or a file:, http: or https: URL of one.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new PackError('E_INVALID_INPUT', 'The URL of an index has no user, password, query or fragment.');
  return url.href;
}

/** See Library.addIndex. A relative folder becomes an absolute one. The caller holds the library's lock. */
export function addIndex(places: Places, { name, url }: PackIndex): void {
  if (!INDEX_NAME.test(name))
    throw new PackError('E_INVALID_INPUT', 'An index’s name has 1 to 64 letters, digits, dots, - and _.');
  const entry = { name, url: checkedUrl(url) };
  const library = readLibraryFile(places);
  const isKnown = library.indexes.some((each) => each.name === name);
  const indexes = isKnown
    ? library.indexes.map((each) => (each.name === name ? entry : each))
    : [...library.indexes, entry];
  writeLibraryFile(places, { ...library, indexes });
}

/** See Library.removeIndex. The caller holds the library's lock. */
export function removeIndex(places: Places, name: string): void {
  const library = readLibraryFile(places);
  if (!library.indexes.some((each) => each.name === name))
    throw new PackError('E_NOT_FOUND', `There is no index ${JSON.stringify(name)}.`);
  writeLibraryFile(places, { ...library, indexes: library.indexes.filter((each) => each.name !== name) });
}
