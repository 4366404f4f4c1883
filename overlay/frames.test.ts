/** Frame timing at the edges: first and last millisecond, rounds, for ever. */
import { describe, expect, test } from 'vitest';
import type { Clip } from '../server/protocol/character.ts';
import { countRounds, momentAt, roundsFor, totalMs } from './frames.ts';

const frame = (duration: number) => ({ image: 'main', cell: 0, duration });
const clip: Clip = { frames: [frame(100), frame(50), frame(200)], loop: true, stillFrame: 0 };
const single: Clip = { frames: [frame(500)], loop: true, stillFrame: 0 };
const forEver = Number.POSITIVE_INFINITY;

test('a round lasts as long as its frames together', () => {
  expect(totalMs(clip, 1)).toBe(350);
  expect(totalMs(clip, 3)).toBe(1_050);
});

describe('a clip whose later rounds begin further on', () => {
  const late: Clip = { ...clip, loopStart: 1 };

  test('lasts one whole round and the rest of each other one', () => {
    expect(totalMs(late, 1)).toBe(350);
    expect(totalMs(late, 3)).toBe(350 + 2 * 250);
    expect([1, 350, 351, 600, 601].map((ms) => roundsFor(late, ms))).toEqual([1, 1, 2, 2, 3]);
  });

  test.each([
    [99, 0, 1],
    [349, 2, 1],
    [350, 1, 50],
    [400, 2, 200],
    [599, 2, 1],
    [600, 1, 50],
  ])('at %d ms shows frame %d for %d ms more', (elapsedMs, index, nextMs) => {
    expect(momentAt(late, forEver, elapsedMs)).toEqual({ frame: index, nextMs, ended: false });
  });

  test('that stays on its last frame needs no timer for it but for the end', () => {
    const stays: Clip = { ...clip, loopStart: 2 };
    expect(momentAt(stays, forEver, 120)).toEqual({ frame: 1, nextMs: 30, ended: false });
    expect(momentAt(stays, forEver, 150)).toEqual({ frame: 2, nextMs: null, ended: false });
    expect(momentAt(stays, forEver, 99_999)).toEqual({ frame: 2, nextMs: null, ended: false });
    expect(momentAt(stays, 3, 400)).toEqual({ frame: 2, nextMs: 350, ended: false });
    expect(momentAt(stays, 3, 750)).toEqual({ frame: 2, nextMs: null, ended: true });
  });
});

test.each([
  [true, null, forEver],
  [false, null, 1],
  [3, null, 3],
  [true, 2, 2],
  [false, 4, 4],
] as const)('a clip that loops %j, asked for %j rounds, plays %d', (loop, loops, rounds) => {
  expect(countRounds({ ...clip, loop }, loops)).toBe(rounds);
});

describe('momentAt', () => {
  test.each([
    [0, 0, 100],
    [99, 0, 1],
    [100, 1, 50],
    [149.5, 1, 0.5],
    [150, 2, 200],
    [349, 2, 1],
    [350, 0, 100],
    [350 * 1000 + 100, 1, 50],
  ])('at %d ms shows frame %d for %d ms more', (elapsedMs, index, nextMs) => {
    expect(momentAt(clip, forEver, elapsedMs)).toEqual({ frame: index, nextMs, ended: false });
  });

  test('ends after its last round, on its last frame', () => {
    expect(momentAt(clip, 2, 699)).toEqual({ frame: 2, nextMs: 1, ended: false });
    expect(momentAt(clip, 2, 700)).toEqual({ frame: 2, nextMs: null, ended: true });
    expect(momentAt(clip, 2, 99_999)).toEqual({ frame: 2, nextMs: null, ended: true });
  });

  test('one endless frame never needs a timer, one finite frame only for its end', () => {
    expect(momentAt(single, forEver, 123_456)).toEqual({ frame: 0, nextMs: null, ended: false });
    expect(momentAt(single, 3, 600)).toEqual({ frame: 0, nextMs: 900, ended: false });
  });
});
