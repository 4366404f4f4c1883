/** A second, tiny character for tests: it lacks clips, declares a substitute, and guesses at one thing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import type { Character, CharacterManifest } from '../protocol/character.ts';

/** Can greet and work itself, celebrates by greeting if allowed, only guesses at sleep, and knows nothing else. */
export const TEST_MANIFEST: CharacterManifest = {
  schema: 'desktop-companion.character/1',
  id: 'test.dot',
  version: '0.1.0',
  displayName: { default: 'Dot', zh: '小点' },
  description: { default: 'A dot that can do little.' },
  authors: [{ name: 'The companion project' }],
  license: 'MIT',
  canvas: { w: 16, h: 16, scale: 1, scaling: 'pixelated' },
  anchor: { x: 0.5, y: 1 },
  contentBox: { x: 2, y: 2, w: 12, h: 12 },
  images: [{ id: 'main', file: 'sheet.png', w: 32, h: 16, grid: { columns: 2, rows: 1, cellW: 16, cellH: 16 } }],
  clips: {
    idle: { frames: [{ image: 'main', cell: 0, duration: 1_000 }], loop: true, stillFrame: 0 },
    hop: {
      frames: [
        { image: 'main', cell: 1, duration: 100 },
        { image: 'main', cell: 0, duration: 200 },
      ],
      loop: false,
      stillFrame: 0,
      fallback: 'idle',
    },
  },
  capabilities: {
    'animation.greet': { clip: 'hop', basis: 'declared' },
    'animation.work': { clip: 'idle', basis: 'named' },
    'animation.sleep': { clip: 'idle', basis: 'guessed' },
  },
  substitutes: { 'animation.celebrate': { capability: 'animation.greet', reason: 'Dot can only hop.' } },
};

export const testCharacter: Character = { manifest: TEST_MANIFEST, folder: '' };

/** Writes the pack `value` with a real sheet of the size TEST_MANIFEST states into `<root>/<id>`; returns that folder. */
export function writeTestCharacter(
  root: string,
  value: unknown = TEST_MANIFEST,
  id: string = TEST_MANIFEST.id,
): string {
  const folder = join(root, id);
  mkdirSync(folder, { recursive: true });
  const png = new PNG({ width: 32, height: 16 });
  png.data.fill(255);
  writeFileSync(join(folder, 'sheet.png'), PNG.sync.write(png));
  writeFileSync(join(folder, 'character.json'), JSON.stringify(value));
  return folder;
}
