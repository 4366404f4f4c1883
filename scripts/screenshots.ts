/** Takes a picture of every card, page and style, in both languages, light and dark, into out/screenshots/; `--characters` and `--golden` take those of the characters. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser, type OverlayPage, openOverlayPage, type PageOptions } from '../e2e/overlay/page-driver.ts';
import {
  accessMessage,
  answersMessage,
  charactersMessage,
  pairing,
  permission,
  samples,
  sceneOf,
  session,
} from '../e2e/overlay/page-scenes.ts';
import { builtInManifests, GOLDEN_FOLDER, showCharacter, stopTime, toGolden } from '../e2e/packs/golden.ts';
import type { HostMessage } from '../server/protocol/link.ts';
import { LANGUAGES, type Language, STYLE_IDS, type StyleId } from '../server/protocol/words.ts';

import { takeCharacters } from './screenshots-characters.ts';

const folder = join(process.cwd(), 'out/screenshots');
/** Only pictures whose name contains this are taken. */
const filter = process.argv[2] ?? '';

const browser = await launchBrowser();
const overlay = await openOverlayPage(browser);
mkdirSync(folder, { recursive: true });
let taken = 0;

/** Opens a fresh page, lets `prepare` set the scene, and takes the picture once what it shows is painted. */
async function shoot(
  name: string,
  options: PageOptions,
  prepare: (overlay: OverlayPage) => Promise<void>,
): Promise<void> {
  if (!name.includes(filter)) return;
  await overlay.reopen({ windowed: true, ...options });
  await prepare(overlay);
  await overlay.page.waitForSelector('[data-clip], [data-action="show"]');
  await overlay.page.screenshot({ path: join(folder, `${name}.png`) });
  taken += 1;
}

const inStyle = (message: Extract<HostMessage, { type: 'scene' }>, style: StyleId): HostMessage => ({
  ...message,
  scene: { ...message.scene, cards: message.scene.cards.map((card) => ({ ...card, style })) },
});

async function shootCards(language: Language, dark: boolean, suffix: string): Promise<void> {
  await overlay.reopen({ windowed: true, dark, height: 720 });
  for (const style of STYLE_IDS)
    for (const { name, parts } of samples(language)) {
      if (!`card-${name}-${style}-${suffix}`.includes(filter)) continue;
      await overlay.tell(inStyle(sceneOf(parts, { language, style }), style));
      await overlay.page.waitForSelector('[data-clip]');
      await overlay.page.screenshot({ path: join(folder, `card-${name}-${style}-${suffix}.png`) });
      taken += 1;
    }
}

async function shootPages(language: Language, dark: boolean, suffix: string): Promise<void> {
  await shoot(`welcome-${suffix}`, { dark }, ({ tell }) => tell(sceneOf({}, { language, access: false })));
  await shoot(`pairing-${suffix}`, { dark, height: 760 }, ({ tell }) =>
    tell(sceneOf({ pairing: pairing(), pairingsWaiting: 1 }, { language })),
  );
  await shoot(`pairing-small-${suffix}`, { dark, width: 360, height: 480 }, ({ tell }) =>
    tell(
      sceneOf(
        { pairing: pairing({ name: 'Safe\u202Ebackup', scopes: ['vendor.internal.companion.control'] }) },
        { language },
      ),
    ),
  );
  await shoot(`menu-${suffix}`, { dark }, async ({ tell, page }) => {
    await tell(sceneOf({}, { language, paused: true, doNotDisturb: true }));
    await page.click('[data-action="menu"]');
  });
  await shoot(`menu-small-${suffix}`, { dark, width: 360, height: 360 }, async ({ tell, page }) => {
    await tell(sceneOf({ missed: 3 }, { language, doNotDisturb: true, sounds: true, fullScreen: 'notices-only' }));
    await page.click('[data-action="menu"]');
  });
  await shoot(`missed-${suffix}`, { dark }, ({ tell }) =>
    tell(sceneOf({ missed: 3, waiting: 2, cards: samples(language)[0]!.parts.cards!.slice(0, 1) }, { language })),
  );
  await shoot(`sessions-${suffix}`, { dark }, ({ tell }) => tell(sceneOf(permission(language), { language })));
  await shoot(`sessions-folded-${suffix}`, { dark }, ({ tell }) =>
    tell(sceneOf({ sessions: [session('api')] }, { language })),
  );
  await shoot(`sessions-small-${suffix}`, { dark, width: 360, height: 480 }, ({ tell }) =>
    tell(sceneOf({ ...permission(language), waiting: 2 }, { language })),
  );
  await shoot(`sessions-shaped-${suffix}`, { dark, shaped: true, windowed: false }, async ({ tell }) => {
    await tell({ type: 'place', stack: 'above', align: 'end', roomPx: 640, monitors: [] } as never);
    await tell(sceneOf(permission(language), { language }));
  });
  await shoot(`access-${suffix}`, { dark, height: 760 }, async ({ tell, page }) => {
    await tell(sceneOf({}, { language }));
    await page.click('[data-action="menu"]');
    await page.click('[data-action="access"]');
    await tell(accessMessage());
    await page.click('[data-action="revoke"]');
  });
  await shoot(`answers-${suffix}`, { dark, height: 760 }, async ({ tell, page }) => {
    await tell(sceneOf({}, { language }));
    await page.click('[data-action="menu"]');
    await page.click('[data-action="answers"]');
    await tell(answersMessage());
  });
  await shoot(`answers-wide-${suffix}`, { dark, width: 900, height: 600 }, async ({ tell, page }) => {
    await tell(sceneOf(samples(language)[2]!.parts, { language }));
    await page.click('[data-action="menu"]');
    await page.click('[data-action="answers"]');
    await tell(answersMessage());
  });
  for (const [size, box] of Object.entries({ '': { height: 760 }, '-small': { width: 360, height: 480 } }))
    await shoot(`characters${size}-${suffix}`, { dark, ...box }, async ({ tell, page }) => {
      await tell(sceneOf({}, { language }));
      await page.click('[data-action="menu"]');
      await page.click('[data-action="characters"]');
      await tell(charactersMessage());
      await page.waitForFunction('[...document.querySelectorAll(".preview canvas")].some(({ width }) => width > 1)');
    });
  await shoot(`hidden-${suffix}`, { dark, height: 120 }, ({ tell }) => tell(sceneOf({}, { language, hidden: true })));
  await shoot(`trouble-${suffix}`, { dark }, async ({ tell, page }) => {
    const parts = samples(language)[2]!.parts;
    await tell(sceneOf(parts, { language }));
    await page.waitForSelector('[data-option-id="y"]');
    await page.click('[data-option-id="y"]');
    await tell({ type: 'notStored', requestId: 'c1' });
  });
  await shoot(`small-${suffix}`, { dark, width: 360, height: 480 }, ({ tell }) =>
    tell(sceneOf(samples(language)[6]!.parts, { language })),
  );
  await shoot(`large-figure-${suffix}`, { dark }, ({ tell }) =>
    tell(sceneOf(samples(language)[0]!.parts, { language, sizePercent: 300 })),
  );
}

async function shootAll(): Promise<void> {
  for (const language of LANGUAGES)
    for (const dark of [false, true]) {
      const suffix = `${language}-${dark ? 'dark' : 'light'}`;
      await shootCards(language, dark, suffix);
      await shootPages(language, dark, suffix);
    }
  console.log(`${taken} pictures in out/screenshots`);
}

/** Keeps how every clip of the built-in characters looks now, for the test that compares. */
async function keepGolden(): Promise<void> {
  mkdirSync(GOLDEN_FOLDER, { recursive: true });
  await stopTime(overlay);
  for (const manifest of builtInManifests())
    writeFileSync(join(GOLDEN_FOLDER, `${manifest.id}.png`), toGolden(await showCharacter(overlay, manifest)));
  console.log(`Golden pictures in ${GOLDEN_FOLDER}`);
}

if (filter === '--golden') await keepGolden();
else if (filter === '--characters') await takeCharacters(overlay, join(process.cwd(), 'docs/characters.png'));
else await shootAll();
await browser.close();
