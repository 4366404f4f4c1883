/** The built-in character as it is shipped: manifest, sheet and what the overlay leans on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import type { CharacterManifest } from '../protocol/character.ts';
import { DEFAULT_CHARACTER } from '../protocol/settings.ts';
import { loadCharacters } from './load.ts';

const folder = join(import.meta.dirname, '..', '..', 'overlay', 'characters');
const { characters, unavailable } = loadCharacters(folder);
const nib = characters.find(({ manifest }) => manifest.id === DEFAULT_CHARACTER);
const manifest = nib?.manifest as CharacterManifest;
const [image] = manifest.images;
const sheet = PNG.sync.read(readFileSync(join(folder, DEFAULT_CHARACTER, image?.file ?? '')));
/** Fainter than this is shadow or the last breath of a soft edge. */
const VISIBLE_ALPHA = 128;

/** Bounds of what shows in a cell, in image px from the cell's corner; null when nothing does. */
function boundsOf(cell: number, minAlpha: number) {
  const { columns, cellW, cellH } = image!.grid!;
  const [left, top] = [(cell % columns) * cellW, Math.floor(cell / columns) * cellH];
  const xs: number[] = [];
  const ys: number[] = [];
  for (let y = 0; y < cellH; y += 1)
    for (let x = 0; x < cellW; x += 1)
      if ((sheet.data[((top + y) * sheet.width + left + x) * 4 + 3] ?? 0) >= minAlpha) {
        xs.push(x);
        ys.push(y);
      }
  if (xs.length === 0) return null;
  const [minX, maxX] = [xs.reduce((a, b) => Math.min(a, b)), xs.reduce((a, b) => Math.max(a, b))];
  return { minX, maxX, minY: ys[0]!, maxY: ys.at(-1)! };
}

const clips = Object.entries(manifest.clips);
const usedCells = [...new Set(clips.flatMap(([, { frames }]) => frames.map(({ cell }) => cell!)))];

test('every pack that is shipped can be used', () => {
  expect(unavailable).toEqual([]);
  expect(nib).toBeDefined();
});

test('the sheet is one PNG of the size the manifest states, small enough to be shipped', () => {
  expect(manifest.images).toHaveLength(1);
  expect([sheet.width, sheet.height]).toEqual([image?.w, image?.h]);
  expect(readFileSync(join(folder, DEFAULT_CHARACTER, 'sheet.png')).length).toBeLessThan(1_500_000);
});

test('no frame is empty, and none touches the edge of its cell', () => {
  const { cellW, cellH } = image!.grid!;
  expect(usedCells.length).toBeGreaterThan(50);
  for (const cell of usedCells) {
    const bounds = boundsOf(cell, 1);
    expect(bounds, `cell ${cell}`).not.toBeNull();
    const { minX, minY, maxX, maxY } = bounds!;
    expect(Math.min(minX, minY, cellW - 1 - maxX, cellH - 1 - maxY), `cell ${cell}`).toBeGreaterThanOrEqual(1);
  }
});

test('the figure at rest is at least 96 device pixels tall on an ordinary screen and fills its content box', () => {
  const { scale, h } = manifest.canvas;
  const idle = manifest.clips.idle!;
  const { minX, minY, maxX, maxY } = boundsOf(idle.frames[idle.stillFrame]!.cell!, VISIBLE_ALPHA)!;
  expect((maxY + 1 - minY) / scale).toBeGreaterThanOrEqual(96);
  expect(h).toBeLessThanOrEqual(128);
  const { contentBox: box } = manifest;
  const edges = [box.x, box.y, box.x + box.w, box.y + box.h];
  const seen = [minX / scale, minY / scale, (maxX + 1) / scale, (maxY + 1) / scale];
  for (const [index, edge] of edges.entries()) expect(Math.abs(edge - seen[index]!)).toBeLessThanOrEqual(4);
});

test('idle blinks and changes at most twice a second on average', () => {
  const { frames } = manifest.clips.idle!;
  const totalMs = frames.reduce((sum, { duration }) => sum + duration, 0);
  expect(new Set(frames.map(({ cell }) => cell!)).size).toBeGreaterThanOrEqual(4);
  expect(totalMs / frames.length).toBeGreaterThanOrEqual(500);
});

test.each(['idle', 'drag', 'rest', 'look', 'enter'])('there is a clip %s', (name) => {
  expect(Object.hasOwn(manifest.clips, name)).toBe(true);
});

test('every capability has a clip of its own that moves', () => {
  const entries = Object.values(manifest.capabilities);
  expect(entries).toHaveLength(7);
  expect(new Set(entries.map(({ clip }) => clip)).size).toBe(7);
  for (const { clip, basis } of entries) {
    expect(basis).toBe('declared');
    expect(new Set(manifest.clips[clip]!.frames.map(({ cell }) => cell!)).size).toBeGreaterThanOrEqual(5);
  }
});

test('no round of a clip is longer than an animation may run', () => {
  for (const [name, { frames }] of clips)
    expect(
      frames.reduce((sum, { duration }) => sum + duration, 0),
      name,
    ).toBeLessThanOrEqual(20_000);
});
