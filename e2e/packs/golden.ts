/** Pictures of every clip of the built-in characters, as the real page draws them, to be kept and compared. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import type { CharacterManifest, Clip } from '../../server/protocol/character.ts';
import { type OverlayPage, until } from '../overlay/page-driver.ts';
import { sceneOf } from '../overlay/page-scenes.ts';

/** Where the kept pictures are, one PNG a character. */
export const GOLDEN_FOLDER = join(process.cwd(), 'e2e/packs/golden');
/** Neither light nor dark, so that the rim and the shadow of a figure show both. */
const GROUND = '#6a7888';

export interface Shown {
  readonly clip: string;
  readonly moment: 'first' | 'middle';
  readonly picture: PNG;
}

/** The manifests of all built-in characters, as they are built into the page. */
export function builtInManifests(): readonly CharacterManifest[] {
  const folder = join(process.cwd(), 'dist/overlay/characters');
  return readdirSync(folder)
    .sort()
    .map((id) => JSON.parse(readFileSync(join(folder, id, 'character.json'), 'utf8')) as CharacterManifest);
}

/** Opens pages whose time stands still until it is moved; to be called once, before the page is loaded again. */
export async function stopTime({ page }: OverlayPage): Promise<void> {
  await page.evaluateOnNewDocument('window.now_ = 0; performance.now = () => window.now_;');
}

const middleOf = ({ frames }: Clip): number => Math.floor(frames.length / 2);

/** From the beginning of the clip to half-way through its frame `index`, in ms. */
const momentOf = ({ frames }: Clip, index: number): number =>
  frames.slice(0, index).reduce((sum, { duration }) => sum + duration, 0) + frames[index]!.duration / 2;

/** What the figure's canvas holds, as text that differs when a pixel does. */
const contentOf = ({ page }: OverlayPage): Promise<string> =>
  page.evaluate(`document.querySelector('canvas').toDataURL()`) as Promise<string>;

/** The page around the figure, at one image px per CSS px. */
async function pictureOf({ page }: OverlayPage): Promise<PNG> {
  const box = (await page.evaluate(`(() => {
    document.documentElement.style.background = '${GROUND}';
    const { x, y, width, height } = document.querySelector('canvas').getBoundingClientRect();
    return { x, y, width, height };
  })()`)) as { x: number; y: number; width: number; height: number };
  return PNG.sync.read(Buffer.from(await page.screenshot({ clip: box })));
}

/** Shows the first and the middle frame of `name`; the page's time must stand still. */
async function showClip(
  overlay: OverlayPage,
  { id, clips }: CharacterManifest,
  name: string,
): Promise<readonly Shown[]> {
  const clip = clips[name]!;
  await overlay.tell(sceneOf({ character: `/overlay/characters/${id}/`, mood: { clip: name, name: 'idle' } }));
  await overlay.page.waitForSelector(`[data-character="${id}"][data-clip="${name}"]`);
  const content = await contentOf(overlay);
  const first = await pictureOf(overlay);
  const index = middleOf(clip);
  const [from, to] = [clip.frames[0]!, clip.frames[index]!];
  await overlay.page.evaluate(`window.now_ += ${momentOf(clip, index)}`);
  if (from.image !== to.image || from.cell !== to.cell)
    await until(async () => (await contentOf(overlay)) !== content, `the middle of ${id} ${name}`);
  return [
    { clip: name, moment: 'first', picture: first },
    { clip: name, moment: 'middle', picture: await pictureOf(overlay) },
  ];
}

/** Plays every clip of a character in a page of its own whose time stands still. */
export async function showCharacter(overlay: OverlayPage, manifest: CharacterManifest): Promise<readonly Shown[]> {
  await overlay.reopen();
  const shown: Shown[] = [];
  for (const name of Object.keys(manifest.clips)) shown.push(...(await showClip(overlay, manifest, name)));
  return shown;
}

/** Steps between the shades that are kept, of 255: a third of the size, and far less than what counts as another colour. */
const SHADE = 15;

/** One row for each clip: its first frame, and its middle one. */
export function toGolden(shown: readonly Shown[]): Buffer {
  const { width, height } = shown[0]!.picture;
  const golden = new PNG({ width: width * 2, height: (height * shown.length) / 2 });
  for (const [at, { picture }] of shown.entries())
    PNG.bitblt(picture, golden, 0, 0, width, height, (at % 2) * width, Math.floor(at / 2) * height);
  for (const [at, value] of golden.data.entries()) golden.data[at] = Math.min(255, Math.round(value / SHADE) * SHADE);
  return PNG.sync.write(golden, { deflateLevel: 9, deflateStrategy: 0, filterType: 0, colorType: 2 });
}

/** How far a channel may be off before a pixel counts as another: what another renderer makes of the same edge. */
const SAME_WITHIN = 40;

/** How many pixels of `picture` are others in `golden`, in the place of number `at`; infinite where there is no such place. */
export function countOthers(picture: PNG, golden: PNG, at: number): number {
  const { width, height } = picture;
  const [left, top] = [(at % 2) * width, Math.floor(at / 2) * height];
  if (left + width > golden.width || top + height > golden.height) return Number.POSITIVE_INFINITY;
  let others = 0;
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [own, kept] = [(y * width + x) * 4, ((top + y) * golden.width + left + x) * 4];
      const isOther = [0, 1, 2].some(
        (channel) => Math.abs(picture.data[own + channel]! - golden.data[kept + channel]!) > SAME_WITHIN,
      );
      if (isOther) others += 1;
    }
  return others;
}
