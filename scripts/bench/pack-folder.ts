/** Character packs made for measuring: their pictures, their manifests, and users who have them installed. */
import { execFile } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import type { CharacterManifest } from '../../server/protocol/character.ts';
import { CLI } from './programs.ts';
import { folders } from './serve.ts';

/** One image of a pack: a grid of square cells. */
export interface Sheet {
  readonly columns: number;
  readonly rows: number;
  readonly cellPx: number;
  readonly png: Buffer;
}

type Paint = (pixels: Buffer, width: number) => void;

function paintSheet(columns: number, rows: number, cellPx: number, paint: Paint): Sheet {
  const png = new PNG({ width: columns * cellPx, height: rows * cellPx });
  paint(png.data, png.width);
  return { columns, rows, cellPx, png: PNG.sync.write(png) };
}

/** A sheet that nothing makes smaller: as many bytes in the file as in its pixels. */
export const noiseSheet = (columns: number, rows: number, cellPx: number): Sheet =>
  paintSheet(columns, rows, cellPx, (pixels) => randomFillSync(pixels));

/**
 * A sheet with a round figure in each cell, on nothing: `flat` in a few tones with soft edges, as our own are drawn; else in
 * so many that the file is as large as those of painted figures.
 */
export const figureSheet = (columns: number, rows: number, cellPx: number, flat: boolean): Sheet =>
  paintSheet(columns, rows, cellPx, (pixels, width) => {
    const middle = cellPx / 2;
    for (let at = 0; at < pixels.length; at += 4) {
      const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
      const away = Math.hypot((x % cellPx) - middle, (y % cellPx) - middle) / (middle * 0.8);
      const inside = Math.min(1, Math.max(0, (1 - away) * 24));
      const shade = 255 * (1 - (flat ? Math.floor(away * 6) / 6 : away) / 2);
      const grain = flat ? 0 : 8 * Math.sin(x / 5) + (y % cellPx) / 4;
      pixels.set([shade, shade * 0.7, 120 + grain, 255 * inside], at);
    }
  });

/** Writes a pack with these sheets into a folder of its own below `root`; gives that folder. The figure is shown at half of its pixels. */
export function writePack(root: string, id: string, sheets: readonly Sheet[]): string {
  const folder = join(root, id);
  mkdirSync(folder, { recursive: true });
  const side = sheets[0]!.cellPx / 2;
  const frames = [0, 1].map((cell) => ({ image: 'sheet0', cell, duration: 400 }));
  const manifest: CharacterManifest = {
    schema: 'desktop-companion.character/1',
    id,
    version: '1.0.0',
    displayName: { default: `Pack ${id.split('.').at(-1)}` },
    description: { default: 'A pack made for measuring.' },
    authors: [{ name: 'The companion project' }],
    license: 'MIT',
    canvas: { w: side, h: side, scale: 2, scaling: 'smooth' },
    anchor: { x: 0.5, y: 1 },
    contentBox: { x: 0, y: 0, w: side, h: side },
    images: sheets.map(({ columns, rows, cellPx }, index) => ({
      id: `sheet${index}`,
      file: `sheet${index}.png`,
      w: columns * cellPx,
      h: rows * cellPx,
      grid: { columns, rows, cellW: cellPx, cellH: cellPx },
    })),
    clips: {
      idle: { frames, loop: true, stillFrame: 0 },
      hop: { frames: [...frames].reverse(), loop: false, stillFrame: 0, fallback: 'idle' },
    },
    capabilities: { 'animation.greet': { clip: 'hop', basis: 'declared' } },
    substitutes: {},
  };
  writeFileSync(join(folder, 'character.json'), JSON.stringify(manifest));
  for (const [index, { png }] of sheets.entries()) writeFileSync(join(folder, `sheet${index}.png`), png);
  return folder;
}

const MAX_OUT_BYTES = 64 * 1_024 * 1_024;

/** Runs the program to its end; gives what it printed. Throws with the end of that when it fails. */
const runCli = (words: readonly string[], env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(process.execPath, [CLI, ...words], { env, maxBuffer: MAX_OUT_BYTES }, (error, out) => {
      if (error === null) resolve(out);
      else reject(new Error(`${words.slice(0, 2).join(' ')} ended with ${error.code}: ${out.slice(-200)}`));
    });
  });

/** Somebody with folders of their own, who runs the program. */
export interface PackUser {
  readonly env: NodeJS.ProcessEnv;
  readonly dataFolder: string;
  /** Runs `companion interface` with these words; gives what it printed. Throws when it fails. */
  speak(...words: readonly string[]): Promise<string>;
}

export function packUser(home: string): PackUser {
  const own = folders(home);
  mkdirSync(home, { recursive: true });
  const env = { ...process.env, ...own };
  const dataFolder = join(own.XDG_DATA_HOME!, 'companion');
  return { env, dataFolder, speak: (...words) => runCli(['interface', ...words], env) };
}

/** Makes an index of the packs in `folder`. */
export const makeIndex = (folder: string): Promise<string> => runCli(['packs', 'index', folder], process.env);

/** From then on the user's packs come from the index at `folder`. */
export const addIndex = (user: PackUser, folder: string): Promise<string> =>
  user.speak('add_repo', '--args', JSON.stringify({ name: 'bench', url: folder }));

export const installArgs = (ids: readonly string[]): readonly string[] => {
  const targets = ids.map((id) => id.replace(/\.([^.]+)$/, ':$1'));
  return ['install_packages', '--args', JSON.stringify({ targets, yes: true })];
};
