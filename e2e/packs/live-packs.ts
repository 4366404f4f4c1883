/** Packs for a companion that runs: good ones by the library, hostile ones put in place by hand, as a user or a program might. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { openLibrary } from '../../server/packs/library.ts';
import type { Library, Steering } from '../../server/packs/types.ts';
import type { CharacterManifest } from '../../server/protocol/character.ts';
import { type LaunchedCompanion, until } from '../harness.ts';
import { newFolder } from './library.ts';

export const GHOST = 'org.example.ghost';
export const SPIN = 'vendor.org.example.spin';

const CELL = 32;
const quiet: Steering = {
  signal: new AbortController().signal,
  unpaused: async () => {},
  onDownloads: () => {},
  onPack: () => {},
};

/** A figure that greets, spins (its own word), and says it would greet to celebrate; its two cells are of one colour. */
export const ghost = (changes: Partial<CharacterManifest> = {}): CharacterManifest => ({
  schema: 'desktop-companion.character/1',
  id: GHOST,
  version: '1.0.0',
  displayName: { default: 'Ghost', zh: '幽灵' },
  description: { default: 'It haunts.' },
  authors: [{ name: 'The companion project' }],
  license: 'MIT',
  canvas: { w: CELL, h: CELL, scale: 1, scaling: 'pixelated' },
  anchor: { x: 0.5, y: 1 },
  contentBox: { x: 0, y: 0, w: CELL, h: CELL },
  images: [
    {
      id: 'main',
      file: 'sheet.png',
      w: 2 * CELL,
      h: CELL,
      grid: { columns: 2, rows: 1, cellW: CELL, cellH: CELL },
    },
  ],
  clips: {
    idle: { frames: [{ image: 'main', cell: 0, duration: 1_000 }], loop: true, stillFrame: 0 },
    spin: {
      frames: [
        { image: 'main', cell: 1, duration: 100 },
        { image: 'main', cell: 0, duration: 100 },
      ],
      loop: false,
      stillFrame: 0,
      fallback: 'idle',
    },
  },
  capabilities: {
    'animation.greet': { clip: 'spin', basis: 'declared' },
    [SPIN]: { clip: 'spin', basis: 'declared' },
  },
  declares: { [SPIN]: { description: { default: 'Spins round.' } } },
  substitutes: { 'animation.celebrate': { capability: 'animation.greet', reason: 'A ghost only greets.' } },
  ...changes,
});

/** Red, green, blue. */
export type Colour = readonly [number, number, number];

/** A sheet for two cells, all in one colour. */
export function sheetOf(colour: Colour): Buffer {
  const png = new PNG({ width: 2 * CELL, height: CELL });
  for (let at = 0; at < png.data.length; at += 4) png.data.set([...colour, 255], at);
  return PNG.sync.write(png);
}

/** Writes a pack into a folder of its own; returns that. */
export function writePack(manifest: unknown, files: Readonly<Record<string, Buffer>>): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'character.json'), typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  return folder;
}

export const dataFolderOf = ({ env }: LaunchedCompanion): string => join(env.XDG_DATA_HOME!, 'companion');
export const libraryOf = (companion: LaunchedCompanion): Library => openLibrary(dataFolderOf(companion));

/** Installs a good pack the proper way, into the active wardrobe. */
export async function install(
  companion: LaunchedCompanion,
  manifest: CharacterManifest,
  colour: Colour,
): Promise<void> {
  const path = writePack(manifest, { 'sheet.png': sheetOf(colour) });
  await libraryOf(companion).adopt({ kind: 'path', path }, { use: true }, quiet);
}

/** Puts whatever is in `folder` where a pack of that ID and version belongs, and has the wardrobe hold it; nobody checks it. */
export function putByHand(companion: LaunchedCompanion, id: string, folder: string, version = '1.0.0'): void {
  const data = dataFolderOf(companion);
  const place = join(data, 'packs', id, version);
  mkdirSync(join(place, '..'), { recursive: true });
  rmSync(place, { recursive: true, force: true });
  renameSync(folder, place);
  const wardrobe = join(data, 'wardrobes', 'default', 'wardrobe.json');
  const before = JSON.parse(readFileSync(wardrobe, 'utf8')) as { packs: object; current: string | null };
  writeFileSync(`${wardrobe}.new`, JSON.stringify({ ...before, packs: { ...before.packs, [id]: version } }));
  renameSync(`${wardrobe}.new`, wardrobe);
}

/** Waits until the figure on the screen is that character, with nothing but its idle clip. */
export const figureIs = ({ page }: LaunchedCompanion, id: string): Promise<unknown> =>
  page.waitForSelector(`.figure canvas[data-character="${id}"][data-clip="idle"]`);

/** The colour of the figure's middle. */
export const colourOf = ({ page }: LaunchedCompanion): Promise<Colour> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('.figure canvas');
    return [...canvas.getContext('2d').getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data].slice(0, 3);
  })()`) as Promise<Colour>;

/** Waits until the figure has that colour. */
export const colourIs = (companion: LaunchedCompanion, colour: Colour): Promise<unknown> =>
  until(`the figure is ${colour}`, async () => String(await colourOf(companion)) === String(colour), 15_000);
