/** The built-in characters look as they did: first and middle frame of every clip, drawn by the real page. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type OverlayPage, openOverlayPage } from '../overlay/page-driver.ts';
import { sceneOf } from '../overlay/page-scenes.ts';
import { builtInManifests, countOthers, GOLDEN_FOLDER, showCharacter, stopTime } from './golden.ts';

/** Of 128 x 128 pixels: fewer than an eye that closes changes. */
const MAX_OTHERS = 12;

let browser: Browser;
let overlay: OverlayPage;

beforeAll(async () => {
  browser = await launchBrowser();
  overlay = await openOverlayPage(browser);
  await stopTime(overlay);
});
afterAll(() => browser.close());

const manifests = builtInManifests();

describe.each(manifests.map((manifest) => [manifest.id, manifest] as const))('%s', (id, manifest) => {
  it('looks in every clip as the kept picture says; `npm run screenshots -- --golden` keeps a new one', async () => {
    const golden = PNG.sync.read(readFileSync(join(GOLDEN_FOLDER, `${id}.png`)));
    const shown = await showCharacter(overlay, manifest);
    const changed = shown.flatMap(({ clip, moment, picture }, at) => {
      const others = countOthers(picture, golden, at);
      return others > MAX_OTHERS ? [`${clip}, ${moment} frame: ${others} pixels`] : [];
    });
    expect(changed).toEqual([]);
    expect(golden.height).toBe((shown.length / 2) * shown[0]!.picture.height);
  });
});

describe('a character in pixels', () => {
  const pixelated = manifests.find(({ canvas }) => canvas.scaling === 'pixelated')!;

  it.each([
    [1, 50],
    [1, 100],
    [1, 300],
    [2, 50],
    [2, 100],
    [2, 250],
  ])(
    'at %d device pixels per CSS px and %d percent of its size is drawn in squares of one size',
    async (scale, sizePercent) => {
      await overlay.reopen({ scale, width: 500, height: 500 });
      const { id, canvas } = pixelated;
      await overlay.tell(sceneOf({ character: `/overlay/characters/${id}/` }, { sizePercent }));
      await overlay.page.waitForSelector(`[data-character="${id}"]`);
      // The drawings are squares of two px of the canvas.
      const square = (2 * scale * sizePercent) / 100;
      const uneven = (await overlay.page.evaluate(`(() => {
      const canvas = document.querySelector('canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const at = (x, y) => (y * canvas.width + x) * 4;
      let uneven = canvas.width === ${(canvas.w * scale * sizePercent) / 100} ? 0 : -1;
      for (let y = 0; y < canvas.height; y += 1)
        for (let x = 0; x < canvas.width; x += 1) {
          const corner = at(x - (x % ${square}), y - (y % ${square}));
          if ([0, 1, 2, 3].some((channel) => data[at(x, y) + channel] !== data[corner + channel])) uneven += 1;
        }
      return uneven;
    })()`)) as number;
      expect(uneven).toBe(0);
    },
  );
});
