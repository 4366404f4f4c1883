/** Finds the JSON object in a line of output, whatever a terminal program has printed before it on the same line. */
import { stripVTControlCharacters } from 'node:util';
import { type Fields, isObject } from '../../../server/protocol/json-object.ts';

function parse(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The object that `text` is, or that follows control sequences and carriage returns in it; null when there is none. */
export function objectIn(text: string): Fields | null {
  if (text.startsWith('{')) return parse(text);
  const start = text.indexOf('{');
  if (start === -1) return null;
  const before = text.slice(0, start);
  if (before.trim() === '') return parse(text);
  return /[\r\x1b]/.test(before) ? parse(stripVTControlCharacters(text.slice(start))) : null;
}

/** The string at `key`, or undefined. */
export const stringAt = (object: Fields, key: string): string | undefined =>
  typeof object[key] === 'string' ? object[key] : undefined;

/** The finite number at `key`, or undefined. */
export const numberAt = (object: Fields, key: string): number | undefined =>
  Number.isFinite(object[key]) ? (object[key] as number) : undefined;

/** The object at `key`; an empty one when there is none. */
export function objectAt(object: Fields, key: string): Fields {
  const value = object[key];
  return isObject(value) ? value : {};
}

/** The list at `key`; an empty one when there is none. */
export const listAt = (object: Fields, key: string): readonly unknown[] =>
  Array.isArray(object[key]) ? object[key] : [];
