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

/** A file's bytes, of which only those that are asked for need be in memory. */
export interface Bytes {
  readonly length: number;
  /** `count` bytes from `at` on, fewer where the file ends; good until the next call. At most 64 KiB. */
  peek(at: number, count: number): Buffer;
}

/** A buffer as such. */
export const bytesOf = (buffer: Buffer): Bytes => ({
  length: buffer.length,
  peek: (at, count) => buffer.subarray(at, at + count),
});

/** A PNG's chunks up to its last one; without `isWhole` up to where the bytes end, or its pixels begin. */
function readPng(file: string, bytes: Bytes, isWhole: boolean): ImageHeader {
  if (bytes.length < PNG_HEADER_BYTES) throw cutOff(file);
  const head = bytes.peek(0, PNG_HEADER_BYTES);
  if (head.readUInt32BE(8) !== 13 || text(head, 12) !== 'IHDR') throw refuse(`${file} is a PNG without a header`);
  const [w, h] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  let isAnimated = false;
  let hasPixels = false;
  for (let at = 8; ; ) {
    if (at + 12 > bytes.length) {
      if (isWhole) throw cutOff(file);
      break;
    }
    const chunk = bytes.peek(at, 8);
    const type = text(chunk, 4);
    if (type === 'acTL') isAnimated = true;
    if (type === 'IDAT') hasPixels = true;
    if (type === 'IEND' || (hasPixels && !isWhole)) break;
    at += 12 + chunk.readUInt32BE(0);
  }
  if (isWhole && !hasPixels) throw cutOff(file);
  return { format: 'png', w, h, isAnimated };
}

interface Size {
  readonly w: number;
  readonly h: number;
}

/** The longest of the three headers below. */
const PICTURE_HEADER_BYTES = 10;

/** The size of a lossy picture, from the first bytes of its chunk's data; null: it is none. */
function lossySize(data: Buffer): Size | null {
  if (data.length < 10 || ((data[0] ?? 1) & 1) !== 0 || data.readUIntBE(3, 3) !== 0x9d012a) return null;
  return { w: data.readUInt16LE(6) & 0x3fff, h: data.readUInt16LE(8) & 0x3fff };
}

/** The size of a lossless picture, from the first bytes of its chunk's data; null: it is none. */
function losslessSize(data: Buffer): Size | null {
  if (data.length < 5 || data[0] !== 0x2f) return null;
  const bits = data.readUInt32LE(1);
  return { w: (bits & 0x3fff) + 1, h: ((bits >>> 14) & 0x3fff) + 1 };
}

const extendedSize = (data: Buffer): Size | null =>
  data.length < 10 ? null : { w: data.readUIntLE(4, 3) + 1, h: data.readUIntLE(7, 3) + 1 };

const SIZES: Readonly<Record<string, (data: Buffer) => Size | null>> = {
  'VP8 ': lossySize,
  VP8L: losslessSize,
  VP8X: extendedSize,
};

/** A WebP's chunks up to its picture. An extended one states its size twice, and a decoder could believe either. */
function readWebp(file: string, bytes: Bytes, isWhole: boolean): ImageHeader {
  if (isWhole && bytes.peek(4, 4).readUInt32LE(0) + 8 > bytes.length) throw cutOff(file);
  const sizes: Size[] = [];
  let isAnimated = false;
  let hasPicture = false;
  let at = 12;
  while (at + 8 <= bytes.length && !hasPicture) {
    const chunk = bytes.peek(at, 8);
    const type = text(chunk, 0);
    const length = chunk.readUInt32LE(4);
    if (isWhole && at + 8 + length > bytes.length) throw cutOff(file);
    const data = bytes.peek(at + 8, PICTURE_HEADER_BYTES);
    if (type === 'ANIM' || type === 'ANMF') isAnimated = true;
    if (type === 'VP8X' && ((data[0] ?? 0) & ANIMATION_FLAG) !== 0) isAnimated = true;
    const size = SIZES[type]?.(data);
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
 * `content` is the whole file, or (not `isWhole`) its first few kilobytes, of which at least the size is read.
 * Looks at headers only: no pixel is unpacked. Errors: E_INVALID_INPUT naming `file`: neither PNG nor WebP, cut off, of no size.
 */
export function readImageHeader(file: string, content: Buffer | Bytes, isWhole: boolean): ImageHeader {
  const bytes = Buffer.isBuffer(content) ? bytesOf(content) : content;
  const head = bytes.peek(0, 12);
  const isPng = head.subarray(0, 8).equals(PNG_SIGNATURE);
  const isWebp = head.length >= 12 && text(head, 0) === 'RIFF' && text(head, 8) === 'WEBP';
  if (!isPng && !isWebp) throw refuse(`${file} is neither a PNG nor a WebP image`);
  const header = isPng ? readPng(file, bytes, isWhole) : readWebp(file, bytes, isWhole);
  if (header.w === 0 || header.h === 0) throw refuse(`${file} has no pixels`);
  return header;
}
