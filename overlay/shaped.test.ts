import { describe, expect, it } from 'vitest';
import { figureLimit } from './shaped.ts';

describe('the largest figure', () => {
  it('leaves room for a card and for the edges', () => {
    expect(figureLimit({ width: 480, height: 760 })).toEqual({ width: 456, height: 566 });
  });

  it('keeps its share of a low room', () => {
    expect(figureLimit({ width: 480, height: 300 }).height).toBe(120);
  });

  it('is never nothing', () => {
    const { width, height } = figureLimit({ width: 0, height: 0 });
    expect(width).toBeGreaterThan(0);
    expect(height).toBeGreaterThan(0);
  });
});
