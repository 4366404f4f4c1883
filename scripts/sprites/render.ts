/** Turns drawings into pictures, with the same Chromium that will show them. */
import puppeteer, { type Browser } from 'puppeteer-core';
import type { CharacterManifest } from '../../server/protocol/character.ts';
import type { Sheet } from './sheet.ts';

export const launchPainter = (): Promise<Browser> =>
  puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    pipe: true,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });

interface View {
  /** CSS px. */
  readonly width: number;
  readonly height: number;
  /** Image px per CSS px. */
  readonly scale: number;
}

/** A PNG of `body`; what is not painted stays transparent. */
export async function render(
  browser: Browser,
  defs: string,
  body: string,
  { width, height, scale }: View,
): Promise<Uint8Array> {
  const page = await browser.newPage();
  await page.setViewport({ width, height, deviceScaleFactor: scale });
  await page.setContent(`<!doctype html><style>body{margin:0}svg{display:block}</style>${defs}${body}`);
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

/** A PNG of all cells of `sheet`, each at its place in the grid. */
export function renderSheet(
  browser: Browser,
  defs: string,
  { columns, rows, cells }: Sheet,
  { w, h, scale }: CharacterManifest['canvas'],
): Promise<Uint8Array> {
  const placed = cells.map((drawing, cell) => {
    const [x, y] = [(cell % columns) * w, Math.floor(cell / columns) * h];
    return `<div style="position:absolute;left:${x}px;top:${y}px">${drawing}</div>`;
  });
  return render(browser, defs, placed.join(''), { width: columns * w, height: rows * h, scale });
}
