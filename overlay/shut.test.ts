import { expect, it } from 'vitest';
import { isBrowserKey } from './shut.ts';

const keys = (key: string, held: readonly string[] = []) => ({
  key,
  ctrlKey: held.includes('Ctrl'),
  altKey: held.includes('Alt'),
  metaKey: held.includes('Meta'),
  shiftKey: held.includes('Shift'),
  getModifierState: (name: string) => held.includes(name),
});

it.each([
  ['ArrowLeft', ['Alt']],
  ['w', ['Ctrl']],
  ['W', ['Ctrl', 'Shift']],
  ['s', ['Ctrl']],
  ['+', ['Ctrl']],
  ['Tab', ['Ctrl']],
  ['F5', []],
  ['F11', []],
  ['F12', []],
  ['BrowserBack', []],
  ['i', ['Ctrl', 'Shift']],
] as const)('%s with %j is the browser’s and means nothing', (key, held) => {
  expect(isBrowserKey(keys(key, held))).toBe(true);
});

it.each([
  ['a', []],
  ['1', []],
  ['Enter', []],
  ['Escape', []],
  ['c', ['Ctrl']],
  ['V', ['Ctrl', 'Shift']],
  ['ArrowLeft', ['Ctrl']],
  ['Enter', ['Ctrl']],
  ['@', ['Ctrl', 'Alt', 'AltGraph']],
  ['F10', ['Shift']],
] as const)('%s with %j is the user’s', (key, held) => {
  expect(isBrowserKey(keys(key, held))).toBe(false);
});
