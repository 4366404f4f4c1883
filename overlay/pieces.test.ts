import { describe, expect, it } from 'vitest';
import { boxPiece, common, isWithin, toDevice } from './pieces.ts';

const PAGE = { left: 0, top: 0, right: 400, bottom: 300 };
const edges = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });

describe('a box in device pixels', () => {
  it.each([
    [1, { x: 10, y: 21, width: 101, height: 30 }],
    [1.5, { x: 15, y: 31, width: 152, height: 45 }],
    [2, { x: 20, y: 41, width: 203, height: 60 }],
  ])('at %d has each edge rounded by itself', (ratio, box) => {
    expect(toDevice(edges(10, 20.5, 111.4, 50.6), ratio)).toEqual(box);
  });

  it('touches what it touched before', () => {
    const [upper, lower] = [edges(0, 0, 10, 20.3), edges(0, 20.3, 10, 40)].map((box) => toDevice(box, 1.25));
    expect(upper!.y + upper!.height).toBe(lower!.y);
  });
});

describe('what is common to boxes', () => {
  it('is where all of them are, or nothing', () => {
    expect(common(edges(0, 0, 10, 10), edges(5, -5, 20, 8))).toEqual(edges(5, 0, 10, 8));
    expect(common(edges(0, 0, 10, 10), edges(10, 0, 20, 10))).toBeNull();
  });

  it('is all of a box within another one, give or take half a pixel', () => {
    expect(isWithin(edges(0, -0.4, 10, 10), PAGE)).toBe(true);
    expect(isWithin(edges(0, -0.6, 10, 10), PAGE)).toBe(false);
  });
});

describe('a piece', () => {
  it('has the box and the radii in device pixels', () => {
    expect(boxPiece(edges(10, 10, 110, 60), [8, 8, 2, 8], PAGE, 2)).toEqual({
      kind: 'box',
      x: 20,
      y: 20,
      width: 200,
      height: 100,
      radii: [16, 16, 4, 16],
    });
  });

  it('has radii as a browser draws them where they do not fit', () => {
    const piece = boxPiece(edges(0, 0, 40, 20), [30, 30, 30, 30], PAGE, 1);
    expect(piece).toMatchObject({ radii: [10, 10, 10, 10] });
  });

  it('is cut off where the page cuts it off, and keeps its radii, so that no corner is bared', () => {
    expect(boxPiece(edges(350, 10, 450, 60), [8, 8, 8, 8], PAGE, 1)).toEqual({
      kind: 'box',
      x: 350,
      y: 10,
      width: 50,
      height: 50,
      radii: [8, 8, 8, 8],
    });
  });

  it('is nothing when it is out of sight, or only a strip of it is left', () => {
    expect(boxPiece(edges(0, 310, 100, 360), [8, 8, 8, 8], PAGE, 1)).toBeNull();
    expect(boxPiece(edges(0, 290, 100, 360), [8, 8, 8, 8], PAGE, 1)).toBeNull();
    expect(boxPiece(edges(0, 280, 100, 360), [8, 8, 8, 8], PAGE, 1)).not.toBeNull();
  });
});
