/** The built-in characters as they are shipped: manifest, sheets and what the overlay leans on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import type { Character, Frame } from '../protocol/character.ts';
import { DEFAULT_CHARACTER } from '../protocol/settings.ts';
import { loadCharacters } from './load.ts';

const shipped = loadCharacters(join(import.meta.dirname, '..', '..', 'overlay', 'characters'));
/** Fainter than this is shadow or the last breath of a soft edge. */
const VISIBLE_ALPHA = 128;
const MAX_SHEET_BYTES = 1_000_000;
/** A sheet holds the cells of one clip; this many are decoded within a few milliseconds. */
const MAX_SHEET_CELLS = 16;
const CAPABILITIES = ['greet', 'celebrate', 'work', 'think', 'wait', 'fail', 'sleep'].map(
  (name) => `animation.${name}`,
);

interface Bounds {
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
}

/** Bounds of what shows in the cell of `frame`, in image px from the cell's corner; null when nothing does. */
type Measure = (frame: Frame, minAlpha: number) => Bounds | null;

function measureOf({ manifest }: Character, sheets: ReadonlyMap<string, PNG>): Measure {
  return ({ image, cell }, minAlpha) => {
    const { columns, cellW, cellH } = manifest.images.find(({ id }) => id === image)!.grid!;
    const sheet = sheets.get(image)!;
    const [left, top] = [(cell! % columns) * cellW, Math.floor(cell! / columns) * cellH];
    let bounds: Bounds | null = null;
    for (let y = 0; y < cellH; y += 1)
      for (let x = 0; x < cellW; x += 1) {
        if (sheet.data[((top + y) * sheet.width + left + x) * 4 + 3]! < minAlpha) continue;
        const { minX, maxX, minY }: Omit<Bounds, 'maxY'> = bounds ?? { minX: x, maxX: x, minY: y };
        bounds = { minX: Math.min(minX, x), maxX: Math.max(maxX, x), minY, maxY: y };
      }
    return bounds;
  };
}

test('every pack that is shipped can be used, and the default one is among them', () => {
  expect(shipped.unavailable).toEqual([]);
  expect(shipped.characters.map(({ manifest }) => manifest.id)).toContain(DEFAULT_CHARACTER);
});

describe.each(shipped.characters.map((character) => [character.manifest.id, character] as const))(
  '%s',
  (_, character) => {
    const { manifest, folder } = character;
    const files = new Map(manifest.images.map(({ id, file }) => [id, readFileSync(join(folder, file))]));
    const sheets = new Map([...files].map(([id, bytes]) => [id, PNG.sync.read(bytes)]));
    const measure = measureOf(character, sheets);
    const clips = Object.entries(manifest.clips);
    const cellsOf = (frames: readonly Frame[]) => new Set(frames.map(({ image, cell }) => `${image} ${cell}`));

    test('has sheets of the sizes the manifest states, small enough to be shipped and soon decoded', () => {
      for (const { id, w, h, grid } of manifest.images) {
        expect([sheets.get(id)!.width, sheets.get(id)!.height], id).toEqual([w, h]);
        expect(files.get(id)!.length, id).toBeLessThanOrEqual(MAX_SHEET_BYTES);
        expect(grid!.columns * grid!.rows, id).toBeLessThanOrEqual(MAX_SHEET_CELLS);
      }
    });

    test('needs for a clip no sheet but its own and the one of idle', () => {
      for (const [name, { frames }] of clips)
        for (const { image } of frames) expect(['idle', name], name).toContain(image);
    });

    test('is to be seen in every frame, and touches the edge of no cell', () => {
      for (const [name, { frames }] of clips)
        for (const frame of frames) {
          const bounds = measure(frame, 1);
          expect(bounds, `${name} ${frame.cell}`).not.toBeNull();
          const { cellW, cellH } = manifest.images.find(({ id }) => id === frame.image)!.grid!;
          const { minX, minY, maxX, maxY } = bounds!;
          const room = Math.min(minX, minY, cellW - 1 - maxX, cellH - 1 - maxY);
          expect(room, `${name} ${frame.cell}`).toBeGreaterThanOrEqual(1);
        }
    });

    test('is at rest at least 96 device pixels tall on an ordinary screen and fills its content box', () => {
      const { scale, h } = manifest.canvas;
      const idle = manifest.clips.idle!;
      const { minX, minY, maxX, maxY } = measure(idle.frames[idle.stillFrame]!, VISIBLE_ALPHA)!;
      expect((maxY + 1 - minY) / scale).toBeGreaterThanOrEqual(96);
      expect(h).toBeLessThanOrEqual(128);
      const { contentBox: box } = manifest;
      const edges = [box.x, box.y, box.x + box.w, box.y + box.h];
      const seen = [minX / scale, minY / scale, (maxX + 1) / scale, (maxY + 1) / scale];
      for (const [index, edge] of edges.entries()) expect(Math.abs(edge - seen[index]!)).toBeLessThanOrEqual(4);
    });

    test('blinks when idle, and changes at most twice a second on average', () => {
      const { frames } = manifest.clips.idle!;
      const totalMs = frames.reduce((sum, { duration }) => sum + duration, 0);
      expect(cellsOf(frames).size).toBeGreaterThanOrEqual(4);
      expect(totalMs / frames.length).toBeGreaterThanOrEqual(500);
    });

    test.each(['idle', 'drag', 'rest', 'look', 'enter'])('has a clip %s', (name) => {
      expect(Object.hasOwn(manifest.clips, name)).toBe(true);
    });

    test('has for each capability a clip of its own that moves', () => {
      const entries = Object.values(manifest.capabilities);
      expect(new Set(entries.map(({ clip }) => clip)).size).toBe(entries.length);
      for (const { clip, basis } of entries) {
        expect(basis).toBe('declared');
        expect(cellsOf(manifest.clips[clip]!.frames).size, clip).toBeGreaterThanOrEqual(5);
      }
    });

    test.each(CAPABILITIES)('shows %s itself, or says what it does instead', (capability) => {
      const can = { ...manifest.capabilities, ...manifest.substitutes };
      expect(Object.hasOwn(can, capability)).toBe(true);
    });

    test('has no round of a clip that is longer than an animation may run', () => {
      for (const [name, { frames }] of clips)
        expect(
          frames.reduce((sum, { duration }) => sum + duration, 0),
          name,
        ).toBeLessThanOrEqual(20_000);
    });
  },
);
