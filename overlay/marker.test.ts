import { describe, expect, it } from 'vitest';
import { MAX_GENERATION } from '../server/protocol/window.ts';
import { markerColour, nextGeneration } from './marker.ts';

describe('generations', () => {
  it('begin with 1, and begin again after the last one', () => {
    expect(nextGeneration(0)).toBe(1);
    expect(nextGeneration(1)).toBe(2);
    expect(nextGeneration(MAX_GENERATION)).toBe(1);
  });

  it('are told by green and blue, the high byte first', () => {
    expect(markerColour(0x1234)).toBe(`rgb(197 ${0x12} ${0x34})`);
    expect(markerColour(7)).toBe('rgb(197 0 7)');
  });
});
