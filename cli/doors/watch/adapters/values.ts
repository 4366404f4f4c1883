/** Takes apart what a line of JSON holds; nothing here throws, whatever a program prints. */
import { type Fields, isObject } from '../../../../server/protocol/json-object.ts';
import type { Line } from '../adapter.ts';
import { objectIn } from '../json-line.ts';

/** The object a line holds; null for everything else, and for what is not there whole. */
export const jsonIn = ({ text, cut }: Line): Fields | null => (cut ? null : objectIn(text));

export const asObject = (value: unknown): Fields | null => (isObject(value) ? value : null);

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list; what else is in it is left out. */
export const objectsIn = (value: unknown): readonly Fields[] => asList(value).filter(isObject);

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A number that is one; JSON can say 1e999. */
export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** A count or an amount that was left out because it is zero. */
export const amount = (value: unknown): number => Math.max(0, asNumber(value) ?? 0);
