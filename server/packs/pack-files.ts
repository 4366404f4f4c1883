/** Which files a pack is made of: its manifest, what that names, and the texts that travel along. Everything else stays outside. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { CharacterManifest } from '../protocol/character.ts';
import { PACK_LIMITS } from './limits.ts';

export const MANIFEST_FILE = 'character.json';
const NOTICES = ['LICENSE', 'LICENCE', 'COPYING', 'NOTICE', 'AUTHORS', 'CREDITS', 'README'].flatMap((name) =>
  ['', '.txt', '.md'].map((extension) => `${name}${extension}`),
);

/** Names of the files a pack cannot do without, the manifest first, each once. */
export const packFiles = ({ images, sounds = [] }: CharacterManifest): readonly string[] => [
  ...new Set([MANIFEST_FILE, ...images.map(({ file }) => file), ...sounds.map(({ file }) => file)]),
];

/** Names of the licence and other texts in `folder` that go where the pack goes; never links or too long ones. */
export const noticeFiles = (folder: string): readonly string[] =>
  NOTICES.filter((name) => {
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.size <= PACK_LIMITS.maxNoticeBytes;
  });

/** Bytes that a file of this name may have in a pack; null: no file of a pack is named so. */
export function maxBytesOf(name: string): number | null {
  if (name === MANIFEST_FILE) return PACK_LIMITS.maxManifestBytes;
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.(?:png|webp)$/.test(name)) return PACK_LIMITS.maxImageBytes;
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}\.(?:ogg|mp3|wav)$/.test(name)) return PACK_LIMITS.maxSoundBytes;
  return NOTICES.includes(name) ? PACK_LIMITS.maxNoticeBytes : null;
}
