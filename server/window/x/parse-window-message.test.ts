import { describe, expect, it } from 'vitest';
import type { PageToWindow } from '../../protocol/window.ts';
import { parseWindowMessage } from './parse-window-message.ts';

const shape: PageToWindow = {
  type: 'shape',
  generation: 7,
  width: 480,
  height: 900,
  pieces: [
    { kind: 'box', x: 12, y: -3, width: 360, height: 90, radii: [14, 14, 4, 14.5] },
    { kind: 'mask', mask: 'nib', x: 270, y: 690 },
  ],
  figure: { x: 270, y: 690, width: 192, height: 208 },
};
const good: readonly PageToWindow[] = [
  shape,
  { ...shape, pieces: [], figure: null },
  { type: 'mask', mask: 'nib', width: 2, height: 2, runs: 'BP8=' },
  { type: 'bounds', width: 320.5, height: 0 },
  { type: 'drag', phase: 'move', x: 300, y: 700 },
  { type: 'focus', on: true },
  { type: 'resetPosition' },
  { type: 'moveTo', monitor: 'HDMI-1' },
];

describe('a message of the page to its window', () => {
  it.each(good.map((message) => [message.type, message] as const))('%s is read', (_, message) => {
    expect(parseWindowMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['nothing known', '{"type":"toString"}'],
    ['a generation out of range', JSON.stringify({ ...shape, generation: 65_536 })],
    ['half a pixel', JSON.stringify({ ...shape, width: 1.5 })],
    ['a box without radii', JSON.stringify({ ...shape, pieces: [{ kind: 'box', x: 0, y: 0, width: 1, height: 1 }] })],
    ['a piece that is far away', JSON.stringify({ ...shape, pieces: [{ kind: 'mask', mask: 'a', x: 1e9, y: 0 }] })],
    ['too many pieces', JSON.stringify({ ...shape, pieces: Array.from({ length: 65 }, () => shape.pieces[1]) })],
    ['a picture that is too large', '{"type":"mask","mask":"a","width":16000,"height":16000,"runs":""}'],
    ['a phase nobody knows', '{"type":"drag","phase":"fly","x":1,"y":1}'],
  ])('%s is none', (_, json) => {
    expect(parseWindowMessage(json)).toBeNull();
  });
});
