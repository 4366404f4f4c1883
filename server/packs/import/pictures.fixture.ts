/** Pictures for tests, made byte by byte: PNG, APNG, GIF and WebP whose every pixel and delay is known. */
import { crc32, deflateSync } from 'node:zlib';

/** Red, green, blue, alpha. */
export type Colour = readonly [number, number, number, number];
export type Painter = (x: number, y: number) => Colour;

export const CLEAR: Colour = [0, 0, 0, 0];
export const solid =
  (colour: Colour): Painter =>
  () =>
    colour;

function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

function pngHeader(w: number, h: number): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(w, 0);
  data.writeUInt32BE(h, 4);
  data.set([8, 6], 8);
  return pngChunk('IHDR', data);
}

function pngPixels(w: number, h: number, paint: Painter | null): Buffer {
  const raw = Buffer.alloc(h * (1 + w * 4));
  if (paint !== null)
    for (let y = 0; y < h; y += 1) for (let x = 0; x < w; x += 1) raw.set(paint(x, y), y * (1 + w * 4) + 1 + x * 4);
  return deflateSync(raw, { level: 1 });
}

/** `paint` null: all transparent. */
export const makePng = (w: number, h: number, paint: Painter | null = null): Buffer =>
  Buffer.concat([
    SIGNATURE,
    pngHeader(w, h),
    pngChunk('IDAT', pngPixels(w, h, paint)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);

/** A PNG that claims a size it has no pixels for. */
export const makeLyingPng = (w: number, h: number): Buffer =>
  Buffer.concat([
    SIGNATURE,
    pngHeader(w, h),
    pngChunk('IDAT', deflateSync(Buffer.alloc(8))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);

export interface MovingFrame {
  readonly paint: Painter;
  readonly delayMs: number;
}

export function makeApng(w: number, h: number, frames: readonly MovingFrame[]): Buffer {
  let sequence = 0;
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const control = ({ delayMs }: MovingFrame): Buffer => {
    const data = Buffer.alloc(26);
    data.writeUInt32BE(sequence++, 0);
    data.writeUInt32BE(w, 4);
    data.writeUInt32BE(h, 8);
    data.writeUInt16BE(delayMs, 20);
    data.writeUInt16BE(1_000, 22);
    return pngChunk('fcTL', data);
  };
  const parts = frames.flatMap((frame, index) => {
    const head = control(frame);
    const pixels = pngPixels(w, h, frame.paint);
    return [
      head,
      index === 0 ? pngChunk('IDAT', pixels) : pngChunk('fdAT', Buffer.concat([number(sequence++), pixels])),
    ];
  });
  const animation = pngChunk('acTL', Buffer.concat([number(frames.length), number(0)]));
  return Buffer.concat([SIGNATURE, pngHeader(w, h), animation, ...parts, pngChunk('IEND', Buffer.alloc(0))]);
}

const short = (value: number): readonly number[] => [value & 255, value >> 8];

/** Codes of one byte each: the table is cleared before it could grow out of them. */
function gifPixels(w: number, h: number, indexOf: (x: number, y: number) => number): readonly number[] {
  const codes: number[] = [];
  for (let at = 0; at < w * h; at += 1) {
    if (at % 100 === 0) codes.push(128);
    codes.push(indexOf(at % w, Math.floor(at / w)));
  }
  codes.push(129);
  const blocks: number[] = [7];
  for (let at = 0; at < codes.length; at += 255) {
    const block = codes.slice(at, at + 255);
    blocks.push(block.length, ...block);
  }
  return [...blocks, 0];
}

/** Up to 127 colours; transparent where a painter says alpha 0. */
export function makeGif(w: number, h: number, frames: readonly MovingFrame[]): Buffer {
  const palette: Colour[] = [CLEAR];
  const indexOf = (colour: Colour): number => {
    if (colour[3] === 0) return 0;
    const known = palette.findIndex((each) => each[3] !== 0 && each.every((part, index) => part === colour[index]));
    return known === -1 ? palette.push(colour) - 1 : known;
  };
  const pictures = frames.map(({ paint }) => gifPixels(w, h, (x, y) => indexOf(paint(x, y))));
  const table = Array.from({ length: 128 }, (_, index) => (palette[index] ?? CLEAR).slice(0, 3)).flat();
  const body = frames.flatMap(({ delayMs }, index) => [
    ...[0x21, 0xf9, 4, 0x09, ...short(Math.round(delayMs / 10)), 0, 0],
    ...[0x2c, 0, 0, 0, 0, ...short(w), ...short(h), 0],
    ...pictures[index]!,
  ]);
  return Buffer.from([...Buffer.from('GIF89a'), ...short(w), ...short(h), 0xf6, 0, 0, ...table, ...body, 0x3b]);
}

/** Bits of a lossless WebP whose every pixel has one colour: five codes of one symbol each, so pixels need none. */
function losslessBits(w: number, h: number, [red, green, blue, alpha]: Colour): Buffer {
  const bits: number[] = [];
  const put = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit += 1) bits.push((value >> bit) & 1);
  };
  put(w - 1, 14);
  put(h - 1, 14);
  put(1, 1);
  put(0, 3 + 3);
  for (const symbol of [green, red, blue, alpha, 0]) {
    put(0b101, 3);
    put(symbol, 8);
  }
  const bytes = [0x2f];
  for (let at = 0; at < bits.length; at += 8)
    bytes.push(bits.slice(at, at + 8).reduce((byte, bit, index) => byte | (bit << index), 0));
  return Buffer.from(bytes);
}

function riffChunk(type: string, data: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), size, data, Buffer.alloc(data.length % 2)]);
}

const riff = (...chunks: readonly Buffer[]): Buffer =>
  riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]));

const triple = (value: number): readonly number[] => [value & 255, (value >> 8) & 255, value >> 16];

export const makeWebp = (w: number, h: number, colour: Colour): Buffer =>
  riff(riffChunk('VP8L', losslessBits(w, h, colour)));

export function makeMovingWebp(
  w: number,
  h: number,
  frames: readonly { readonly colour: Colour; readonly delayMs: number }[],
): Buffer {
  const head = riffChunk('VP8X', Buffer.from([0x12, 0, 0, 0, ...triple(w - 1), ...triple(h - 1)]));
  const animation = riffChunk('ANIM', Buffer.alloc(6));
  const parts = frames.map(({ colour, delayMs }) =>
    riffChunk(
      'ANMF',
      Buffer.concat([
        Buffer.from([...triple(0), ...triple(0), ...triple(w - 1), ...triple(h - 1), ...triple(delayMs), 0x02]),
        riffChunk('VP8L', losslessBits(w, h, colour)),
      ]),
    ),
  );
  return riff(head, animation, ...parts);
}
