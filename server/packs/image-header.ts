/** Reads from an image's own bytes what it is before anything decodes it: PNG or WebP, how large, moving or still, whole or cut off. */
import { refuse } from './system-error.ts';

export interface ImageHeader {
  readonly format: 'png' | 'webp';
  readonly w: number;
  readonly h: number;
  readonly isAnimated: boolean;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_HEADER_BYTES = 33;
const ANIMATION_FLAG = 2;
const text = (bytes: Buffer, at: number): string => bytes.toString('latin1', at, at + 4);
const cutOff = (file: string): Error => refuse(`${file} is cut off`);

/** A PNG's chunks up to its last one; without `isWhole` up to where the bytes end, or its pixels begin. */
function readPng(file: string, bytes: Buffer, isWhole: boolean): ImageHeader {
  if (bytes.length < PNG_HEADER_BYTES) throw cutOff(file);
  if (bytes.readUInt32BE(8) !== 13 || text(bytes, 12) !== 'IHDR') throw refuse(`${file} is a PNG without a header`);
  let isAnimated = false;
  let hasPixels = false;
  for (let at = 8; ; at += 12 + bytes.readUInt32BE(at)) {
    if (at + 12 > bytes.length) {
      if (isWhole) throw cutOff(file);
      break;
    }
    const type = text(bytes, at + 4);
    if (type === 'acTL') isAnimated = true;
    if (type === 'IDAT') hasPixels = true;
    if (type === 'IEND' || (hasPixels && !isWhole)) break;
  }
  if (isWhole && !hasPixels) throw cutOff(file);
  return { format: 'png', w: bytes.readUInt32BE(16), h: bytes.readUInt32BE(20), isAnimated };
}

interface Size {
  readonly w: number;
  readonly h: number;
}

const hasBytes = (bytes: Buffer, at: number, count: number): boolean => at + count <= bytes.length;

/** The size of a lossy picture, from its chunk's data; null: it is none. */
function lossySize(bytes: Buffer, at: number): Size | null {
  if (!hasBytes(bytes, at, 10) || ((bytes[at] ?? 1) & 1) !== 0 || bytes.readUIntBE(at + 3, 3) !== 0x9d012a) return null;
  return { w: bytes.readUInt16LE(at + 6) & 0x3fff, h: bytes.readUInt16LE(at + 8) & 0x3fff };
}

/** The size of a lossless picture, from its chunk's data; null: it is none. */
function losslessSize(bytes: Buffer, at: number): Size | null {
  if (!hasBytes(bytes, at, 5) || bytes[at] !== 0x2f) return null;
  const bits = bytes.readUInt32LE(at + 1);
  return { w: (bits & 0x3fff) + 1, h: ((bits >>> 14) & 0x3fff) + 1 };
}

const extendedSize = (bytes: Buffer, at: number): Size | null =>
  hasBytes(bytes, at, 10) ? { w: bytes.readUIntLE(at + 4, 3) + 1, h: bytes.readUIntLE(at + 7, 3) + 1 } : null;

const SIZES: Readonly<Record<string, (bytes: Buffer, at: number) => Size | null>> = {
  'VP8 ': lossySize,
  VP8L: losslessSize,
  VP8X: extendedSize,
};

/** A WebP's chunks up to its picture. An extended one states its size twice, and a decoder could believe either. */
function readWebp(file: string, bytes: Buffer, isWhole: boolean): ImageHeader {
  if (isWhole && bytes.readUInt32LE(4) + 8 > bytes.length) throw cutOff(file);
  const sizes: Size[] = [];
  let isAnimated = false;
  let hasPicture = false;
  let at = 12;
  while (hasBytes(bytes, at, 8) && !hasPicture) {
    const type = text(bytes, at);
    const length = bytes.readUInt32LE(at + 4);
    if (isWhole && !hasBytes(bytes, at + 8, length)) throw cutOff(file);
    if (type === 'ANIM' || type === 'ANMF') isAnimated = true;
    if (type === 'VP8X' && ((bytes[at + 8] ?? 0) & ANIMATION_FLAG) !== 0) isAnimated = true;
    const size = SIZES[type]?.(bytes, at + 8);
    if (size === null) throw cutOff(file);
    if (size !== undefined) sizes.push(size);
    hasPicture = size !== undefined && type !== 'VP8X';
    at += 8 + length + (length % 2);
  }
  const [size, ...others] = sizes;
  if (size === undefined || (isWhole && !hasPicture && !isAnimated)) throw cutOff(file);
  if (others.some(({ w, h }) => w !== size.w || h !== size.h)) throw refuse(`${file} states two sizes`);
  return { format: 'webp', ...size, isAnimated };
}

/**
 * `bytes` are the whole file, or (not `isWhole`) its first few kilobytes, of which at least the size is read.
 * Looks at headers only: no pixel is unpacked. Errors: E_INVALID_INPUT naming `file`: neither PNG nor WebP, cut off, of no size.
 */
export function readImageHeader(file: string, bytes: Buffer, isWhole: boolean): ImageHeader {
  const isPng = bytes.subarray(0, 8).equals(PNG_SIGNATURE);
  const isWebp = bytes.length >= 12 && text(bytes, 0) === 'RIFF' && text(bytes, 8) === 'WEBP';
  if (!isPng && !isWebp) throw refuse(`${file} is neither a PNG nor a WebP image`);
  const header = isPng ? readPng(file, bytes, isWhole) : readWebp(file, bytes, isWhole);
  if (header.w === 0 || header.h === 0) throw refuse(`${file} has no pixels`);
  return header;
}
