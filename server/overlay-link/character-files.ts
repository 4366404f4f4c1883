/** The files of characters as the page may have them: what a manifest names, read from where its pack lies, and nothing beside it. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Member } from '../protocol/cast.ts';
import { CHARACTERS_PATH, PAGE_PATH } from '../protocol/link.ts';
import { headersFor, type PageFile } from './page-files.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ogg': 'audio/ogg',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
};
const MANIFEST = 'character.json';
const MAX_BYTES = 64 * 1_024 * 1_024;

/** A link could lead out of the pack, and a FIFO would never end. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Null: not there, or no regular file of a size that a pack may have. */
async function readRegular(path: string): Promise<Buffer | null> {
  try {
    const file = await open(path, FLAGS);
    try {
      const stat = await file.stat();
      return stat.isFile() && stat.size <= MAX_BYTES ? await file.readFile() : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

const isNamed = ({ manifest: { images, sounds = [] } }: Member, name: string): boolean =>
  [...images, ...sounds].some(({ file }) => file === name);

/** Where the files of characters lie. */
const PREFIX = `${PAGE_PATH}${CHARACTERS_PATH}`;

/** Reports whether `path`, of the page's address, is that of a character's file. */
export const isCharacterPath = (path: string): boolean => path.startsWith(PREFIX);

export interface CharacterAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const NOT_FOUND: CharacterAnswer = { status: 404, headers: {}, body: new Uint8Array() };

/**
 * Answers `<folder><file>`, where the folder is as `characterFolder` names it. `find` gives the character with these very files. The
 * manifest is the one that was checked. These answers do not go through the socket's server, which takes a tenth of a second for a sheet.
 */
export function answerCharacters(
  find: (id: string, stamp: string) => Member | undefined,
): (path: string) => Promise<CharacterAnswer> {
  const read = async (path: string): Promise<PageFile | null> => {
    const [id, stamp, name, rest] = path.slice(PREFIX.length).split('/');
    const member = id && stamp && name && rest === undefined ? find(id, stamp) : undefined;
    if (member === undefined || name === undefined) return null;
    if (name === MANIFEST)
      return { type: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify(member.manifest)) };
    const type = isNamed(member, name) ? TYPES[extname(name)] : undefined;
    const body = type === undefined ? null : await readRegular(join(member.folder, member.paths?.[name] ?? name));
    return type === undefined || body === null ? null : { type, body };
  };
  return async (path) => {
    const file = await read(path);
    return file === null ? NOT_FOUND : { status: 200, headers: headersFor(file), body: file.body };
  };
}
