/** The small readers under the formats: text, XML, names in zips, sums, names of files, themes. */
import { describe, expect, test } from 'vitest';
import { workOut } from './arithmetic.ts';
import { identify, licenseOf, oneLine, slugOf, versionOf } from './identity.ts';
import { readPicture } from './picture.ts';
import { makeApng, makeGif, makeLyingPng, makeMovingWebp, makePng, makeWebp, solid } from './pictures.fixture.ts';
import { fakeLook, memoryTree, taken, told } from './source.fixture.ts';
import { findFile, insidePath, shown } from './source.ts';
import { decodeText, parseJson } from './text.ts';
import { findThemes } from './theme.ts';
import { splitState } from './words.ts';
import { parseXml } from './xml.ts';
import { readNames } from './zip-names.ts';

describe('text', () => {
  const shiftJis = Buffer.from([0x93, 0xae, 0x8d, 0xec]);
  test.each<[string, Buffer, string]>([
    ['UTF-8 with a mark', Buffer.from('\uFEFF動作'), '動作'],
    ['UTF-16 with a mark', Buffer.from('\uFEFF<動作', 'utf16le'), '<動作'],
    ['UTF-16 without one', Buffer.from('<動作', 'utf16le'), '<動作'],
    ['UTF-16 of the other order', Buffer.from('\uFEFF<動', 'utf16le').swap16(), '<動'],
    ['Shift_JIS without a word', shiftJis, '動作'],
    [
      'Shift_JIS as declared',
      Buffer.concat([Buffer.from('<?xml version="1.0" encoding="Shift_JIS"?>'), shiftJis]),
      '<?xml version="1.0" encoding="Shift_JIS"?>動作',
    ],
  ])('is read as %s', (_, bytes, text) => {
    expect(decodeText('a.xml', bytes)).toBe(text);
  });

  test('in an unknown encoding, or in none, is refused', () => {
    expect(() => decodeText('a.xml', Buffer.from('<?xml encoding="utf-7"?>'))).toThrow('a.xml is in an encoding');
    expect(() => decodeText('a.xml', Buffer.from([0xff, 0xff, 0xff]))).toThrow('a.xml is not text');
    expect(() => parseJson('a.json', Buffer.from('{]'))).toThrow('a.json is not JSON');
  });
});

describe('XML', () => {
  test('is a tree with lines, and without prefixes', () => {
    const root = parseXml('a.xml', Buffer.from('<a:x xmlns:a="b" a:y="1">\n<z>t<![CDATA[<u>]]></z></a:x>'));
    expect([root.name, root.attributes.get('y'), root.children[0]?.line, root.children[0]?.text]).toEqual([
      'x',
      '1',
      2,
      't<u>',
    ]);
  });

  test.each<[string, string, string]>([
    ['a bomb of entities', '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>', 'DOCTYPE'],
    ['an external document type', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'DOCTYPE'],
    ['elements too deep in each other', '<a>'.repeat(70), 'more than 64 deep'],
    ['too many elements', `<a>${'<b/>'.repeat(100_001)}</a>`, 'more than 100000 elements'],
    ['an attribute twice', '<a b="1" b="2"/>', 'line 1: is not well-formed'],
    ['nothing', '', 'a.xml, line 1'],
  ])('with %s is refused', (_, text, reason) => {
    expect(() => parseXml('a.xml', Buffer.from(text))).toThrow(reason);
  });

  test('of more than 8 MiB is refused unread', () => {
    expect(() => parseXml('a.xml', Buffer.alloc(8 * 1_024 * 1_024 + 1, 32))).toThrow('at most 8388608 are allowed');
  });
});

describe('names in a zip', () => {
  const raw = (bytes: readonly number[] | string, isUtf8 = false) => ({ bytes: Buffer.from(bytes as string), isUtf8 });
  test('are UTF-8 when they can be', () => {
    expect(readNames([raw('conf/動作.xml', true), raw('img\\立つ.png')])).toEqual(['conf/動作.xml', 'img/立つ.png']);
  });
  test('are Shift_JIS when they can be that only', () => {
    expect(readNames([raw([0x93, 0xae, 0x8d, 0xec, ...Buffer.from('.xml')])])).toEqual(['動作.xml']);
  });
  test('are of the old kind when a known name appears only so', () => {
    // É in CP437; as Shift_JIS it would swallow the slash behind it.
    expect(readNames([raw([0x90, ...Buffer.from('/pet.json')]), raw([0xff])])).toEqual(['É/pet.json', '\u00a0']);
  });
});

test.each<[string, number | null]>([
  ['1+2*3', 7],
  ['(1+2)*3', 9],
  ['-screenW/2', -960],
  ['7%4', 3],
  ['Convert(areaH/3,System.Int32)', 347],
  ['imageW*2', 64],
  ['random', 50],
  ['1/0', null],
  ['alert(1)', null],
  ['1;2', null],
  ['constructor', null],
  ['(1', null],
  ['1 2', null],
  ['', null],
  [`${'('.repeat(40)}1${')'.repeat(40)}`, null],
  ['1'.repeat(600), null],
])('the sum %s is %s', (text, value) => {
  expect(workOut(text, { imagew: 32 })).toBe(value);
});

describe('a file that a pack names', () => {
  const tree = memoryTree({ 'img/Shime1.png': '', 'img/caf\u00e9.png': '' }, { closed: ['link.png'] });
  test('is found by its name, its letters or its form, with a note each', () => {
    expect(findFile(tree, 'img/Shime1.png')).toEqual({ path: 'img/Shime1.png', note: null });
    expect(findFile(tree, 'IMG/shime1.PNG')?.note).toContain('in other letters');
    expect(findFile(tree, 'img/cafe\u0301.png')?.note).toContain('another Unicode form');
    expect(findFile(tree, 'img/none.png')).toBeNull();
    expect(() => findFile(tree, 'link.png')).toThrow('is a link');
  });
  test.each<[string, string | null]>([
    ['a/b.png', 'f/a/b.png'],
    ['.\\a.png', 'f/a.png'],
    ['../a.png', 'a.png'],
    ['../../a.png', null],
    ['/etc/passwd', null],
    ['c:\\a.png', null],
    ['a\0.png', null],
  ])('as %s is looked for as %s', (name, path) => {
    expect(insidePath('f', name)).toBe(path);
  });
  test('is shown on one line', () => {
    expect(shown('a\u202e\nb')).toBe('a??b');
  });
});

describe('a picture', () => {
  const frames = [{ paint: solid([1, 2, 3, 255]), delayMs: 100 }];
  test.each<[string, Uint8Array, string]>([
    ['PNG', makePng(3, 2), 'image/png'],
    ['APNG', makeApng(3, 2, frames), 'image/png'],
    ['GIF', makeGif(3, 2, frames), 'image/gif'],
    ['WebP', makeWebp(3, 2, [1, 2, 3, 255]), 'image/webp'],
    ['moving WebP', makeMovingWebp(3, 2, [{ colour: [1, 2, 3, 255], delayMs: 9 }]), 'image/webp'],
  ])('is known as a %s by its bytes', (_, bytes, type) => {
    expect(readPicture('a', bytes)).toMatchObject({ type, w: 3, h: 2 });
  });
  test.each<[string, Uint8Array, string]>([
    ['too wide', makeLyingPng(30_000, 30_000), 'a is 30000 x 30000 pixels, at most 8192 are allowed on a side'],
    ['too large', makeLyingPng(8_000, 8_000), 'a has 64000000 pixels, at most 32000000 are allowed'],
    ['of no size', makeGif(0, 3, []), 'a has no pixels'],
    ['cut off as a WebP', makeWebp(3, 2, [0, 0, 0, 0]).subarray(0, 20), 'a is cut off'],
  ])('%s is refused', (_, bytes, reason) => {
    expect(() => readPicture('a', bytes)).toThrow(reason);
  });
});

test.each<[string, string, string | null]>([
  ['crab_walk_fast_8fps', 'crab', 'walk_fast'],
  ['SitAndLook', 'sit_and', 'look'],
  ['idle-2', '', 'idle'],
  ['idle 3', '', 'idle'],
  ['立つ', '立つ', null],
])('the name %s begins with %s and ends with %s', (name, prefix, state) => {
  expect(splitState(name)).toMatchObject({ ...(state !== null && { prefix }), state });
});

describe('what a pack is called', () => {
  test('becomes an ID of plain letters, and stays as it is to be read', () => {
    expect(slugOf('Pepper | Pepper&Carrot')).toBe('pepper-pepper-carrot');
    expect(slugOf('Schäfchen')).toBe('schafchen');
    expect(slugOf('シメジ')).toMatch(/^x[0-9a-f]{10}$/);
    expect(identify('grid', '终端幽灵', null).displayName).toBe('终端幽灵');
    expect(identify('grid', 'Cat', 'Mein Kätzchen')).toEqual({
      id: 'imported.grid.mein-katzchen',
      displayName: 'Mein Kätzchen',
    });
    expect(identify('grid', 'Cat', 'org.example.cat')).toEqual({ id: 'org.example.cat', displayName: 'Cat' });
  });
  test('cannot be that of a built-in character, or nothing', () => {
    expect(() => identify('grid', 'Cat', 'builtin.nib')).toThrow('comes with the program');
    expect(() => identify('grid', 'Cat', ' ')).toThrow('the new name is empty');
  });
  test('is one line that cuts no character', () => {
    expect(oneLine(' a\nb\u0000 ', 64, 'x')).toBe('a b');
    expect(oneLine('\u0007', 64, 'x')).toBe('x');
    expect(oneLine('👻'.repeat(40), 64, 'x')).toBe(`${'👻'.repeat(31)}…`);
  });
  test('has a version and a licence if they can be understood', () => {
    expect(['1', 'v1.2', '1.2.3-beta', '1.0.0.9', 'new', null].map(versionOf)).toEqual([
      '1.0.0',
      '1.2.0',
      '1.2.3',
      '1.0.0',
      '1.0.0',
      '1.0.0',
    ]);
    expect(['MIT', 'do <what> you want', null].map(licenseOf)).toEqual([
      'MIT',
      'LicenseRef-unknown',
      'LicenseRef-unknown',
    ]);
  });
});

describe('a desk theme', () => {
  const theme = (states: object): string => JSON.stringify({ schemaVersion: 1, name: 'Claw', states });
  test('gives its states to pictures; remarks and vector images are left out', async () => {
    const files = {
      'theme.json': theme({
        _comment: { a: 1 },
        idle: ['a.gif'],
        working: 'b.gif',
        thinking: ['c.svg'],
        error: 'd.gif',
      }),
      'assets/a.gif': makeGif(2, 2, [{ paint: solid([1, 2, 3, 255]), delayMs: 90 }]),
      'assets/b.gif': makeGif(2, 2, [{ paint: solid([1, 2, 3, 255]), delayMs: 90 }]),
      'd.gif': makeGif(2, 2, [{ paint: solid([1, 2, 3, 255]), delayMs: 90 }]),
    };
    const [found] = await findThemes(memoryTree(files));
    const draft = await found!.read(fakeLook());
    expect([draft.name, draft.format]).toEqual(['Claw', 'desk-theme']);
    expect(taken(draft)).toEqual({ idle: 'a.gif (named)', work: 'b.gif (named)', fail: 'd.gif (named)' });
    expect(told(draft)).toContain('state thinking was left out: c.svg is a vector image');
  });
  test('without its pictures is refused with their names', async () => {
    const [found] = await findThemes(memoryTree({ 'theme.json': theme({ idle: ['a.gif'], error: ['b.gif'] }) }));
    await expect(found!.read(fakeLook())).rejects.toThrow('are missing: a.gif, b.gif');
  });
});
