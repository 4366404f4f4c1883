/** Checks typed answers as the capability will, so that a mistake is told at once; the host's check stays the one that counts. */
import type { FormField, Presentation } from '../server/protocol/presentation.ts';
import type { Json, JsonObject } from '../server/protocol/words.ts';
import { codePoints } from './text.ts';
import type { Words } from './words.ts';

const MAX_FIELD_LENGTH = 2_000;
const INK = /[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u;

type TextView = Extract<Presentation, { view: 'text' }>;

/** What is wrong with a typed text, in words; null when it may be sent. */
export function textFault(words: Words, view: Pick<TextView, 'maxLength' | 'multiline'>, text: string): string | null {
  if (!INK.test(text)) return words.required;
  if (codePoints(text) > view.maxLength) return words.tooLong(view.maxLength);
  return !view.multiline && /[\n\t]/.test(text) ? words.oneLine : null;
}

/** What a field holds before it is checked: text as typed, a switch, or the ID of an option. */
export type Draft = string | boolean;

const isNumeric = (field: FormField): boolean => field.type === 'number' || field.type === 'integer';

/** The value a draft stands for; undefined when an optional field was left empty. */
function meaningOf(field: FormField, draft: Draft | undefined): Json | undefined {
  if (field.type === 'boolean') return draft === true;
  if (typeof draft !== 'string' || draft.trim() === '') return undefined;
  return isNumeric(field) ? Number(draft.trim()) : draft;
}

function numberFault(words: Words, field: FormField, value: number): string | null {
  if (!Number.isFinite(value)) return words.notNumber;
  if (field.type === 'integer' && !Number.isInteger(value)) return words.notInteger;
  if (field.minimum !== undefined && value < field.minimum) return words.atLeast(field.minimum);
  return field.maximum !== undefined && value > field.maximum ? words.atMost(field.maximum) : null;
}

/** What is wrong with one field, in words; null when it may be sent. */
export function fieldFault(words: Words, field: FormField, draft: Draft | undefined): string | null {
  const value = meaningOf(field, draft);
  if (value === undefined) return field.required ? words.required : null;
  if (typeof value === 'number') return numberFault(words, field, value);
  if (field.type !== 'string' || typeof value !== 'string') return null;
  const min = field.minLength ?? (field.required ? 1 : 0);
  const max = field.maxLength ?? MAX_FIELD_LENGTH;
  if (codePoints(value) < min) return words.tooShort(min);
  return codePoints(value) > max ? words.tooLong(max) : null;
}

/** The values to send: fields left empty are left out. */
export function formValues(fields: readonly FormField[], drafts: Readonly<Record<string, Draft>>): JsonObject {
  const values: Record<string, Json> = {};
  for (const field of fields) {
    const value = meaningOf(field, drafts[field.id]);
    if (value !== undefined) values[field.id] = value;
  }
  return values;
}
