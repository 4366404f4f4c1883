import { describe, expect, it } from 'vitest';
import { roomFor } from './room.ts';

const FIGURE = { width: 192, height: 208 };
const AREA = { x: -1920, y: 100, width: 1920, height: 1000 };
const EDGE = 16;
const CARD = 420;
const room = (x: number, y: number, area = AREA) => roomFor({ x, y }, FIGURE, area, EDGE, CARD);

describe('room for cards', () => {
  it.each([
    ['on the floor at the right', -96, 1100, { stack: 'above', align: 'end', roomPx: 1000 }],
    ['on the floor at the left', -1800, 1100, { stack: 'above', align: 'start', roomPx: 1000 }],
    ['in the middle', -960, 600, { stack: 'below', align: 'end', roomPx: 208 + 500 + EDGE }],
    ['at the top', -960, 308, { stack: 'below', align: 'end', roomPx: 1000 }],
  ] as const)('%s', (_what, x, y, expected) => {
    expect(room(x, y)).toEqual(expected);
  });

  it('is above as soon as a tall card fits there, though there is more room below', () => {
    const tall = { ...AREA, height: 3000 };
    const high = 100 + 208 + EDGE + CARD;
    expect(room(-960, high, tall)).toEqual({ stack: 'above', align: 'end', roomPx: high - 100 + EDGE });
    expect(room(-960, high - 1, tall).stack).toBe('below');
  });

  it('is on the larger side where a tall card fits on neither', () => {
    const low = { x: 0, y: 0, width: 800, height: 600 };
    expect(room(400, 500, low).stack).toBe('above');
    expect(room(400, 350, low)).toEqual({ stack: 'below', align: 'end', roomPx: 208 + 250 + EDGE });
  });

  it('is never more than the work area', () => {
    for (let y = 308; y <= 1100; y += 11) expect(room(-500, y).roomPx).toBeLessThanOrEqual(AREA.height);
  });
});
