/** Finds the JSON object in a line of output, whatever a terminal program has printed before it on the same line. */
import { stripVTControlCharacters } from 'node:util';

export type LineObject = Readonly<Record<string, unknown>>;

function parse(text: string): LineObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LineObject) : null;
  } catch {
    return null;
  }
}

/** The object that `text` is, or that follows control sequences and carriage returns in it; null when there is none. */
export function objectIn(text: string): LineObject | null {
  if (text.startsWith('{')) return parse(text);
  const start = text.indexOf('{');
  if (start === -1) return null;
  const before = text.slice(0, start);
  if (before.trim() === '') return parse(text);
  return /[\r\x1b]/.test(before) ? parse(stripVTControlCharacters(text.slice(start))) : null;
}

/** The string at `key`, or undefined. */
export const stringAt = (object: LineObject, key: string): string | undefined =>
  typeof object[key] === 'string' ? object[key] : undefined;

/** The finite number at `key`, or undefined. */
export const numberAt = (object: LineObject, key: string): number | undefined =>
  Number.isFinite(object[key]) ? (object[key] as number) : undefined;

/** The object at `key`; an empty one when there is none. */
export function objectAt(object: LineObject, key: string): LineObject {
  const value = object[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LineObject) : {};
}

/** The list at `key`; an empty one when there is none. */
export const listAt = (object: LineObject, key: string): readonly unknown[] =>
  Array.isArray(object[key]) ? object[key] : [];
