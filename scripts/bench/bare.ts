/** Bare Chromium windows to hold the product against: one still picture, or one clip drawn by a plain page timer. */
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { start } from './programs.ts';

/** Where a window stands on the screen, px. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The clip that is measured: 11 frames in 1,440 ms. */
export const CLIP = { capability: 'animation.celebrate', name: 'celebrate' } as const;
const GAP_PX = 10;
const CHARACTER = join(process.cwd(), 'overlay', 'characters', 'builtin.nib');

interface Manifest {
  readonly canvas: { readonly w: number; readonly h: number };
  readonly images: readonly {
    readonly id: string;
    readonly file: string;
    readonly grid: { readonly columns: number; readonly cellW: number; readonly cellH: number };
  }[];
  readonly clips: Readonly<
    Record<string, { readonly frames: readonly { image: string; cell: number; duration: number }[] }>
  >;
}

type Frames = Manifest['clips'][string]['frames'];

const page = (script: string): string => `<!doctype html><html lang="en"><meta charset="utf-8"><title>bare</title>
<style>html, body { margin: 0; background: #fff; } canvas { display: block; }</style><body><script>${script}</script>`;

/** Draws the frames on a canvas of the figure's size, one timer to the end of each. One frame: once, and no timer. */
const player = ({ canvas, images }: Manifest, frames: Frames): string => `
const frames = ${JSON.stringify(frames)};
const images = ${JSON.stringify(images.filter(({ id }) => frames.some(({ image }) => image === id)))};
const canvas = document.body.appendChild(document.createElement('canvas'));
canvas.width = ${canvas.w}; canvas.height = ${canvas.h};
const context = canvas.getContext('2d');
const sheets = {};
let at = 0, due = 0;
const draw = () => {
  const { image, cell, duration } = frames[at];
  const { columns, cellW, cellH } = images.find(({ id }) => id === image).grid;
  context.clearRect(0, 0, ${canvas.w}, ${canvas.h});
  context.drawImage(sheets[image], (cell % columns) * cellW, Math.floor(cell / columns) * cellH,
    cellW, cellH, 0, 0, ${canvas.w}, ${canvas.h});
  if (frames.length === 1) return;
  at = (at + 1) % frames.length;
  due += duration;
  setTimeout(draw, due - performance.now());
};
Promise.all(images.map(({ id, file }) => new Promise((resolve) => {
  sheets[id] = Object.assign(new Image(), { onload: resolve, src: file });
}))).then(() => { due = performance.now(); draw(); });`;

/** Writes the pages into `folder` and gives their addresses. */
export function writePages(folder: string): { readonly still: string; readonly clip: string } {
  const manifest = JSON.parse(readFileSync(join(CHARACTER, 'character.json'), 'utf8')) as Manifest;
  for (const { file } of manifest.images) copyFileSync(join(CHARACTER, file), join(folder, file));
  const write = (name: string, frames: Frames): string => {
    const path = join(folder, `${name}.html`);
    writeFileSync(path, page(player(manifest, frames)));
    return pathToFileURL(path).href;
  };
  return {
    still: write('still', manifest.clips.idle!.frames.slice(0, 1)),
    clip: write('clip', manifest.clips[CLIP.name]!.frames),
  };
}

/** Frames of the measured clip in a second. */
export function clipFramesPerSecond(): number {
  const { clips } = JSON.parse(readFileSync(join(CHARACTER, 'character.json'), 'utf8')) as Manifest;
  const { frames } = clips[CLIP.name]!;
  return (frames.length * 1000) / frames.reduce((sum, { duration }) => sum + duration, 0);
}

/**
 * Places for `count` more windows of the product's size, beside it: a window that another one covers is not drawn at all,
 * and rests. Evaluates `expression` in the product's page.
 */
export async function placesBeside(
  evaluate: (expression: string) => Promise<unknown>,
  count: number,
): Promise<readonly Place[]> {
  const page = (await evaluate(
    '({ x: screenX, width: innerWidth, height: innerHeight, screenWidth: screen.width })',
  )) as Place & { readonly screenWidth: number };
  const { width, height, screenWidth } = page;
  const isLeft = page.x + width / 2 < screenWidth / 2;
  const from = isLeft ? screenWidth - count * (width + GAP_PX) : 0;
  return Array.from({ length: count }, (_, at) => ({ x: from + at * (width + GAP_PX), y: 0, width, height }));
}

/** A page's window with the arguments of the product's own browser, a profile of its own, and nobody at its pipe. */
export function startLean(
  { program, args }: { readonly program: string; readonly args: readonly string[] },
  address: string,
  { folder, env, place }: { readonly folder: string; readonly env: NodeJS.ProcessEnv; readonly place: Place },
): ChildProcess {
  const profile = mkdtempSync(join(folder, 'profile-'));
  const replaced = {
    '--user-data-dir=': profile,
    '--app=': address,
    // Whoever looks for the product's window must not find this one.
    '--class=': 'bare',
    '--window-size=': `${place.width},${place.height}`,
    '--window-position=': `${place.x},${place.y}`,
  };
  const isReplaced = (arg: string): boolean => Object.keys(replaced).some((prefix) => arg.startsWith(prefix));
  const own = Object.entries(replaced).map(([prefix, value]) => prefix + value);
  const changed = [...args.filter((arg) => !isReplaced(arg)), ...own];
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
  return start(program, changed, { env: { ...env, HOME: profile }, stdio: [...stdio] });
}

/** A page's window as puppeteer starts a browser when nobody says anything else. */
export async function startDefault(
  program: string,
  address: string,
  { folder, env, place }: { readonly folder: string; readonly env: NodeJS.ProcessEnv; readonly place: Place },
): Promise<{ readonly browser: Browser; readonly page: Page; readonly pid: number }> {
  const profile = mkdtempSync(join(folder, 'profile-'));
  mkdirSync(profile, { recursive: true });
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : [];
  const browser = await launch({
    executablePath: program,
    headless: false,
    pipe: true,
    defaultViewport: null,
    userDataDir: profile,
    env: { ...env, HOME: profile } as Record<string, string>,
    args: [...sandbox, '--ozone-platform=x11', `--app=${address}`, `--window-size=${place.width},${place.height}`],
  });
  const target = await browser.waitForTarget((candidate) => candidate.type() === 'page');
  return { browser, page: (await target.page())!, pid: browser.process()!.pid! };
}
