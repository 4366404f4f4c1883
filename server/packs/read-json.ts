/** Reads a small JSON file of the library's own and says in one line what is wrong with it. */

import { lstatSync, readFileSync } from 'node:fs';
import type { Check } from './shape.ts';
import { codeOf } from './system-error.ts';

const MAX_REASONS = 3;

/** What was read; `value` undefined with `reason` null: there is no such file. */
export type Read<Value> =
  | { readonly value: Value; readonly reason: null }
  | { readonly value: undefined; readonly reason: string | null };

/** The first reasons of many, in one line. */
export function fewReasons(reasons: readonly string[]): string {
  const more = reasons.length > MAX_REASONS ? `; and ${reasons.length - MAX_REASONS} more` : '';
  return `${reasons.slice(0, MAX_REASONS).join('; ')}${more}`;
}

/** Reads `path`, at most `maxBytes` long, and checks it. Never throws; `Value` is what `check` vouches for. */
export function readJson<Value>(path: string, check: Check, maxBytes: number): Read<Value> {
  const no = (reason: string | null): Read<Value> => ({ value: undefined, reason });
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return no(null);
    if (!stat.isFile()) return no('is not a regular file');
    if (stat.size > maxBytes) return no(`has ${stat.size} bytes, at most ${maxBytes} are allowed`);
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const reasons = check(value, '');
    return reasons.length > 0 ? no(fewReasons(reasons)) : { value: value as Value, reason: null };
  } catch (error) {
    return no(error instanceof SyntaxError ? 'is not JSON' : `cannot be read (${codeOf(error) ?? 'unknown error'})`);
  }
}
