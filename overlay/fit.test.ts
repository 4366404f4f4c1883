import { expect, it } from 'vitest';
import { nextTurned } from './fit.ts';

it('the user turns to one after the other of those that have no room, then to those who wait elsewhere', () => {
  expect(nextTurned(['a'], ['b', 'c'], [], true)).toEqual(['b', 'a']);
  expect(nextTurned(['b'], ['a', 'c'], ['b', 'a'], true)).toEqual(['c', 'b', 'a']);
  expect(nextTurned(['c'], ['a', 'b'], ['c', 'b', 'a'], true)).toBeNull();
});

it('where nobody waits elsewhere, it begins again with the one whose turn is longest ago', () => {
  expect(nextTurned(['c'], ['a', 'b'], ['c', 'b', 'a'], false)).toEqual(['a', 'c', 'b']);
});

it('who has gone is forgotten', () => {
  expect(nextTurned(['b'], ['c', 'd'], ['b', 'a'], true)).toEqual(['c', 'b']);
});

it('with nobody left out it is the host who turns', () => {
  expect(nextTurned(['a'], [], ['a'], false)).toBeNull();
});
