/** Reads the character packs of a folder; a broken one is named with its reason and harms no other. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Character, CharacterManifest } from '../protocol/character.ts';
import { checkManifest } from './check.ts';

const MANIFEST_FILE = 'character.json';
const MAX_MANIFEST_BYTES = 65_536;
const MAX_REASONS = 3;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface Unavailable {
  /** Name of the pack's folder, which is what its ID should have been. */
  readonly id: string;
  readonly reason: string;
}

/** A reason that ends the reading of one pack. */
class PackFault extends Error {}

/** The bytes of a regular file in the pack; a link could lead out of it. */
function readInside(folder: string, file: string): Buffer {
  const path = join(folder, file);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new PackFault(`${file} is missing`);
  if (!stat.isFile()) throw new PackFault(`${file} is not a regular file`);
  return readFileSync(path);
}

function parseManifest(bytes: Buffer): unknown {
  if (bytes.length > MAX_MANIFEST_BYTES)
    throw new PackFault(`${MANIFEST_FILE} has ${bytes.length} bytes, at most ${MAX_MANIFEST_BYTES} are allowed`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new PackFault(`${MANIFEST_FILE} is not JSON`);
  }
}

/** The size in a PNG's header must be the manifest's: the page trusts the manifest and cuts cells by it. */
function checkImage(folder: string, { file, w, h }: CharacterManifest['images'][number]): void {
  const bytes = readInside(folder, file);
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG_SIGNATURE)) throw new PackFault(`${file} is not a PNG`);
  const [realW, realH] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (realW !== w || realH !== h)
    throw new PackFault(`${file} is ${realW} x ${realH} pixels, the manifest says ${w} x ${h}`);
}

function loadCharacter(folder: string, id: string): Character {
  const value = parseManifest(readInside(folder, MANIFEST_FILE));
  const reasons = checkManifest(value);
  if (reasons.length > 0) {
    const more = reasons.length > MAX_REASONS ? `; and ${reasons.length - MAX_REASONS} more` : '';
    throw new PackFault(`${reasons.slice(0, MAX_REASONS).join('; ')}${more}`);
  }
  const manifest = value as CharacterManifest;
  // The page finds a pack by its ID, so the folder must bear it.
  if (manifest.id !== id) throw new PackFault(`the folder must be named ${manifest.id}, as its ID`);
  for (const image of manifest.images) checkImage(folder, image);
  return { manifest, folder };
}

/** Why the pack cannot be used, in words for the user; an error of the system is told by its code alone. */
function toReason(error: unknown): string {
  if (error instanceof PackFault) return error.message;
  return `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`;
}

function listFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

/**
 * Reads every pack in `folder` (one folder each, named by its ID), in the order of their IDs. Never throws: what cannot
 * be used is in `unavailable` with its reason, and a missing `folder` holds no characters.
 */
export function loadCharacters(folder: string): {
  readonly characters: readonly Character[];
  readonly unavailable: readonly Unavailable[];
} {
  const characters: Character[] = [];
  const unavailable: Unavailable[] = [];
  for (const id of listFolders(folder)) {
    try {
      characters.push(loadCharacter(join(folder, id), id));
    } catch (error) {
      unavailable.push({ id, reason: toReason(error) });
    }
  }
  return { characters, unavailable };
}
