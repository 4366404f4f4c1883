/** An image's bytes tell what it is before anything decodes it. */
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { readImageHeader } from './image-header.ts';

const base64 = (text: string): Buffer => Buffer.from(text, 'base64');
/** All of them 3 x 2 pixels, as real encoders write them. */
const LOSSY = base64('UklGRjgAAABXRUJQVlA4ICwAAABwAQCdASoDAAIADMDOJagCdAFAAAD+2CVNwgsa4XfQTjJ+aXNcbg6epoAAAA==');
const LOSSLESS = base64('UklGRiIAAABXRUJQVlA4TBYAAAAvAkAAEA/wj/9BHpQH/kcaXnAQ0f8I');
const EXTENDED = base64(
  'UklGRloAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAgICAgP+AAFZQOCAsAAAAcAEAnQEqAwACAAzAziWoAnQBdQAA/tglTcILGuF30E4vftHgcv2M7UEeyAA=',
);
const ANIMATED_WEBP = base64(
  'UklGRpQAAABXRUJQVlA4WAoAAAASAAAAAgAAAQAAQU5JTQYAAAAAAAAAAABBTk1GMAAAAAAAAAAAAAIAAAEAADIAAAJWUDhMFwAAAC8CQAAQD3CP8OMgHwX7f4ChhRGI6H8IAEFOTUYwAAAAAAAAAAAAAQAAAQAAMgAAAlZQOEwXAAAALwFAABAPcI/w4yAfBft/gKGFEYjofwQA',
);
const ANIMATED_PNG = base64(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAACGFjVEwAAAACAAAAAPONk3AAAAAaZmNUTAAAAAAAAAADAAAAAgAAAAAAAAAAAAAAAQAADoOaCQAAAB1JREFUeJxjPCGn0cAABUwMDAwMFg9v1DMwMDAAADSwBAJfXsfOAAAAGmZjVEwAAAABAAAAAQAAAAIAAAABAAAAAAAAAAEAACDKqewAAAAWZmRBVAAAAAJ4nGNg+M/wn+GEnEYDABJGA40qC16sAAAAAElFTkSuQmCC',
);
const PLAIN_PNG = PNG.sync.write(new PNG({ width: 3, height: 2 }));

/** A copy with some bytes replaced. */
const patched = (bytes: Buffer, at: number, ...values: readonly number[]): Buffer => {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
};
const read = (bytes: Buffer) => readImageHeader('sheet', bytes, true);

describe('readImageHeader', () => {
  test.each([
    ['a PNG', PLAIN_PNG, 'png', false],
    ['a moving PNG', ANIMATED_PNG, 'png', true],
    ['a lossy WebP', LOSSY, 'webp', false],
    ['a lossless WebP', LOSSLESS, 'webp', false],
    ['an extended WebP', EXTENDED, 'webp', false],
    ['a moving WebP', ANIMATED_WEBP, 'webp', true],
  ] as const)('knows %s, whole or by its beginning', (_, bytes, format, isAnimated) => {
    expect(read(bytes)).toEqual({ format, w: 3, h: 2, isAnimated });
    expect(readImageHeader('sheet', bytes.subarray(0, 64), false)).toEqual({ format, w: 3, h: 2, isAnimated });
  });

  test.each([
    ['PNG', PLAIN_PNG],
    ['moving PNG', ANIMATED_PNG],
    ['lossy WebP', LOSSY],
    ['lossless WebP', LOSSLESS],
    ['extended WebP', EXTENDED],
  ])('refuses a %s cut off anywhere', (_, bytes) => {
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => read(bytes.subarray(0, length)), `${length} bytes`).toThrow(/^sheet is (cut off|neither)/);
  });

  test.each([
    ['PNG', PLAIN_PNG],
    ['lossy WebP', LOSSY],
    ['lossless WebP', LOSSLESS],
    ['extended WebP', EXTENDED],
  ])('never reads past the beginning of a %s it was given', (_, bytes) => {
    for (let length = 0; length < bytes.length; length += 1) {
      try {
        expect(readImageHeader('sheet', bytes.subarray(0, length), false)).toMatchObject({ w: 3, h: 2 });
      } catch (error) {
        expect((error as Error).message).toMatch(/^sheet is/);
      }
    }
  });

  test('reads sizes up to what the formats can say', () => {
    expect(read(patched(PLAIN_PNG, 16, 0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30))).toMatchObject({ w: 30_000, h: 30_000 });
    expect(read(patched(LOSSLESS, 21, 0xff, 0xff, 0xff, 0x0f))).toMatchObject({ w: 16_384, h: 16_384 });
    expect(read(patched(LOSSY, 26, 0xff, 0xff, 0xff, 0xff))).toMatchObject({ w: 16_383, h: 16_383 });
  });

  test('refuses an extended WebP whose picture has another size than it says', () => {
    expect(() => read(patched(EXTENDED, 24, 9))).toThrow('sheet states two sizes');
  });

  test('takes the animation flag at its word', () => {
    expect(read(patched(EXTENDED, 20, 0x12)).isAnimated).toBe(true);
  });

  test.each([
    ['no pixels', patched(PLAIN_PNG, 16, 0, 0, 0, 0), 'has no pixels'],
    ['no width', patched(LOSSY, 26, 0, 0), 'has no pixels'],
    ['another first chunk', patched(PLAIN_PNG, 12, 0x49, 0x44), 'PNG without a header'],
    ['a chunk longer than the file', patched(PLAIN_PNG, 33, 0x7f, 0xff, 0xff, 0xff), 'cut off'],
    ['a chunk longer than the file', patched(LOSSLESS, 16, 0xff, 0xff, 0xff, 0xff), 'cut off'],
    ['no start code', patched(LOSSY, 23, 0), 'cut off'],
    ['a header and no picture', Buffer.concat([PLAIN_PNG.subarray(0, 33), PLAIN_PNG.subarray(-12)]), 'cut off'],
    ['a JPEG', base64('/9j/4AAQSkZJRgABAQAAAQABAAD/'), 'neither a PNG nor a WebP'],
    ['a GIF', Buffer.from('GIF89a'), 'neither a PNG nor a WebP'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'neither a PNG nor a WebP'],
    ['nothing', Buffer.alloc(0), 'neither a PNG nor a WebP'],
  ])('refuses %s', (_, bytes, rule) => {
    expect(() => read(bytes)).toThrow(rule);
  });
});
