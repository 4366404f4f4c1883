/** Reads of a picture what its header says, before anything decodes it: kind, size, and whether the file is whole. */
import { readImageHeader } from '../image-header.ts';
import { PACK_LIMITS } from '../limits.ts';
import { PackError } from '../types.ts';
import { giveUp } from './give-up.ts';

const { maxImageSidePx, maxImagePixels } = PACK_LIMITS;

export interface Picture {
  /** Path inside the source. */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly type: 'image/png' | 'image/gif' | 'image/webp';
  readonly w: number;
  readonly h: number;
}

/** By the first bytes; what a file is called proves nothing. */
export function pictureType(bytes: Uint8Array): Picture['type'] | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  return head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' ? 'image/webp' : null;
}

/** A GIF's size stands at the same place in every one; its blocks end with 0x3b, behind which some programs leave a few bytes. */
function readGif(file: string, bytes: Buffer): { readonly w: number; readonly h: number } {
  if (bytes.length < 14 || !bytes.subarray(-16).includes(0x3b)) return giveUp(`${file} is cut off`);
  return { w: bytes.readUInt16LE(6), h: bytes.readUInt16LE(8) };
}

/** Why a file that should be a picture is none, in words that help. */
function notAPicture(file: string, bytes: Uint8Array): PackError {
  const head = Buffer.from(bytes.subarray(0, 256)).toString('latin1');
  const isVector = /\.svg$/i.test(file) || /<svg/i.test(head);
  return isVector
    ? new PackError('E_INVALID_INPUT', `${file} is a vector image (SVG); only PNG, GIF and WebP are taken`)
    : new PackError('E_INVALID_INPUT', `${file} is not a PNG, GIF or WebP picture`);
}

/** Checks the header and the outer shape of a picture; decodes nothing. Error: E_INVALID_INPUT, naming `file`. */
export function readPicture(file: string, bytes: Uint8Array): Picture {
  const type = pictureType(bytes);
  if (type === null) throw notAPicture(file, bytes);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { w, h } = type === 'image/gif' ? readGif(file, buffer) : readImageHeader(file, buffer, true);
  if (w < 1 || h < 1) giveUp(`${file} has no pixels`);
  if (w > maxImageSidePx || h > maxImageSidePx)
    giveUp(`${file} is ${w} x ${h} pixels, at most ${maxImageSidePx} are allowed on a side`);
  if (w * h > maxImagePixels) giveUp(`${file} has ${w * h} pixels, at most ${maxImagePixels} are allowed`);
  return { file, bytes, type, w, h };
}
