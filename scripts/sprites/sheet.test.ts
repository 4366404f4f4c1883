/** Cells are shared where that costs no waiting, frames keep their order, and what is checked in is what the sources give. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_CHARACTER } from '../../server/protocol/settings.ts';
import { CHARACTERS } from './characters.ts';
import type { DrawnClip } from './drawn.ts';
import { cutIcon } from './icon.ts';
import { toManifest } from './manifest.ts';
import { layOut } from './sheet.ts';

const overlay = join(import.meta.dirname, '..', '..', 'overlay');
const drawn = (loop: boolean, ...drawings: readonly string[]): DrawnClip => ({
  frames: drawings.map((drawing) => ({ drawing, ms: 100 })),
  loop,
  stillFrame: 0,
});

describe('layOut', () => {
  const { sheets, clips } = layOut({
    idle: drawn(true, 'a', 'b', 'a'),
    hop: drawn(false, 'a', 'c', 'd'),
    skip: drawn(true, 'd', 'd'),
    stand: drawn(true, 'b'),
  });
  const placesOf = (name: string) => clips[name]!.frames.map(({ image, cell }) => `${image} ${cell}`);

  test('gives equal drawings of one clip the same cell', () => {
    expect(placesOf('idle')).toEqual(['idle 0', 'idle 1', 'idle 0']);
    expect(placesOf('skip')).toEqual(['skip 0', 'skip 0']);
  });

  test('takes from the sheet of idle what is there, and from no other', () => {
    expect(placesOf('hop')).toEqual(['idle 0', 'hop 0', 'hop 1']);
    expect(placesOf('stand')).toEqual(['idle 1']);
    expect(sheets.map(({ name, cells }) => [name, ...cells])).toEqual([
      ['idle', 'a', 'b'],
      ['hop', 'c', 'd'],
      ['skip', 'd'],
    ]);
  });

  test('lets a finite clip be followed by idle', () => {
    expect(clips.hop!.fallback).toBe('idle');
    expect(clips.skip!.fallback).toBeUndefined();
  });
});

test.each(CHARACTERS.map((character) => [character.facts.id, character] as const))(
  'the checked-in manifest of %s is the one its sources give',
  (id, character) => {
    const checkedIn: unknown = JSON.parse(readFileSync(join(overlay, 'characters', id, 'character.json'), 'utf8'));
    expect(checkedIn).toEqual(toManifest(character, layOut(character.clips)));
  },
);

test('the checked-in icon is cut from the checked-in sheet', () => {
  const { w, scale } = CHARACTERS.find(({ facts }) => facts.id === DEFAULT_CHARACTER)!.facts.canvas;
  const icon = cutIcon(readFileSync(join(overlay, 'characters', DEFAULT_CHARACTER, 'idle.png')), w * scale);
  expect(icon.equals(readFileSync(join(overlay, 'icon.png')))).toBe(true);
});
