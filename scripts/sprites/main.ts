/** Draws the built-in characters: sheets and manifests in `overlay/characters/`, the icon, and contact sheets to look at in `out/sprites/`. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { IDLE_CLIP } from '../../server/protocol/character.ts';
import { DEFAULT_CHARACTER } from '../../server/protocol/settings.ts';
import { CHARACTERS } from './characters.ts';
import { compact } from './compact.ts';
import { contactPages } from './contact.ts';
import type { DrawnCharacter } from './drawn.ts';
import { cutIcon } from './icon.ts';
import { toManifest } from './manifest.ts';
import { launchPainter, render, renderSheet } from './render.ts';
import { layOut } from './sheet.ts';

/** Contact sheets show the figures as on a dense screen. */
const CONTACT_SCALE = 2;
const root = join(dirname(process.argv[1] ?? ''), '..', '..');
const out = join(root, 'out', 'sprites');
/** Only characters whose ID contains this are drawn. */
const filter = process.argv[2] ?? '';

/** Writes the pack; a sheet whose clip is gone goes. */
async function writePack(browser: Browser, character: DrawnCharacter): Promise<void> {
  const { id, canvas } = character.facts;
  const folder = join(root, 'overlay', 'characters', id);
  mkdirSync(folder, { recursive: true });
  const layout = layOut(character.clips);
  let bytes = 0;
  for (const sheet of layout.sheets) {
    const picture = compact(await renderSheet(browser, character.defs, sheet, canvas));
    writeFileSync(join(folder, `${sheet.name}.png`), picture);
    bytes += picture.length;
    if (id === DEFAULT_CHARACTER && sheet.name === IDLE_CLIP)
      writeFileSync(join(root, 'overlay', 'icon.png'), cutIcon(picture, canvas.w * canvas.scale));
  }
  const manifest = toManifest(character, layout);
  writeFileSync(join(folder, 'character.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const kept = ['character.json', ...manifest.images.map(({ file }) => file)];
  for (const file of readdirSync(folder)) if (!kept.includes(file)) rmSync(join(folder, file));
  const cells = layout.sheets.reduce((sum, sheet) => sum + sheet.cells.length, 0);
  console.log(`${id}: ${layout.sheets.length} sheets, ${cells} cells, ${bytes} bytes`);
}

async function writeContactPages(browser: Browser, character: DrawnCharacter): Promise<void> {
  mkdirSync(out, { recursive: true });
  for (const { name, body, width, height } of contactPages(character)) {
    const view = { width, height, scale: CONTACT_SCALE };
    writeFileSync(join(out, `${name}.png`), await render(browser, character.defs, body, view));
  }
}

const browser = await launchPainter();
try {
  for (const character of CHARACTERS.filter(({ facts }) => facts.id.includes(filter))) {
    await writePack(browser, character);
    await writeContactPages(browser, character);
  }
  console.log('Contact sheets are in out/sprites/.');
} finally {
  await browser.close();
}
