/** A pack's folder is read without trusting anything in it; each refusal names the file and the reason. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noticeFiles, packFiles } from './pack-files.ts';
import { readPack, recheckPack } from './read-folder.ts';
import { TEST_MANIFEST, writeTestCharacter } from './testing.ts';
import type { PackError } from './types.ts';

let root: string;
let folder: string;
let sheet: string;
let manifestFile: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'read-folder-'));
  folder = writeTestCharacter(root);
  sheet = join(folder, 'sheet.png');
  manifestFile = join(folder, 'character.json');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const [image] = TEST_MANIFEST.images;
const write = (value: unknown): void => writeFileSync(manifestFile, JSON.stringify(value));

/** Why both ways of reading refuse the folder, or only the whole one. */
function reason(read = readPack): string {
  try {
    read(folder);
  } catch (error) {
    expect((error as PackError).code).toBe('E_INVALID_INPUT');
    return (error as Error).message;
  }
  return 'it was read';
}
function reasonOfBoth(): string {
  expect(reason(recheckPack)).toBe(reason());
  return reason();
}

describe('readPack', () => {
  test('gives the manifest of a good pack, and so does the quick way', () => {
    expect(readPack(folder)).toEqual(TEST_MANIFEST);
    expect(recheckPack(folder)).toEqual(TEST_MANIFEST);
  });

  test('minds no other file, whatever it is', () => {
    symlinkSync('/dev/zero', join(folder, 'other.png'));
    mkdirSync(join(folder, 'sub'));
    expect(readPack(folder)).toEqual(TEST_MANIFEST);
  });

  test('keeps names in any script', () => {
    const displayName = { default: 'شبح 👻 幽灵', zh: '小点' };
    write({ ...TEST_MANIFEST, displayName });
    expect(readPack(folder).displayName).toEqual(displayName);
  });

  test('lets a byte order mark pass, and refuses other encodings', () => {
    const text = JSON.stringify(TEST_MANIFEST);
    writeFileSync(manifestFile, `\ufeff${text}`);
    expect(readPack(folder)).toEqual(TEST_MANIFEST);
    writeFileSync(manifestFile, Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect(reasonOfBoth()).toBe('character.json is not UTF-8 text');
    writeFileSync(manifestFile, Buffer.from('{"schema": 1}', 'utf16le'));
    expect(reasonOfBoth()).toContain('character.json is not JSON');
    writeFileSync(manifestFile, Buffer.from(text.replace('Dot', 'D\xf6t'), 'latin1'));
    expect(reasonOfBoth()).toBe('character.json is not UTF-8 text');
  });

  test('refuses a manifest one byte too long, and reads one that is just not', () => {
    const text = JSON.stringify(TEST_MANIFEST);
    const spaces = ' '.repeat(65_536 - Buffer.byteLength(text));
    writeFileSync(manifestFile, text + spaces);
    expect(readPack(folder)).toEqual(TEST_MANIFEST);
    writeFileSync(manifestFile, `${text}${spaces} `);
    expect(reasonOfBoth()).toBe('character.json has 65537 bytes, at most 65536 are allowed');
  });

  test('says where the JSON is broken', () => {
    writeFileSync(manifestFile, '{\n  "schema": "x"\n  "id": "y"\n}');
    expect(reasonOfBoth()).toBe('character.json is not JSON, see line 3, column 3');
  });

  test('refuses deep JSON without falling over it', () => {
    writeFileSync(manifestFile, '['.repeat(65_536));
    expect(reasonOfBoth()).toBe('character.json is not JSON');
    writeFileSync(manifestFile, '['.repeat(32_768) + ']'.repeat(32_768));
    expect(reasonOfBoth()).toBe('character.json: /: is nested deeper than 16');
  });

  test('takes of two fields with one name the last, as JSON does', () => {
    writeFileSync(manifestFile, JSON.stringify(TEST_MANIFEST).replace('{', '{"id":"../../etc",'));
    expect(readPack(folder).id).toBe('test.dot');
  });

  test('names a file that is missing, and the spelling that is there', () => {
    renameSync(sheet, join(folder, 'Sheet.PNG'));
    expect(reasonOfBoth()).toBe('sheet.png is missing; Sheet.PNG is spelt another way');
    rmSync(join(folder, 'Sheet.PNG'));
    expect(reasonOfBoth()).toBe('sheet.png is missing');
    rmSync(folder, { recursive: true });
    expect(reasonOfBoth()).toBe('character.json is missing');
  });

  test.each(['sheet.png', 'character.json'])(
    'never opens what is not a regular file in the place of %s',
    async (name) => {
      const path = join(folder, name);
      renameSync(path, join(root, name));
      symlinkSync(join(root, name), path);
      expect(reasonOfBoth()).toBe(`${name} is a link, not a regular file`);
      rmSync(path);
      mkdirSync(path);
      expect(reasonOfBoth()).toBe(`${name} is a folder, not a regular file`);
      rmSync(path, { recursive: true });
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(path, resolve));
      expect(reasonOfBoth()).toBe(`${name} is a socket, not a regular file`);
      await new Promise((resolve) => server.close(resolve));
    },
  );

  test('refuses an image of another size, which cells would be cut from wrongly', () => {
    write({ ...TEST_MANIFEST, images: [{ ...image, w: 33 }] });
    expect(reasonOfBoth()).toBe('sheet.png is 32 x 16 pixels, the manifest says 33 x 16');
  });

  test('refuses a header of 30000 x 30000, before anything is decoded', () => {
    const bytes = readFileSync(sheet);
    bytes.writeUInt32BE(30_000, 16);
    bytes.writeUInt32BE(30_000, 20);
    writeFileSync(sheet, bytes);
    expect(reasonOfBoth()).toBe('sheet.png is 30000 x 30000 pixels, the manifest says 32 x 16');
    write({ ...TEST_MANIFEST, images: [{ ...image, w: 30_000, h: 30_000 }] });
    expect(reasonOfBoth()).toContain('/images/0/w: must be a whole number from 1 to 8192');
  });

  test('refuses an image that is cut off, or in truth of another kind', () => {
    truncateSync(sheet, readFileSync(sheet).length - 1);
    expect(reason()).toBe('sheet.png is cut off');
    truncateSync(sheet, 30);
    expect(reasonOfBoth()).toBe('sheet.png is cut off');
    renameSync(join(writeTestCharacter(join(root, 'again')), 'sheet.png'), join(folder, 'sheet.webp'));
    write({ ...TEST_MANIFEST, images: [{ ...image, file: 'sheet.webp' }] });
    expect(reasonOfBoth()).toBe('sheet.webp is in truth a png file');
  });

  test('refuses an animated image for a sheet', () => {
    const bytes = PNG.sync.write(new PNG({ width: 32, height: 16 }));
    const control = Buffer.concat([Buffer.from('\0\0\0\x08acTL'), Buffer.alloc(12)]);
    writeFileSync(sheet, Buffer.concat([bytes.subarray(0, 33), control, bytes.subarray(33)]));
    expect(reasonOfBoth()).toBe('sheet.png is an animated image, a sheet stands still');
  });

  test('refuses an image longer than any may be, before it is read', () => {
    truncateSync(sheet, 33_554_433);
    expect(reasonOfBoth()).toBe('sheet.png has 33554433 bytes, at most 33554432 are allowed');
  });

  test('holds an image to the SHA-256 it states; the quick way does not read that far', () => {
    const sha256 = createHash('sha256').update(readFileSync(sheet)).digest('hex');
    const manifest = { ...TEST_MANIFEST, images: [{ ...image, sha256 }] };
    write(manifest);
    expect(readPack(folder)).toEqual(manifest);
    appendFileSync(sheet, 'x');
    expect(reason()).toBe('sheet.png does not have the SHA-256 the manifest states');
    expect(recheckPack(folder)).toEqual(manifest);
  });

  test.each([
    ['boo.ogg', 'OggS\0\x02'],
    ['boo.wav', 'RIFF\x24\0\0\0WAVEfmt '],
    ['boo.mp3', 'ID3\x04'],
    ['boo.mp3', '\xff\xfb\x90\x44'],
  ])('takes %s for a sound only with the bytes of one', (file, head) => {
    const manifest = { ...TEST_MANIFEST, sounds: [{ id: 'boo', file }] };
    write(manifest);
    expect(reasonOfBoth()).toBe(`${file} is missing`);
    writeFileSync(join(folder, file), head, 'latin1');
    expect(readPack(folder)).toEqual(manifest);
    writeFileSync(join(folder, file), '<html>');
    expect(reasonOfBoth()).toBe(`${file} is not the kind of sound file its name says`);
    truncateSync(join(folder, file), 524_289);
    expect(reasonOfBoth()).toBe(`${file} has 524289 bytes, at most 524288 are allowed`);
  });
});

describe('packFiles and noticeFiles', () => {
  test('name every file a pack needs once, and the texts that go with it', () => {
    const sounds = [{ id: 'boo', file: 'boo.ogg' }];
    const images = [image!, { ...image!, id: 'again' }];
    expect(packFiles({ ...TEST_MANIFEST, images, sounds })).toEqual(['character.json', 'sheet.png', 'boo.ogg']);
    writeFileSync(join(folder, 'LICENSE'), 'MIT');
    writeFileSync(join(folder, 'README.md'), 'Dot');
    writeFileSync(join(folder, 'README.html'), 'Dot');
    symlinkSync('LICENSE', join(folder, 'NOTICE'));
    writeFileSync(join(folder, 'CREDITS.txt'), '');
    truncateSync(join(folder, 'CREDITS.txt'), 262_145);
    expect(noticeFiles(folder)).toEqual(['LICENSE', 'README.md']);
  });
});
