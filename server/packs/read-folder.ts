/** Reads a character pack from its folder, and only those of its files that the manifest names. */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { CharacterManifest, PackImage } from '../protocol/character.ts';
import { checkManifest } from './check.ts';
import { type Bytes, bytesOf, readImageHeader } from './image-header.ts';
import { lookInside, readInside, WINDOW_BYTES } from './inside.ts';
import { PACK_LIMITS } from './limits.ts';
import { MANIFEST_FILE } from './pack-files.ts';
import { fewReasons } from './read-json.ts';
import { refuse } from './system-error.ts';

/** Enough for the size of any PNG or WebP. */
const HEADER_BYTES = 4_096;
const { maxManifestBytes, maxImageBytes, maxSoundBytes } = PACK_LIMITS;

/** How such a file begins. */
const SOUNDS: Readonly<Record<string, (head: string) => boolean>> = {
  '.ogg': (head) => head.startsWith('OggS'),
  '.wav': (head) => /^RIFF.{4}WAVE/s.test(head),
  '.mp3': (head) => head.startsWith('ID3') || /^\xff[\xe0-\xff]/.test(head),
};

/** Where the parser stopped, if it says so. */
function placeOf(error: unknown, text: string): string {
  const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return `, see line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** A byte order mark is let pass; another encoding than UTF-8 is not. */
function parseManifest(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse(`${MANIFEST_FILE} is not UTF-8 text`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refuse(`${MANIFEST_FILE} is not JSON${placeOf(error, text)}`);
  }
}

function readManifest(folder: string): CharacterManifest {
  const value = parseManifest(readInside(folder, MANIFEST_FILE, maxManifestBytes));
  const reasons = checkManifest(value);
  if (reasons.length === 0) return value as CharacterManifest;
  throw refuse(`${MANIFEST_FILE}: ${fewReasons(reasons)}`);
}

function hashOf(bytes: Bytes): string {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += WINDOW_BYTES) hash.update(bytes.peek(at, WINDOW_BYTES));
  return hash.digest('hex');
}

/** The page trusts the manifest's size and cuts cells by it, so the image's own must be the same. */
function checkImage(bytes: Bytes, { file, w, h, sha256 }: PackImage, isWhole: boolean): void {
  const header = readImageHeader(file, bytes, isWhole);
  if (extname(file) !== `.${header.format}`) throw refuse(`${file} is in truth a ${header.format} file`);
  if (header.w !== w || header.h !== h)
    throw refuse(`${file} is ${header.w} x ${header.h} pixels, the manifest says ${w} x ${h}`);
  if (header.isAnimated) throw refuse(`${file} is an animated image, a sheet stands still`);
  if (isWhole && sha256 !== undefined && hashOf(bytes) !== sha256)
    throw refuse(`${file} does not have the SHA-256 the manifest states`);
}

function checkSound(bytes: Buffer, file: string): void {
  if (!SOUNDS[extname(file)]?.(bytes.toString('latin1', 0, 12)))
    throw refuse(`${file} is not the kind of sound file its name says`);
}

function read(folder: string, isWhole: boolean): CharacterManifest {
  const manifest = readManifest(folder);
  const firstBytes = isWhole ? undefined : HEADER_BYTES;
  for (const image of manifest.images)
    if (isWhole) lookInside(folder, image.file, maxImageBytes, (bytes) => checkImage(bytes, image, true));
    else checkImage(bytesOf(readInside(folder, image.file, maxImageBytes, HEADER_BYTES)), image, false);
  for (const { file } of manifest.sounds ?? []) checkSound(readInside(folder, file, maxSoundBytes, firstBytes), file);
  return manifest;
}

/**
 * The manifest of the pack in `folder`, after manifest, images and sounds have been checked whole, sizes and SHA-256 included.
 * Decodes no picture, opens nothing the manifest does not name. Errors: PackError E_INVALID_INPUT naming file and reason.
 */
export const readPack = (folder: string): CharacterManifest => read(folder, true);

/** As readPack, for a pack that was read whole when it was installed: of images and sounds only the first bytes are read. */
export const recheckPack = (folder: string): CharacterManifest => read(folder, false);
