/** One picture of all built-in characters, each at rest and in the clip that is most its own. */
import { writeFileSync } from 'node:fs';
import type { OverlayPage } from '../e2e/overlay/page-driver.ts';
import { sceneOf } from '../e2e/overlay/page-scenes.ts';
import { builtInManifests } from '../e2e/packs/golden.ts';
import { type CharacterManifest, IDLE_CLIP } from '../server/protocol/character.ts';
import { DEFAULT_CHARACTER } from '../server/protocol/settings.ts';

const SCALE = 2;
/** What to show of a character beside its rest; of others it is how they greet. */
const OWN: Readonly<Record<string, string>> = { 'builtin.nib': 'celebrate', 'builtin.simmer': 'tea' };

/** The still frame of `clip` as the page draws it, without ground: a PNG in base64. */
async function takeStill({ page, tell }: OverlayPage, { id }: CharacterManifest, clip: string): Promise<string> {
  await tell(sceneOf({ character: `/overlay/characters/${id}/`, mood: { clip, name: 'idle' } }));
  await page.waitForSelector(`[data-character="${id}"][data-clip="${clip}"]`);
  const url = (await page.evaluate(`document.querySelector('canvas').toDataURL()`)) as string;
  return url.slice(url.indexOf(',') + 1);
}

/** Writes the picture to `path`: transparent, two image px per CSS px. */
export async function takeCharacters(overlay: OverlayPage, path: string): Promise<void> {
  const isDefault = ({ id }: CharacterManifest): number => (id === DEFAULT_CHARACTER ? 1 : 0);
  const manifests = [...builtInManifests()].sort((a, b) => isDefault(b) - isDefault(a));
  await overlay.reopen({ scale: SCALE, reducedMotion: true });
  const figures: string[] = [];
  for (const manifest of manifests)
    for (const clip of [IDLE_CLIP, OWN[manifest.id] ?? 'greet']) figures.push(await takeStill(overlay, manifest, clip));
  const { w, h } = manifests[0]!.canvas;
  const { page } = overlay;
  await page.goto('about:blank');
  await page.setViewport({ width: figures.length * w, height: h, deviceScaleFactor: SCALE });
  const images = figures.map((data) => `<img width="${w}" height="${h}" src="data:image/png;base64,${data}">`);
  await page.setContent(`<style>body{margin:0;display:flex}</style>${images.join('')}`);
  writeFileSync(path, await page.screenshot({ omitBackground: true }));
  console.log(`All characters in ${path}`);
}
