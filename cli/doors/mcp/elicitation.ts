/** MCP's form elicitation in the words of the form capability, field by field, and its answer back. Pure. */
import { type Fields, isObject } from '../../../server/protocol/json-object.ts';
import type { Json, JsonObject } from '../../../server/protocol/words.ts';
import { usageError } from '../../companion-error.ts';

/** A title has one line of at most this many characters. */
const MAX_TITLE = 160;

/** A message that fits is the title; any other stands whole in the details, under its beginning. */
function heading(message: unknown): JsonObject {
  if (typeof message !== 'string') throw usageError('This is a text.', { path: '/message' });
  const characters = [...message];
  if (characters.length <= MAX_TITLE && !message.includes('\n')) return { title: message };
  const [line = ''] = message.trim().split('\n');
  const start = [...line].slice(0, MAX_TITLE - 1).join('');
  return { title: start === line ? line : `${start}…`, details: message };
}

const defined = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;

/** The choices of an enumeration, in either of the ways MCP says them; null for anything else. */
function optionsOf({ oneOf, enum: ids, enumNames }: Fields): Json | null {
  if (Array.isArray(oneOf)) {
    return oneOf.map((option) => (isObject(option) ? defined({ id: option.const, label: option.title }) : {}));
  }
  if (!Array.isArray(ids)) return null;
  const names = Array.isArray(enumNames) ? enumNames : [];
  return ids.map((id, index) => defined({ id, label: names[index] ?? id }));
}

/** What a form has no place for is told to the user in words. */
function descriptionOf({ description, format, default: preset }: Fields): string | undefined {
  const parts = [description, format && `Format: ${format}`, preset !== undefined && `Default: ${preset}`];
  return parts.filter(Boolean).join(' · ') || undefined;
}

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum'] as const;
const TYPES = ['string', 'number', 'integer', 'boolean'];

function toField(id: string, schema: unknown, required: boolean): JsonObject {
  const path = `/requestedSchema/properties/${id}`;
  if (!isObject(schema)) throw usageError('This is a schema of one field.', { path });
  const options = optionsOf(schema);
  if (options === null && !TYPES.includes(String(schema.type)))
    throw usageError('A form has fields of text, numbers, switches and single choices.', { path: `${path}/type` });
  const bounds = Object.fromEntries(BOUNDS.map((bound) => [bound, schema[bound]]));
  return defined({
    id,
    label: schema.title ?? id,
    description: descriptionOf(schema),
    type: options === null ? schema.type : 'enum',
    required,
    ...(options === null ? bounds : { options }),
  });
}

/** The parameters of a form that asks what `message` and `requestedSchema` ask. Error: INVALID_PARAMS, with the place. */
export function toForm({ message, requestedSchema, ...rest }: JsonObject): JsonObject {
  const properties = isObject(requestedSchema) ? requestedSchema.properties : null;
  if (!isObject(properties)) throw usageError('This is an object schema.', { path: '/requestedSchema' });
  const named = (requestedSchema as Fields).required;
  const required = Array.isArray(named) ? named : [];
  const fields = Object.entries(properties).map(([id, schema]) => toField(id, schema, required.includes(id)));
  return { ...rest, ...heading(message), fields };
}

/** The content of an elicitation's result, from the result of the form. */
export const fromForm = (result: Json): Json => (isObject(result) ? ((result as JsonObject).values ?? null) : null);
