/** The program imports real files of every format with a real browser: pixels where they belong, times as they were, and nothing left behind. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PNG } from 'pngjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CLEAR,
  type Colour,
  makeApng,
  makeGif,
  makeLyingPng,
  makeMovingWebp,
  makePng,
  type Painter,
  solid,
} from '../../server/packs/import/pictures.fixture.ts';
import { makeZip, type ZipEntry } from '../../server/packs/import/zip.fixture.ts';
import { TEST_MANIFEST, writeTestCharacter } from '../../server/packs/testing.ts';
import type { CharacterManifest } from '../../server/protocol/character.ts';
import { type Env, endAll, runCli, startCli } from '../faults/processes.ts';
import { isolatedEnv, until } from '../harness.ts';

const RED: Colour = [255, 0, 0, 255];
const GREEN: Colour = [0, 255, 0, 255];
const BLUE: Colour = [0, 0, 255, 255];
const MAGENTA: Colour = [255, 0, 255, 255];

let home: string;
let env: Env;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'import-'));
  // What is left in the temporary directory can then be seen.
  env = { ...isolatedEnv(home), TMPDIR: join(home, 'tmp') };
  mkdirSync(join(home, 'tmp'));
});
afterEach(async () => {
  await endAll();
  rmSync(home, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string | Uint8Array>>;

function write(files: Files, folder = join(home, 'source')): string {
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), data);
  }
  return folder;
}

interface Report {
  readonly id: string;
  readonly version: string;
  readonly displayName: string;
  readonly license: string;
  readonly installed: boolean;
  readonly taken: readonly { readonly capability: string | null; readonly clip: string; readonly basis: string }[];
  readonly missing: readonly { readonly capability: string; readonly substitute: string | null }[];
  readonly ignored: readonly { readonly file: string; readonly line: number | null; readonly text: string }[];
  readonly manifest: CharacterManifest;
}

interface Outcome {
  readonly dryRun: boolean;
  readonly characters: readonly Report[];
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

const run = (path: string, ...args: readonly string[]) => runCli(env, 'characters', 'import', path, ...args);

/** One character that was imported, and its sheet as it lies in the library. */
async function imported(path: string, ...args: readonly string[]) {
  const { code, out, err } = await run(path, '--json', ...args);
  expect([code, err]).toEqual([0, '']);
  const { characters } = JSON.parse(out) as Outcome;
  expect(characters).toHaveLength(1);
  const report = characters[0]!;
  const folder = join(packs(), report.id, report.version);
  const manifest = JSON.parse(readFileSync(join(folder, 'character.json'), 'utf8')) as CharacterManifest;
  expect(manifest).toEqual(report.manifest);
  const image = manifest.images[0]!;
  const png = image.file.endsWith('.png') ? PNG.sync.read(readFileSync(join(folder, image.file))) : null;
  if (png !== null) expect([png.width, png.height]).toEqual([image.w, image.h]);
  /** The colour at a place of a clip's frame, from its corner. */
  const pixel = (clip: string, frame: number, x: number, y: number): readonly number[] => {
    const { columns, cellW, cellH } = image.grid!;
    const cell = manifest.clips[clip]!.frames[frame]!.cell!;
    const at = (Math.floor(cell / columns) * cellH + y) * png!.width + (cell % columns) * cellW + x;
    return [...png!.data.subarray(at * 4, at * 4 + 4)];
  };
  const times = (clip: string): readonly number[] => manifest.clips[clip]!.frames.map(({ duration }) => duration);
  return { report, manifest, pixel, times, folder };
}

const packs = (): string => join(env.XDG_DATA_HOME!, 'companion', 'packs');

/** Refused with this text: exit code 2, one line, no trace of where in the program, and nothing is installed. */
async function expectRefusal(path: string, reason: string): Promise<void> {
  const { code, out, err } = await run(path);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('INVALID_PARAMS');
  expect(err).toContain(reason);
  expect(err).not.toMatch(/\n\s+at |node:|dist\//);
  expect(existsSync(packs()) ? readdirSync(packs()) : []).toEqual([]);
  expectNothingLeft();
}

/** No browser profile, and nothing half-done. */
function expectNothingLeft(): void {
  expect(readdirSync(join(home, 'tmp'))).toEqual([]);
}

/** Left half red, right half blue. */
const halves =
  (w: number): Painter =>
  (x) =>
    x < w / 2 ? RED : BLUE;

describe('characters import', () => {
  it('takes the frames of a GIF, with their times and their holes', async () => {
    const gif = makeGif(96, 72, [
      { paint: (x, y) => (x < 10 && y < 10 ? CLEAR : RED), delayMs: 250 },
      { paint: solid(GREEN), delayMs: 0 },
    ]);
    const { manifest, pixel, times, report } = await imported(
      `${write({ 'cat.gif': gif, 'other.png': 'x' }, join(home, 's'))}/cat.gif`,
    );
    expect(times('idle')).toEqual([250, 100]);
    expect([pixel('idle', 0, 5, 5), pixel('idle', 0, 50, 50), pixel('idle', 1, 5, 5)]).toEqual([
      [...CLEAR],
      [...RED],
      [...GREEN],
    ]);
    expect(manifest.canvas).toEqual({ w: 96, h: 72, scale: 1, scaling: 'pixelated' });
    expect(report).toMatchObject({ id: 'imported.animated-files.cat', license: 'LicenseRef-unknown', installed: true });
    expectNothingLeft();
  });

  it('takes APNG and moving WebP likewise, and warns of an opaque picture', async () => {
    const folder = write({
      'idle.png': makeApng(80, 80, [
        { paint: halves(80), delayMs: 120 },
        { paint: solid(GREEN), delayMs: 220 },
      ]),
      'walk.webp': makeMovingWebp(80, 80, [
        { colour: BLUE, delayMs: 130 },
        { colour: CLEAR, delayMs: 15 },
      ]),
    });
    const { pixel, times, report } = await imported(folder);
    expect([times('idle'), times('move')]).toEqual([
      [120, 220],
      [130, 20],
    ]);
    expect([pixel('idle', 0, 10, 10), pixel('idle', 0, 70, 10), pixel('idle', 1, 10, 10)]).toEqual([
      [...RED],
      [...BLUE],
      [...GREEN],
    ]);
    expect([pixel('move', 0, 10, 10), pixel('move', 1, 10, 10)]).toEqual([[...BLUE], [...CLEAR]]);
    expect(report.ignored.map(({ file, text }) => `${file} ${text}`).join('\n')).toMatch(
      /idle\.png has no transparent background/,
    );
  });

  it('takes a Codex pet as it is, in any language, and installs it again only when it has changed', async () => {
    const sheet = makePng(1_536, 1_872, (x, y) => (y < 208 && x < 192 ? RED : CLEAR));
    const folder = write({
      'pet.json': JSON.stringify({ id: 'g', displayName: '终端 | 👻', spritesheetPath: 's.png' }),
      's.png': sheet,
      LICENSE: 'free',
    });
    const first = await imported(folder);
    expect(readFileSync(join(first.folder, 'sheet.png')).equals(sheet)).toBe(true);
    expect(readFileSync(join(first.folder, 'LICENSE'), 'utf8')).toBe('free');
    expect(first.manifest.displayName.default).toBe('终端 | 👻');
    expect(first.times('idle')).toEqual([1_680, 660, 660, 840, 840, 1_920]);
    expect(first.report.missing).toEqual([{ capability: 'animation.sleep', substitute: 'animation.wait' }]);
    expect((await imported(folder)).report.version).toBe('1.0.0');
    write({ 's.png': makePng(1_536, 1_872, solid(BLUE)) });
    expect((await imported(folder)).report.version).toBe('1.0.1');
  });

  it('lays the poses of a Shimeji so that their anchors meet, out of a zip with Shift_JIS names', async () => {
    const pose = (image: string, anchor: string): string => `<ポーズ 画像="${image}" 基準座標="${anchor}" 長さ="5" />`;
    const xml = `<マスコット><動作リスト><動作 名前="立つ" 種類="静止"><アニメーション>${pose('/a.png', '8,64')}${pose('/b.png', '32,32')}</アニメーション></動作></動作リスト></マスコット>`;
    const archive = makeZip([
      {
        name: Buffer.from([...Buffer.from('conf/'), 0x93, 0xae, 0x8d, 0xec, ...Buffer.from('.xml')]),
        data: Buffer.from(xml),
      },
      { name: 'img/Puff/a.png', data: makePng(64, 64, halves(64)) },
      { name: 'img/Puff/b.png', data: makePng(64, 64, solid(GREEN)) },
    ]);
    writeFileSync(join(home, 'puff.zip'), archive);
    const { manifest, pixel, times } = await imported(join(home, 'puff.zip'));
    // 32 px left of the anchor, 56 px right of it, 64 above, 32 below.
    expect([manifest.canvas.w, manifest.canvas.h]).toEqual([88, 96]);
    expect(manifest.anchor.x).toBeCloseTo(32 / 88);
    expect(manifest.anchor.y).toBeCloseTo(64 / 96);
    expect([pixel('idle', 0, 23, 10), pixel('idle', 0, 24, 10), pixel('idle', 0, 87, 63)]).toEqual([
      [...CLEAR],
      [...RED],
      [...BLUE],
    ]);
    expect([pixel('idle', 1, 0, 31), pixel('idle', 1, 0, 32), pixel('idle', 1, 63, 95)]).toEqual([
      [...CLEAR],
      [...GREEN],
      [...GREEN],
    ]);
    expect(times('idle')).toEqual([200, 200]);
    expect(manifest.facing).toBe('left');
  });

  it('stands turned pieces of a sheet upright, and puts trimmed ones where they were', async () => {
    // Upright: 80 wide, 96 high, its upper 48 rows red; in the picture it lies turned clockwise, so that these are on the right.
    const sheet = makePng(96, 80, (x) => (x >= 48 ? RED : BLUE));
    const frame = {
      frame: { x: 0, y: 0, w: 80, h: 96 },
      rotated: true,
      trimmed: true,
      spriteSourceSize: { x: 10, y: 20, w: 80, h: 96 },
      sourceSize: { w: 100, h: 130 },
      duration: 70,
    };
    const json = { frames: { idle0: frame }, meta: { image: 'C:\\me\\cat.png', scale: '1' } };
    const { manifest, pixel, times } = await imported(write({ 'cat.json': JSON.stringify(json), 'cat.png': sheet }));
    expect([manifest.canvas.w, manifest.canvas.h]).toEqual([100, 130]);
    expect([pixel('idle', 0, 9, 20), pixel('idle', 0, 10, 20), pixel('idle', 0, 89, 67)]).toEqual([
      [...CLEAR],
      [...RED],
      [...RED],
    ]);
    expect([pixel('idle', 0, 10, 68), pixel('idle', 0, 89, 115), pixel('idle', 0, 10, 116)]).toEqual([
      [...BLUE],
      [...BLUE],
      [...CLEAR],
    ]);
    expect(manifest.contentBox).toEqual({ x: 10, y: 20, w: 80, h: 96 });
    expect(times('idle')).toEqual([70]);
  });

  it('makes the colour key of an eSheep transparent, and magnifies its pixels whole', async () => {
    const sheet = makePng(64, 32, (x, y) => (x < 32 ? (y < 16 ? MAGENTA : RED) : BLUE));
    const xml = `<animations><header><petname>Schäfchen</petname></header><image><tilesx>2</tilesx><tilesy>1</tilesy><png>${sheet.toString('base64')}</png><transparency>Magenta</transparency></image><animations><animation id="1"><name>idle</name><start><interval>200</interval></start><end><interval>300</interval></end><sequence><frame>0</frame><frame>1</frame></sequence></animation></animations></animations>`;
    const { manifest, pixel, times } = await imported(
      write({ 'animations.xml': Buffer.from(`\uFEFF${xml}`, 'utf16le') }),
    );
    expect(manifest.canvas).toEqual({ w: 128, h: 128, scale: 1, scaling: 'pixelated' });
    expect([pixel('idle', 0, 0, 64), pixel('idle', 1, 127, 127)]).toEqual([[...RED], [...BLUE]]);
    expect(pixel('idle', 0, 0, 63)[3]).toBe(0);
    expect(times('idle')).toEqual([200, 300]);
    expect(manifest.displayName.default).toBe('Schäfchen');
  });

  it('reads a plain sheet by its grid.json', async () => {
    const grid = {
      image: 'sheet.webp',
      columns: 2,
      rows: 1,
      clips: { idle: [1], greet: { cells: [0, 1], fps: 10 } },
      license: 'MIT',
    };
    const { report, times } = await imported(
      write({
        'grid.json': JSON.stringify(grid),
        'sheet.webp': makeMovingWebp(128, 64, [{ colour: RED, delayMs: 100 }]),
      }),
      '--as',
      'org.example.plain',
    );
    expect(report).toMatchObject({ id: 'org.example.plain', license: 'MIT' });
    expect(times('greet')).toEqual([100, 100]);
  });

  it('takes two sets of one archive as two characters', async () => {
    const png = makePng(64, 64, solid(RED));
    const xml =
      '<Mascot><ActionList><Action Name="Stand" Type="Stay"><Animation><Pose Image="/Shime1.png" ImageAnchor="32,64" Duration="1"/></Animation></Action></ActionList></Mascot>';
    const names = ['x/img/One/shime1.png', 'x/img/Two/SHIME1.PNG'];
    const pictures = names.map((name) => ({ name, data: png }));
    writeFileSync(
      join(home, 'both.zip'),
      makeZip([{ name: 'x/conf/actions.xml', data: Buffer.from(xml) }, ...pictures]),
    );
    const { code, out } = await run(join(home, 'both.zip'), '--json');
    expect(code).toBe(0);
    const { characters } = JSON.parse(out) as Outcome;
    expect(characters.map(({ displayName }) => displayName)).toEqual(['One', 'Two']);
    expect(characters[0]!.ignored.some(({ text }) => text.includes('in other letters'))).toBe(true);
    expect(readdirSync(packs()).sort()).toEqual(['imported.shimeji.one', 'imported.shimeji.two']);
    expect((await run(join(home, 'both.zip'), '--as', 'Puff')).err).toContain('there are 2 characters in it');
  });

  it('only says what it would do in a dry run, in plain words, and offers guesses when told to', async () => {
    const folder = write({
      'idle.gif': makeGif(64, 64, [{ paint: solid(RED), delayMs: 100 }]),
      'jump.gif': makeGif(64, 64, [{ paint: solid(BLUE), delayMs: 100 }]),
    });
    const { code, out, err } = await run(folder, '--dry-run', '--as', 'Mein Kätzchen');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(
      'Mein Kätzchen (imported.animated-files.mein-katzchen@1.0.0), read as animated-files, licence unknown',
    );
    expect(out).toContain('animation.celebrate <- jump.gif (a guess), 1 frame');
    expect(out).toContain('Nothing was installed: this was a dry run.');
    expect(existsSync(packs())).toBe(false);
    const { report } = await imported(folder, '--accept-guesses');
    expect(report.taken.every(({ capability, basis }) => capability === null || basis !== 'guessed')).toBe(true);
  });

  it('says of a pack of our own what would become of it, and refuses what cannot be taken', async () => {
    const root = join(home, 'ours');
    const whole = writeTestCharacter(root, { ...TEST_MANIFEST, id: 'org.example.own' }, 'whole');
    const dry = await run(root, '--dry-run');
    expect([dry.code, dry.out]).toEqual([
      0,
      expect.stringContaining('org.example.own@0.1.0 is a character pack already'),
    ]);
    expect(await run(root, '--as', 'Other')).toMatchObject({ code: 2, err: expect.stringContaining('leave out --as') });
    const broken = writeTestCharacter(root, { ...TEST_MANIFEST, license: undefined }, 'broken');
    await expectRefusal(root, 'there are 2 packs in it: broken, whole');
    expect(await run(broken, '--dry-run')).toMatchObject({
      code: 2,
      err: expect.stringContaining('/license: is missing'),
    });
    expect((await run(join(whole, 'character.json'))).code).toBe(0);
  });

  it('installs a pack of our own as it is', async () => {
    const { folder } = await imported(
      write({ 'idle.gif': makeGif(64, 64, [{ paint: solid(RED), delayMs: 100 }]) }),
      '--as',
      'org.example.own',
    );
    rmSync(join(env.XDG_DATA_HOME!, 'other'), { recursive: true, force: true });
    env = { ...env, XDG_DATA_HOME: join(home, 'other') };
    const { code, out } = await run(folder);
    expect([code, out]).toEqual([0, expect.stringContaining('org.example.own@1.0.0 was a character pack already')]);
    expect(readdirSync(join(packs(), 'org.example.own'))).toEqual(['1.0.0']);
  });

  it('cleans up when it is interrupted', async () => {
    // Enough pictures to be at work for a while.
    const frames = Array.from({ length: 250 }, (_, index) => ({ paint: solid([index, 0, 0, 255]), delayMs: 100 }));
    const folder = write({ 'idle.png': makeApng(512, 512, frames) });
    const program = startCli(env, 'characters', 'import', folder);
    await until('the browser has its folder', async () =>
      readdirSync(join(home, 'tmp')).some((name) => name.startsWith('companion-import-')),
    );
    program.child.kill('SIGINT');
    expect(await program.ended).toBe(130);
    expect(program.err()).not.toMatch(/\n\s+at /);
    expect(existsSync(packs())).toBe(false);
    expectNothingLeft();
  });
});

describe('characters import refuses', () => {
  const xml = (text: string): Files => ({ 'conf/actions.xml': text, 'img/A/a.png': makePng(8, 8, solid(RED)) });
  const sheet = (fields: object): Files => ({
    'cat.json': JSON.stringify({
      frames: { a: { frame: { x: 0, y: 0, w: 8, h: 8 } } },
      meta: { image: 'cat.png' },
      ...fields,
    }),
    'cat.png': makePng(8, 8, solid(RED)),
  });
  const gif = makeGif(64, 64, [{ paint: solid(RED), delayMs: 100 }]);

  it.each<[string, Files, string]>([
    [
      'a GIF whose pixels are missing',
      { 'idle.gif': Buffer.concat([gif.subarray(0, 420), Buffer.from([0x3b])]) },
      'idle.gif',
    ],
    ['a cut PNG', { 'idle.png': makePng(64, 64, solid(RED)).subarray(0, 60) }, 'idle.png is cut off'],
    ['a PNG without its pixels', { 'idle.png': makeLyingPng(64, 64) }, 'idle.png cannot be decoded'],
    ['a picture of 30000 x 30000', { 'idle.png': makeLyingPng(30_000, 30_000) }, '30000 x 30000 pixels, at most 8192'],
    [
      'too many frames',
      {
        'idle.gif': makeGif(
          1,
          1,
          Array.from({ length: 2_100 }, () => ({ paint: solid(RED), delayMs: 50 })),
        ),
      },
      'idle.gif: it has 2100 frames, at most 2048 are allowed',
    ],
    ['an empty picture', { 'idle.png': makePng(64, 64) }, 'nothing can be seen'],
    [
      'a bomb of entities',
      xml('<!DOCTYPE a [<!ENTITY b "bb">]><Mascot>&b;</Mascot>'),
      'conf/actions.xml, line 1: a document type (DOCTYPE) is not allowed',
    ],
    [
      'a path on another machine',
      xml('<Mascot><Action Name="Stand"><Animation><Pose Image="C:/a.png"/></Animation></Action></Mascot>'),
      'names a picture outside the pack',
    ],
    [
      'a frame beyond its sheet',
      sheet({ frames: { a: { frame: { x: 1, y: 0, w: 8, h: 8 } } } }),
      'frame a reaches beyond cat.png',
    ],
    ['nothing it knows', { 'notes.txt': 'hello' }, 'nothing in source is known here'],
    ['an empty folder', { 'deep/.keep': '' }, 'nothing in source is known here'],
  ])('%s', async (_, files, reason) => {
    await expectRefusal(write(files), reason);
  });

  it('what is not there, a program, and a link in the place of a picture', async () => {
    await expectRefusal(join(home, 'none'), 'none cannot be read: it is not there');
    await expectRefusal(join(write({ 'shimeji.jar': 'PK\x03\x04' }), 'shimeji.jar'), 'this is a program');
    const folder = write(sheet({}), join(home, 'linked'));
    rmSync(join(folder, 'cat.png'));
    symlinkSync('/etc/hostname', join(folder, 'cat.png'));
    await expectRefusal(folder, 'cat.png is a link');
  });

  it('archives that lead out of themselves or hold links', async () => {
    const cases: readonly (readonly [string, ZipEntry, string])[] = [
      ['out.zip', { name: '../../evil.gif', data: gif }, 'leads out of the archive'],
      ['abs.zip', { name: '/etc/evil.gif', data: gif }, 'absolute path'],
      ['link.zip', { name: 'idle.gif', data: Buffer.from('/etc/passwd'), mode: 0o120777 }, 'is a link'],
    ];
    for (const [name, entry, reason] of cases) {
      writeFileSync(join(home, name), makeZip([entry]));
      await expectRefusal(join(home, name), reason);
    }
    writeFileSync(join(home, 'cut.zip'), makeZip([{ name: 'idle.gif', data: gif }]).subarray(0, 100));
    await expectRefusal(join(home, 'cut.zip'), 'no zip, or cut off');
  });

  it('with one JSON value when asked for it', async () => {
    const { code, out } = await run(join(home, 'none'), '--json');
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ error: { code: 'INVALID_PARAMS', retryable: false } });
  });
});
