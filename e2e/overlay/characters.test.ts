/** What a pack's frames look like in the real page: rectangles, turned, trimmed, mirrored and anchored ones, gaps, hit areas, and files that fail. */
import { PNG } from 'pngjs';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CharacterManifest, Frame } from '../../server/protocol/character.ts';
import { characterFolder, PAGE_PATH } from '../../server/protocol/link.ts';
import { launchBrowser, type OverlayPage, openOverlayPage, until } from './page-driver.ts';
import { charactersMessage, NIB_FOLDER, sceneOf } from './page-scenes.ts';

let browser: Browser;
let overlay: OverlayPage;
beforeAll(async () => {
  browser = await launchBrowser();
  overlay = await openOverlayPage(browser);
});
afterAll(() => browser?.close());

type Colour = readonly [number, number, number];
const RED: Colour = [220, 30, 30];
const GREEN: Colour = [30, 200, 40];
const BLUE: Colour = [40, 60, 230];
const GREY: Colour = [120, 120, 120];

/** A sheet of 64 by 64 pixels on which `draw` says the colour of each; null: nothing there. */
function sheet(draw: (x: number, y: number) => Colour | null): Buffer {
  const png = new PNG({ width: 64, height: 64 });
  for (let y = 0; y < 64; y += 1)
    for (let x = 0; x < 64; x += 1) {
      const colour = draw(x, y);
      png.data.set(colour === null ? [0, 0, 0, 0] : [...colour, 255], (y * 64 + x) * 4);
    }
  return PNG.sync.write(png);
}

/** Upright, it is 8 wide and 12 high: its upper half red, the lower one green on the left and blue on the right. */
function flag(x: number, y: number): Colour | null {
  if (x < 0 || y < 0 || x >= 8 || y >= 12) return null;
  if (y < 6) return RED;
  return x < 4 ? GREEN : BLUE;
}

/** Where the sheet has its one cell: second column, second row of a grid with margin 2 and spacing 3. */
const GRID = { columns: 3, rows: 2, cellW: 16, cellH: 16, margin: 2, spacing: 3 };
const CELL = { x: 21, y: 21 };

/** The flag upright at (4, 2), and turned clockwise at (20, 2); below them a grey cell in a red ground. */
const SHEET = sheet((x, y) => {
  if (y < 20) return flag(x - 4, y - 2) ?? flag(y - 2, 11 - (x - 20));
  const [inX, inY] = [x - CELL.x, y - CELL.y];
  return inX >= 0 && inY >= 0 && inX < 16 && inY < 16 ? GREY : RED;
});

let count = 0;

/** Puts a character whose idle is that one frame below the page; returns its folder. */
function character(frame: Omit<Frame, 'image' | 'duration'>, changes: Partial<CharacterManifest> = {}): string {
  count += 1;
  const idle = { frames: [{ image: 'main', duration: 1_000, ...frame }], loop: true, stillFrame: 0 } as const;
  const manifest: CharacterManifest = {
    schema: 'desktop-companion.character/1',
    id: `test.flag${count}`,
    version: '1.0.0',
    displayName: { default: 'Flag' },
    description: { default: 'A flag.' },
    authors: [{ name: 'The companion project' }],
    license: 'MIT',
    canvas: { w: 16, h: 16, scale: 1, scaling: 'pixelated' },
    anchor: { x: 0.5, y: 1 },
    contentBox: { x: 0, y: 0, w: 16, h: 16 },
    images: [{ id: 'main', file: 'sheet.png', w: 64, h: 64 }],
    clips: { idle },
    capabilities: {},
    substitutes: {},
    ...changes,
  };
  const folder = characterFolder({ id: manifest.id, stamp: 'a' });
  const path = folder.slice(PAGE_PATH.length);
  overlay.files.set(`${path}character.json`, Buffer.from(JSON.stringify(manifest)));
  overlay.files.set(`${path}sheet.png`, SHEET);
  return folder;
}

/** Shows the character in `folder` and resolves when it is drawn. */
async function show(folder: string, settings: object = {}): Promise<void> {
  await overlay.tell(sceneOf({ character: folder }, { sizePercent: 100, ...settings }));
  const id = folder.split('/')[3];
  await overlay.page.waitForSelector(`.figure canvas[data-character="${id}"]`);
}

/** The figure's pixels as letters: r, g, b, y for grey, a dot for nothing, ? for what is mixed. One row of the canvas each. */
const picture = (): Promise<readonly string[]> =>
  overlay.page.evaluate(`(() => {
    const canvas = document.querySelector('.figure canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const names = { '220,30,30,255': 'r', '30,200,40,255': 'g', '40,60,230,255': 'b', '120,120,120,255': 'y', '0,0,0,0': '.' };
    return Array.from({ length: canvas.height }, (_, y) =>
      Array.from({ length: canvas.width }, (_, x) => names[[...data.slice((y * canvas.width + x) * 4, (y * canvas.width + x) * 4 + 4)]] ?? '?').join(''));
  })()`) as Promise<readonly string[]>;

const EMPTY = '.'.repeat(16);
const rows = (count: number, row: string): readonly string[] => Array.from({ length: count }, () => row);
const FLAG = { x: 4, y: 2, w: 8, h: 12 };

describe('a frame', () => {
  it('that is a rectangle stands on the anchor', async () => {
    await show(character({ frame: FLAG }));
    expect(await picture()).toEqual([
      ...rows(4, EMPTY),
      ...rows(6, '....rrrrrrrr....'),
      ...rows(6, '....ggggbbbb....'),
    ]);
  });

  it('that lies turned in the sheet looks the same', async () => {
    await show(character({ frame: FLAG }));
    const upright = await picture();
    await show(character({ frame: { x: 20, y: 2, w: 8, h: 12 }, rotated: true }));
    expect(await picture()).toEqual(upright);
  });

  it('that is mirrored is turned about its anchor', async () => {
    await show(character({ frame: FLAG, mirror: true, anchor: { x: 0.25, y: 1 } }));
    expect((await picture())[15]).toBe('..bbbbgggg......');
    await show(character({ frame: { x: 20, y: 2, w: 8, h: 12 }, rotated: true, mirror: true }));
    expect((await picture())[15]).toBe('....bbbbgggg....');
  });

  it('that was trimmed is put back where it was', async () => {
    await show(
      character({
        frame: FLAG,
        sourceSize: { w: 16, h: 16 },
        spriteSourceSize: { x: 7, y: 1, w: 8, h: 12 },
      }),
    );
    const drawn = await picture();
    expect(drawn[0]).toBe(EMPTY);
    expect(drawn[1]).toBe('.......rrrrrrrr.');
    expect(drawn[12]).toBe('.......ggggbbbb.');
    expect(drawn[13]).toBe(EMPTY);
  });

  it('that reaches beyond the canvas is cut off there', async () => {
    await show(character({ frame: FLAG, anchor: { x: 0, y: 0 } }));
    expect(await picture()).toEqual(rows(16, EMPTY));
    await show(character({ frame: FLAG, anchor: { x: 1, y: 0.5 } }));
    expect((await picture())[15]).toBe('rrrrrrrr........');
  });

  it('that is a cell is found between margin and spacing, with nothing of its neighbours', async () => {
    await show(character({ cell: 4 }, { images: [{ id: 'main', file: 'sheet.png', w: 64, h: 64, grid: GRID }] }));
    expect(await picture()).toEqual(rows(16, 'y'.repeat(16)));
  });

  it('is enlarged in whole squares where the pack is pixelated', async () => {
    await show(character({ frame: FLAG }), { sizePercent: 300 });
    const drawn = await picture();
    expect(drawn).toHaveLength(48);
    expect(drawn[47]).toBe(`${'.'.repeat(12)}${'g'.repeat(12)}${'b'.repeat(12)}${'.'.repeat(12)}`);
    expect(drawn.join('')).not.toContain('?');
  });
});

describe('a hit area', () => {
  const hit = (x: number, y: number): Promise<boolean> =>
    overlay.page.evaluate(
      `(() => {
        const { left, top, width, height } = document.querySelector('.figure canvas').getBoundingClientRect();
        return document.elementFromPoint(left + width * ${x}, top + height * ${y})?.closest('.figure') !== null;
      })()`,
    ) as Promise<boolean>;

  it('alone takes the pointer, and a press on it opens the menu', async () => {
    await overlay.reopen();
    const changes = {
      canvas: { w: 100, h: 100, scale: 1, scaling: 'smooth' },
      hitArea: { x: 50, y: 50, w: 40, h: 40 },
    };
    await show(character({ frame: FLAG }, changes as Partial<CharacterManifest>));
    expect([await hit(0.7, 0.7), await hit(0.2, 0.7), await hit(0.7, 0.2), await hit(0.95, 0.95)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    const { x, y, width, height } = (await (await overlay.page.$('.figure canvas'))!.boundingBox())!;
    await overlay.page.mouse.click(x + width * 0.2, y + height * 0.2);
    expect(await overlay.page.$('[data-role="menu"]')).toBeNull();
    await overlay.page.mouse.click(x + width * 0.7, y + height * 0.7);
    await overlay.page.waitForSelector('[data-role="menu"]');
  });

  it('is forgotten with the character', async () => {
    await show(character({ frame: FLAG }, { canvas: { w: 100, h: 100, scale: 1, scaling: 'smooth' } }));
    expect(await hit(0.1, 0.1)).toBe(true);
  });

  it('is told to the see-through window', async () => {
    await overlay.reopen({ shaped: true, width: 480, height: 640 });
    await overlay.tell({ type: 'place', stack: 'above', align: 'end', roomPx: 640, monitors: [] });
    const changes = {
      canvas: { w: 100, h: 100, scale: 1, scaling: 'smooth' },
      hitArea: { x: 50, y: 50, w: 40, h: 40 },
    };
    await show(character({ frame: FLAG }, changes as Partial<CharacterManifest>));
    const lastShape = () => overlay.sent.findLast((message) => message.type === 'shape');
    await until(
      () => lastShape()?.pieces.some((piece) => piece.kind === 'mask' && piece.hit !== undefined) === true,
      'a hit area',
    );
    const { pieces, figure } = lastShape()!;
    const mask = pieces.find((piece) => piece.kind === 'mask');
    expect(mask).toMatchObject({ hit: { x: figure!.x + 50, y: figure!.y + 50, width: 40, height: 40 } });
    await overlay.reopen();
  });
});

describe('a file that fails', () => {
  const damage = (folder: string, file: string, content: Buffer | null): void => {
    const path = `${folder.slice(PAGE_PATH.length)}${file}`;
    if (content === null) overlay.files.delete(path);
    else overlay.files.set(path, content);
  };

  it.each([
    ['sheet.png', 'is missing', null],
    ['sheet.png', 'is no picture', Buffer.from('no picture at all')],
    ['sheet.png', 'ends after its header', SHEET.subarray(0, 40)],
    ['character.json', 'is missing', null],
  ])('is told by name (%s %s), and what showed before stays', async (file, _, content) => {
    await show(NIB_FOLDER);
    const folder = character({ frame: FLAG });
    damage(folder, file, content);
    const from = overlay.sent.length;
    await overlay.tell(sceneOf({ character: folder }));
    expect(await overlay.waitFor('broken', from)).toEqual({ type: 'broken', folder, file });
    expect(await overlay.page.$('.figure canvas[data-character="builtin.nib"]')).not.toBeNull();
    expect(overlay.sent.some(({ type }) => type === 'trouble')).toBe(false);
    await show(character({ frame: FLAG }));
  });
});

describe('the gallery', () => {
  const requested = new Set<string>();
  const openGallery = async (): Promise<void> => {
    await overlay.page.click('.figure');
    await overlay.page.waitForSelector('[data-action="characters"]');
    await overlay.page.click('[data-action="characters"]');
    await overlay.waitFor('open');
    await overlay.tell(charactersMessage());
    await overlay.page.waitForSelector('[data-panel="characters"] [data-character-id]');
  };
  const drawnPreviews = (): Promise<number> =>
    overlay.page.evaluate(
      `[...document.querySelectorAll('.preview canvas')].filter(({ width }) => width > 1).length`,
    ) as Promise<number>;

  it('has a tile for each, tells what each can do, and which are broken and why', async () => {
    await overlay.reopen({ height: 1_200 });
    await show(NIB_FOLDER);
    await openGallery();
    const texts = await overlay.page.$$eval('.tile', (tiles) => tiles.map(({ textContent }) => textContent ?? ''));
    expect(texts).toHaveLength(3);
    expect(texts[0]).toContain('Can say hello, celebrate, work');
    expect(texts[1]).toContain('celebrate (will say hello instead)');
    expect(texts[1]).toContain('Flickers like an old screen.');
    expect(texts[2]).toContain('author unknown · licence unknown');
    const broken = await overlay.page.$eval(
      '[data-unavailable-id="org.example.torn"]',
      ({ textContent }) => textContent,
    );
    expect(broken).toContain('sheet.png is 64 x 64 pixels');
    expect(
      await overlay.page.$$eval('[aria-pressed="true"][data-action="use-character"]', ({ length }) => length),
    ).toBe(1);
    await until(async () => (await drawnPreviews()) === 3, 'three previews');
    expect(await overlay.page.$$('[data-clip]')).toHaveLength(1);
  });

  it('is worked by keyboard: a name for each button, and Enter chooses', async () => {
    const button = '[data-character-id="org.example.ghost"] [data-action="use-character"]';
    expect(await overlay.page.$eval(button, (element) => element.getAttribute('aria-label'))).toBe(
      'Use Terminal Ghost',
    );
    await overlay.page.focus(button);
    await overlay.page.keyboard.press('Enter');
    expect(await overlay.waitFor('choose')).toEqual({ type: 'choose', character: 'org.example.ghost' });
    await overlay.tell({ type: 'notChosen', character: 'org.example.ghost' });
    await overlay.page.waitForSelector('[data-panel="characters"] [role="alert"]');
    const from = overlay.sent.length;
    await overlay.tell(sceneOf({ character: NIB_FOLDER, catalogRevision: 2 }));
    expect(await overlay.waitFor('open', from)).toEqual({ type: 'open', page: 'characters' });
    expect(await overlay.page.$('[data-panel="characters"] [role="alert"]')).toBeNull();
  });

  it('asks for nothing of a character that cannot be seen, and gives all back when it is closed', async () => {
    await overlay.reopen({ height: 420 });
    await show(NIB_FOLDER);
    overlay.page.on('request', (request) => requested.add(new URL(request.url()).pathname));
    const far = character({ frame: FLAG });
    const message = charactersMessage();
    await overlay.page.click('.figure');
    await overlay.page.click('[data-action="characters"]');
    await overlay.tell({ ...message, rows: [...message.rows, { ...message.rows[2]!, id: 'test.far', folder: far }] });
    await until(async () => (await drawnPreviews()) >= 1, 'a preview');
    expect(requested.has(`${far}character.json`)).toBe(false);
    await overlay.page.$eval('[data-character-id="test.far"]', (tile) => tile.scrollIntoView());
    await until(() => requested.has(`${far}sheet.png`), 'the last preview');
    await overlay.page.keyboard.press('Escape');
    await until(async () => (await overlay.page.$('.preview')) === null, 'the gallery is closed');
  });

  it('stands still where motion is reduced', async () => {
    await overlay.reopen({ height: 1_200, reducedMotion: true });
    await show(NIB_FOLDER);
    await openGallery();
    await until(async () => (await drawnPreviews()) === 3, 'three previews');
    const pictures = (): Promise<unknown> =>
      overlay.page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
        done([...document.querySelectorAll('.preview canvas')].map((canvas) => canvas.toDataURL())))))`);
    const before = await pictures();
    await overlay.page.hover('[data-character-id="org.example.ghost"]');
    expect(await pictures()).toEqual(before);
    await overlay.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'no-preference' }]);
    await overlay.page.hover('[data-character-id="org.example.stone"]');
    await overlay.page.hover('[data-character-id="org.example.ghost"]');
    await until(async () => JSON.stringify(await pictures()) !== JSON.stringify(before), 'a greeting');
  });
});
