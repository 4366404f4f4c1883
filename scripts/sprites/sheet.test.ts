/** Cells are shared, frames keep their order, and the drawings are the same each time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CLIPS } from './clips.ts';
import { CANVAS, drawFigure } from './figure.ts';
import { cutIcon } from './icon.ts';
import { toManifest } from './manifest.ts';
import { shot } from './pose.ts';
import { layOut } from './sheet.ts';

test('equal poses share a cell, in whatever clip they stand', () => {
  const one = shot(100, { y: 1 });
  const other = shot(100, { y: 2 });
  const clips = {
    a: { shots: [one, other, one], loop: true, stillFrame: 0 },
    b: { shots: [other], loop: false, stillFrame: 0 },
  };
  const sheet = layOut(clips, ({ y }) => `drawing ${y}`);
  expect(sheet.cells).toEqual(['drawing 1', 'drawing 2']);
  expect(sheet.clips.map(({ cells }) => cells)).toEqual([[0, 1, 0], [1]]);
  expect(sheet.rows).toBe(1);
});

test('the checked-in manifest is the one the clips give', async () => {
  const { default: checkedIn } = await import('../../overlay/characters/builtin.nib/character.json');
  expect(checkedIn).toEqual(toManifest(layOut(CLIPS, drawFigure), CANVAS, 2));
});

test('the checked-in icon is cut from the checked-in sheet', () => {
  const overlay = join(import.meta.dirname, '..', '..', 'overlay');
  const icon = cutIcon(readFileSync(join(overlay, 'characters', 'builtin.nib', 'sheet.png')), CANVAS * 2);
  expect(icon.equals(readFileSync(join(overlay, 'icon.png')))).toBe(true);
});
