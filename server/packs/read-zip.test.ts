/** A zip gives a pack's files and nothing else, or nothing at all. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PACK_LIMITS } from './limits.ts';
import { unpackZip } from './read-zip.ts';
import { TEST_MANIFEST } from './testing.ts';
import type { PackError } from './types.ts';
import { type Lie, makeZip } from './zip.fixture.ts';

let root: string;
let into: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'read-zip-'));
  into = join(root, 'into');
  mkdirSync(into);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const never = new AbortController().signal;
const manifest: Lie = { name: 'character.json', data: JSON.stringify(TEST_MANIFEST), method: 8 };
const sheet: Lie = { name: 'sheet.png', data: 'picture' };
const MIB = 1_024 * 1_024;

/** Unpacks these entries, or these very bytes. */
function unpack(entries: readonly Lie[] | Buffer, signal = never): ReturnType<typeof unpackZip> {
  const path = join(root, 'pack.zip');
  writeFileSync(path, Buffer.isBuffer(entries) ? entries : makeZip(entries));
  return unpackZip(path, into, signal);
}

/** The refusal, after which nothing may be left in the folder, nor anywhere beside it. */
async function refusal(entries: readonly Lie[] | Buffer, signal = never): Promise<PackError> {
  const error = await unpack(entries, signal).then(
    () => expect.unreachable('it was unpacked'),
    (reason: unknown) => reason as PackError,
  );
  expect(readdirSync(into)).toEqual([]);
  expect(readdirSync(root).sort()).toEqual(['into', 'pack.zip']);
  return error;
}

const reason = async (entries: readonly Lie[] | Buffer): Promise<string> => {
  const { code, message } = await refusal(entries);
  expect(code).toBe('E_INVALID_INPUT');
  return message;
};

describe('unpackZip takes', () => {
  test('stored and deflated files, readable by their owner alone', async () => {
    expect(await unpack([manifest, sheet])).toEqual({ ignored: [] });
    expect(readFileSync(join(into, 'sheet.png'), 'utf8')).toBe('picture');
    expect(JSON.parse(readFileSync(join(into, 'character.json'), 'utf8'))).toEqual(TEST_MANIFEST);
    expect(statSync(join(into, 'sheet.png')).mode & 0o777).toBe(0o600);
  });

  test('the pack out of one top folder of any name, and notes what stands beside it', async () => {
    const files = [
      { name: '我的 宠物/' },
      { ...manifest, name: '我的 宠物/character.json' },
      { ...sheet, name: '我的 宠物/sheet.png' },
      { name: '我的 宠物/sub/deep.png', data: 'x' },
      { name: '__MACOSX/._sheet.png', data: 'x' },
      { name: 'sheet.png', data: 'not this one' },
    ];
    expect(await unpack(files)).toEqual({
      ignored: ['我的 宠物/sub/deep.png', '__MACOSX/._sheet.png', 'sheet.png'],
    });
    expect(readdirSync(into).sort()).toEqual(['character.json', 'sheet.png']);
    expect(readFileSync(join(into, 'sheet.png'), 'utf8')).toBe('picture');
  });

  test('no file of a kind that is never in a pack', async () => {
    const strange = ['run.sh', 'index.html', 'logo.svg', 'font.woff2', '.hidden.png', 'شكل.png', 'Makefile'];
    const { ignored } = await unpack([manifest, sheet, ...strange.map((name) => ({ name, data: 'x' }))]);
    expect(ignored).toEqual(strange);
    expect(readdirSync(into).sort()).toEqual(['character.json', 'sheet.png']);
  });

  test('a zip its user has linked to', async () => {
    writeFileSync(join(root, 'real.zip'), makeZip([manifest, sheet]));
    symlinkSync('real.zip', join(root, 'link.zip'));
    expect(await unpackZip(join(root, 'link.zip'), into, never)).toEqual({ ignored: [] });
  });
});

describe('unpackZip refuses', () => {
  test.each([
    ['a path that climbs out', '../sheet.png', 'leads out of the archive'],
    ['a path that climbs out from below', 'a/../../sheet.png', 'leads out of the archive'],
    ['an absolute path', '/tmp/sheet.png', 'absolute path'],
    ['a drive letter', 'C:/sheet.png', 'absolute path'],
    ['a backslash', '..\\sheet.png', 'backslash'],
    ['a NUL', 'sheet.png\0.txt', 'NUL'],
    ['an empty part', 'a//sheet.png', 'empty part'],
    ['a dot part', './sheet.png', 'empty part'],
  ])('%s, wherever it stands', async (_, name, rule) => {
    expect(await reason([manifest, { name, data: 'x' }])).toContain(rule);
  });

  test.each([
    ['a link', 0o120777],
    ['a FIFO', 0o010644],
    ['a device', 0o060644],
    ['a folder under the name of a file', 0o040755],
  ])('%s', async (_, mode) => {
    expect(await reason([manifest, { ...sheet, data: '/etc/passwd', mode }])).toBe(
      '"sheet.png" in the archive is a link or another special file',
    );
  });

  test('an encrypted entry, strongly or not, and an unknown method', async () => {
    expect(await reason([manifest, { ...sheet, flags: 0x41 }])).toContain('encryption');
    expect(await reason([manifest, { ...sheet, flags: 1, packedSize: 19 }])).toContain('is encrypted');
    expect(await reason([manifest, { ...sheet, method: 14 }])).toContain('method 14');
  });

  test.each([
    ['twice the same', 'sheet.png'],
    ['another case', 'Sheet.PNG'],
    ['a folder of the name', 'SHEET.png/'],
    ['full-width letters', 'ｓheet.png'],
  ])('two names some file system takes for one: %s', async (_, name) => {
    expect(await reason([manifest, sheet, { name }])).toContain('has the name of another entry, "sheet.png"');
  });

  test('two names that differ in how an accent is written', async () => {
    expect(await reason([manifest, { name: 'caf\u00e9.png' }, { name: 'cafe\u0301.png' }])).toContain('another entry');
  });

  test('a name that would turn the message around, with the name in escapes', async () => {
    expect(await reason([manifest, { name: '../\u202egnp.sh\u001b[2J' }])).toContain('"../\\u{202e}gnp.sh\\u{1b}[2J"');
  });

  test('a bomb that says what it is', async () => {
    const zeros = { ...sheet, data: Buffer.alloc(MIB), method: 8 };
    expect(await reason([manifest, zeros])).toMatch(/unpacks to 1048576 from \d+ bytes, at most 200 times/);
  });

  test('a bomb that lies about its size', async () => {
    const zeros = { ...sheet, data: Buffer.alloc(8 * MIB), method: 8, size: 7 };
    expect(await reason([manifest, zeros])).toBe('"sheet.png" in the archive is not of the 7 bytes it states');
  });

  test('more than it may unpack to, or than one file may have', async () => {
    const huge = (name: string) => ({ name, data: Buffer.alloc(MIB), packedSize: MIB, size: 100 * MIB, method: 8 });
    expect(await reason([manifest, huge('a.bin'), huge('b.bin'), huge('c.bin')])).toContain('at most 268435456');
    expect(await reason([manifest, huge('sheet.png')])).toBe(
      `sheet.png has ${100 * MIB} bytes, at most ${PACK_LIMITS.maxImageBytes} are allowed`,
    );
    const long = { ...manifest, data: `${JSON.stringify(TEST_MANIFEST)}${' '.repeat(65_536)}`, method: 0 };
    expect(await reason([long])).toMatch(/^character.json has \d+ bytes, at most 65536/);
  });

  test('more entries than are allowed, by its end or in truth', async () => {
    expect(await reason(makeZip([manifest], 4_097))).toContain('has 4097 entries, at most 4096');
    const many = Array.from({ length: 4_097 }, (_, index) => ({ name: `f${index}` }));
    expect(await reason(many)).toContain('has 4097 entries');
  });

  test('an archive that is too long, before it is read', async () => {
    const path = join(root, 'long.zip');
    writeFileSync(path, '');
    truncateSync(path, PACK_LIMITS.maxArchiveBytes + 1);
    await expect(unpackZip(path, into, never)).rejects.toThrow('the archive has 67108865 bytes, at most 67108864');
  });

  test('a wrong checksum, and sizes that are not the real ones', async () => {
    expect(await reason([manifest, { ...sheet, crc: 1 }])).toContain('its checksum is wrong');
    expect(await reason([manifest, { ...sheet, method: 8, size: 8 }])).toContain(
      '"sheet.png" in the archive is not of the 8 bytes it states',
    );
    expect(await reason([manifest, { ...sheet, method: 8, size: 6 }])).toContain(
      '"sheet.png" in the archive is not of the 6 bytes it states',
    );
    expect(await reason([manifest, { ...sheet, size: 8 }])).toContain('damaged');
  });

  test('what is no zip', async () => {
    expect(await reason(Buffer.alloc(0))).toBe('the archive is no zip, or cut off');
    expect(await reason(Buffer.from('GIF89a'))).toBe('the archive is no zip, or cut off');
  });

  test('a zip cut off anywhere', async () => {
    const whole = makeZip([manifest, sheet]);
    for (let length = 0; length < whole.length; length += 13) await reason(whole.subarray(0, length));
  });

  test('a zip whose directory points past its end', async () => {
    const zip = makeZip([manifest, sheet]);
    zip.writeUInt32LE(zip.length, zip.length - 6);
    await reason(zip);
  });

  test('no pack at all, or two', async () => {
    expect(await reason([sheet])).toContain('has no character.json');
    expect(await reason([{ ...manifest, name: 'a/b/character.json' }])).toContain('has no character.json');
    const two = ['a', 'b'].map((top) => ({ ...manifest, name: `${top}/character.json` }));
    expect(await reason(two)).toContain('holds 2 packs');
  });

  test('a folder in place of the archive, and an archive that is not there', async () => {
    await expect(unpackZip(into, into, never)).rejects.toThrow('the archive is not a regular file');
    await expect(unpackZip(join(root, 'none.zip'), into, never)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });
});

test('notes what it left out in letters that do no harm', async () => {
  const { ignored } = await unpack([manifest, { name: '\u202egnp.exe' }, { name: '\u001b[2J' }, { name: '👩‍🚀.txt' }]);
  expect(ignored).toEqual(['\\u{202e}gnp.exe', '\\u{1b}[2J', '👩‍🚀.txt']);
});

test('a zip with one bit turned gives the very files, or nothing', async () => {
  const short = { ...manifest, data: '{"some":"some some some"}' };
  const whole = makeZip([short, sheet]);
  for (let at = 0; at < whole.length; at += 2) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << (at % 8)), at);
    try {
      await unpack(bytes);
      const names = readdirSync(into);
      expect(names, `byte ${at}`).toContain('character.json');
      for (const name of names) {
        const original = name === 'character.json' ? short.data : sheet.data;
        expect(readFileSync(join(into, name), 'utf8'), `byte ${at}`).toBe(original);
        rmSync(join(into, name));
      }
    } catch (error) {
      expect(error, `byte ${at}`).toMatchObject({ name: 'PackError', code: 'E_INVALID_INPUT' });
      expect(readdirSync(into), `byte ${at}`).toEqual([]);
    }
  }
}, 30_000);

describe('unpackZip stops', () => {
  test('when it was cancelled before, or while a file is written', async () => {
    expect(await refusal([manifest, sheet], AbortSignal.abort())).toMatchObject({ code: 'E_CANCELLED' });
    const stop = new AbortController();
    const signal = new Proxy(stop.signal, {
      get: (target, name) => {
        // As if it came while the second file is under way: the manifest lies there already.
        if (name === 'aborted' && readdirSync(into).includes('sheet.png')) stop.abort();
        return Reflect.get(target, name, target) as unknown;
      },
    });
    expect(await refusal([manifest, sheet], signal)).toMatchObject({ code: 'E_CANCELLED' });
  });

  test('at a file that is there already, and leaves that file alone', async () => {
    writeFileSync(join(into, 'sheet.png'), 'mine');
    await expect(unpack([manifest, sheet])).rejects.toMatchObject({ code: 'E_INTERNAL' });
    expect(readdirSync(into)).toEqual(['sheet.png']);
    expect(readFileSync(join(into, 'sheet.png'), 'utf8')).toBe('mine');
  });
});
