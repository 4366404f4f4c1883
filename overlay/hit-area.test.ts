/** The part of a figure that takes the pointer, as shares of its canvas. */
import { expect, test } from 'vitest';
import { hitInset } from './hit-area.ts';

const canvas = { w: 200, h: 100, scale: 2, scaling: 'smooth' } as const;

test('is told by what lies outside of it', () => {
  expect(hitInset({ canvas, hitArea: { x: 20, y: 10, w: 100, h: 40 } })).toBe('10% 40% 50% 10%');
});

test('is all of it where the character says nothing', () => {
  expect(hitInset({ canvas })).toBeNull();
});
