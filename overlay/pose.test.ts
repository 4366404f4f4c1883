/** Where frames of every kind come to lie: cells with gaps, trimmed and turned rectangles, anchors of their own, mirrors. */
import { describe, expect, test } from 'vitest';
import type { Frame } from '../server/protocol/character.ts';
import { keyOf, poseOf } from './pose.ts';

const figure = {
  canvas: { w: 50, h: 60, scale: 2, scaling: 'smooth' },
  anchor: { x: 0.5, y: 1 },
  images: [
    { id: 'plain', file: 'a.png', w: 300, h: 240, grid: { columns: 3, rows: 2, cellW: 100, cellH: 120 } },
    {
      id: 'gaps',
      file: 'b.png',
      w: 330,
      h: 260,
      grid: { columns: 3, rows: 2, cellW: 100, cellH: 120, margin: 4, spacing: 7 },
    },
    { id: 'free', file: 'c.png', w: 300, h: 300 },
  ],
} as const;
const at = (frame: Omit<Frame, 'duration'>) => poseOf(figure, { ...frame, duration: 100 });
const box = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });

describe('a cell', () => {
  test('fills the canvas', () => {
    expect(at({ image: 'plain', cell: 4 })).toEqual({
      from: box(100, 120, 100, 120),
      rotated: false,
      mirror: false,
      to: box(0, 0, 100, 120),
    });
  });

  test('is found between margin and spacing', () => {
    expect(at({ image: 'gaps', cell: 0 }).from).toEqual(box(4, 4, 100, 120));
    expect(at({ image: 'gaps', cell: 5 }).from).toEqual(box(218, 131, 100, 120));
  });

  test('with an anchor of its own is moved so that it stands on the figure’s', () => {
    expect(at({ image: 'plain', cell: 0, anchor: { x: 0.25, y: 0.5 } }).to).toEqual(box(25, 60, 100, 120));
  });

  test('is mirrored about its anchor', () => {
    expect(at({ image: 'plain', cell: 0, mirror: true }).to).toEqual(box(0, 0, 100, 120));
    expect(at({ image: 'plain', cell: 0, mirror: true, anchor: { x: 0.25, y: 1 } }).to).toEqual(box(-25, 0, 100, 120));
  });
});

describe('a rectangle', () => {
  test('stands with its anchor on the figure’s', () => {
    expect(at({ image: 'free', frame: box(10, 20, 40, 80) })).toMatchObject({
      from: box(10, 20, 40, 80),
      to: box(30, 40, 40, 80),
    });
  });

  test('that was trimmed lies where it was before', () => {
    const frame = {
      image: 'free',
      frame: box(10, 20, 30, 50),
      sourceSize: { w: 60, h: 100 },
      spriteSourceSize: box(20, 40, 30, 50),
    };
    expect(at(frame).to).toEqual(box(40, 60, 30, 50));
    expect(at({ ...frame, mirror: true }).to).toEqual(box(30, 60, 30, 50));
    expect(at({ ...frame, anchor: { x: 0, y: 0 } }).to).toEqual(box(70, 160, 30, 50));
  });

  test('that was turned has its sides exchanged in the image only', () => {
    expect(at({ image: 'free', frame: box(10, 20, 40, 80), rotated: true })).toEqual({
      from: box(10, 20, 80, 40),
      rotated: true,
      mirror: false,
      to: box(30, 40, 40, 80),
    });
  });

  test('comes to lie on whole pixels', () => {
    expect(at({ image: 'free', frame: box(0, 0, 33, 41) }).to).toEqual(box(34, 79, 33, 41));
  });
});

test('what looks alike has one name, however long it shows', () => {
  const frame = { image: 'free', frame: box(1, 2, 3, 4), duration: 100 };
  expect(keyOf({ ...frame, duration: 900 })).toBe(keyOf(frame));
  const others: readonly Frame[] = [
    { ...frame, mirror: true },
    { ...frame, rotated: true },
    { ...frame, anchor: { x: 0, y: 0 } },
    { ...frame, frame: box(1, 2, 3, 5) },
    { image: 'free', cell: 1, duration: 100 },
    { image: 'plain', cell: 1, duration: 100 },
  ];
  expect(new Set([frame, ...others].map(keyOf)).size).toBe(others.length + 1);
});
