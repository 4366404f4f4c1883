/** Draws Nib: poses → SVG → one transparent sheet and its manifest in `overlay/characters/`, the icon, and a contact sheet to look at in `out/`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import puppeteer, { type Browser } from 'puppeteer-core';
import { DEFAULT_CHARACTER } from '../../server/protocol/settings.ts';
import { CLIPS } from './clips.ts';
import { compact } from './compact.ts';
import { contactSheet } from './contact.ts';
import { CANVAS, DEFS, drawFigure } from './figure.ts';
import { cutIcon } from './icon.ts';
import { toManifest } from './manifest.ts';
import { layOut } from './sheet.ts';

const SCALE = 2;
const root = join(dirname(process.argv[1] ?? ''), '..', '..');
const folder = join(root, 'overlay', 'characters', DEFAULT_CHARACTER);
const out = join(root, 'out', 'sprites');

/** A picture of `body`, `width` x `height` CSS px at SCALE; what is not painted stays transparent. */
async function render(browser: Browser, body: string, width: number, height: number): Promise<Uint8Array> {
  const page = await browser.newPage();
  await page.setViewport({ width, height, deviceScaleFactor: SCALE });
  await page.setContent(`<!doctype html><style>body{margin:0}svg{display:block}</style>${DEFS}${body}`);
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

const sheet = layOut(CLIPS, drawFigure);
mkdirSync(folder, { recursive: true });
mkdirSync(out, { recursive: true });
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  pipe: true,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const cells = sheet.cells
    .map((drawing, cell) => {
      const [x, y] = [(cell % sheet.columns) * CANVAS, Math.floor(cell / sheet.columns) * CANVAS];
      return `<div style="position:absolute;left:${x}px;top:${y}px">${drawing}</div>`;
    })
    .join('');
  const picture = compact(await render(browser, cells, sheet.columns * CANVAS, sheet.rows * CANVAS));
  writeFileSync(join(folder, 'sheet.png'), picture);
  writeFileSync(join(root, 'overlay', 'icon.png'), cutIcon(picture, CANVAS * SCALE));
  writeFileSync(join(folder, 'character.json'), `${JSON.stringify(toManifest(sheet, CANVAS, SCALE), null, 2)}\n`);
  for (const [name, page] of contactSheet(CLIPS))
    writeFileSync(join(out, `${name}.png`), await render(browser, page.body, page.width, page.height));
  console.log(`${sheet.cells.length} cells, ${picture.length} bytes; contact sheets in out/sprites/`);
} finally {
  await browser.close();
}
