/** A manifest that uses every field of the format once, for tests. */
import type { CharacterManifest } from '../protocol/character.ts';

export const FULL_MANIFEST: CharacterManifest = {
  schema: 'desktop-companion.character/1',
  id: 'org.example.terminal-ghost',
  version: '1.20.3',
  displayName: { default: 'شبح الطرفية 👻', zh: '终端幽灵' },
  description: { default: 'A friendly ghost.', zh: '友好的幽灵。' },
  authors: [{ name: 'Zoë Ångström' }],
  license: '(MIT OR CC-BY-4.0)',
  origin: { importer: 'codex-pet', importerVersion: 1, sourceId: '幽灵 | ghost', sourceSha256: '0f'.repeat(32) },
  requires: ['org.example.base', 'org.example.hats@1.2'],
  canvas: { w: 64, h: 48, scale: 2, scaling: 'pixelated' },
  anchor: { x: 0.5, y: 1 },
  contentBox: { x: 4, y: 4, w: 56, h: 44 },
  hitArea: { x: 8, y: 8, w: 48, h: 40 },
  bubbleAnchor: { x: 0.5, y: 0.1 },
  facing: 'left',
  images: [
    {
      id: 'grid',
      file: 'grid.webp',
      w: 267,
      h: 199,
      sha256: 'a0'.repeat(32),
      grid: { columns: 2, rows: 2, cellW: 128, cellH: 96, margin: 3, spacing: 4 },
    },
    { id: 'loose', file: 'loose.png', w: 100, h: 120 },
  ],
  sounds: [{ id: 'boo', file: 'boo.ogg' }],
  clips: {
    idle: { frames: [{ image: 'grid', cell: 3, duration: 1_000, mirror: true }], loop: true, stillFrame: 0 },
    float: {
      frames: [
        { image: 'grid', cell: 0, duration: 20, anchor: { x: 0.25, y: 0.75 } },
        {
          image: 'loose',
          frame: { x: 10, y: 0, w: 120, h: 90 },
          rotated: true,
          spriteSourceSize: { x: 8, y: 6, w: 120, h: 90 },
          sourceSize: { w: 128, h: 96 },
          duration: 60_000,
        },
        { image: 'loose', frame: { x: 0, y: 0, w: 1, h: 1 }, duration: 500 },
      ],
      loop: 3,
      loopStart: 1,
      stillFrame: 2,
      fallback: 'idle',
      sound: 'boo',
    },
  },
  capabilities: {
    'animation.greet': { clip: 'float', basis: 'named', styles: { comic: 'idle' } },
    'vendor.org.example.boo': { clip: 'float', basis: 'declared' },
  },
  declares: { 'vendor.org.example.boo': { description: { default: 'Says boo.', zh: '说嘘。' } } },
  styles: ['plain', 'comic'],
  substitutes: { 'animation.celebrate': { capability: 'animation.greet', reason: 'A ghost never dances.' } },
  vendor: { 'vendor.org.example': { anything: [1, null, 'x'] } },
};
