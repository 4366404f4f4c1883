/** Asks the user to fill in 1 to 5 fields. A vendor interaction of this implementation (R2), shaped like an MCP elicitation. */
import { LIMITS } from '../../protocol/limits.ts';
import type { FormField } from '../../protocol/presentation.ts';
import type { Json } from '../../protocol/words.ts';
import { defineCapability, type Fault, noFaults, repeatedIds } from '../define.ts';
import { line, NO_PARAMS, prose, TONE } from '../schema.ts';
import { CARD_STYLES } from '../styles.ts';

const ID = 'vendor.internal.companion.form';
const MAX_FIELD_LENGTH = 2_000;

/** Which bounds a field of each type may carry. */
const BOUNDS_OF: Record<FormField['type'], readonly (keyof FormField)[]> = {
  string: ['minLength', 'maxLength'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  enum: ['options'],
};
const ALL_BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'options'] as const;

function fieldFaults(field: FormField, path: string): readonly Fault[] {
  const faults: Fault[] = ALL_BOUNDS.filter(
    (bound) => field[bound] !== undefined && !BOUNDS_OF[field.type].includes(bound),
  ).map((bound) => ({ path: `${path}/${bound}`, rule: `not for type ${field.type}` }));
  if (field.type === 'enum' && field.options === undefined)
    faults.push({ path: `${path}/options`, rule: 'required for enum' });
  if (field.options !== undefined) faults.push(...repeatedIds(field.options, `${path}/options`));
  if ((field.minimum ?? -Infinity) > (field.maximum ?? Infinity))
    faults.push({ path: `${path}/minimum`, rule: 'at most maximum' });
  if ((field.minLength ?? 0) > (field.maxLength ?? MAX_FIELD_LENGTH))
    faults.push({ path: `${path}/minLength`, rule: 'at most maxLength' });
  return faults;
}

/** Which rule of its field a value breaks, or null. */
function brokenRule(field: FormField, value: Json): string | null {
  switch (field.type) {
    case 'string': {
      if (typeof value !== 'string') return 'type';
      const length = [...value].length;
      if (length < (field.minLength ?? (field.required ? 1 : 0))) return 'minLength';
      return length > (field.maxLength ?? MAX_FIELD_LENGTH) ? 'maxLength' : null;
    }
    case 'number':
    case 'integer':
      if (typeof value !== 'number' || (field.type === 'integer' && !Number.isInteger(value))) return 'type';
      if (value < (field.minimum ?? -Infinity)) return 'minimum';
      return value > (field.maximum ?? Infinity) ? 'maximum' : null;
    case 'boolean':
      return typeof value === 'boolean' ? null : 'type';
    case 'enum':
      return field.options?.some(({ id }) => id === value) ? null : 'one of the options';
  }
}

function valueFaults(fields: readonly FormField[], values: Readonly<Record<string, Json>>): readonly Fault[] {
  const known = new Set(fields.map(({ id }) => id));
  const faults: Fault[] = Object.keys(values).some((id) => !known.has(id))
    ? [{ path: '/values', rule: 'known fields' }]
    : [];
  for (const [index, field] of fields.entries()) {
    const value = Object.hasOwn(values, field.id) ? values[field.id] : undefined;
    const rule = value === undefined ? (field.required ? 'required' : null) : brokenRule(field, value);
    if (rule !== null) faults.push({ path: `/fields/${index}`, rule });
  }
  return faults;
}

export const vendorForm = defineCapability({
  id: ID,
  version: '0.1.0',
  description: 'Show a form of 1 to 5 fields and return what the user filled in, by field ID.',
  characters: 'all',
  kind: 'interaction',
  interaction: ID,
  input: {
    type: 'object',
    properties: {
      title: line(160),
      details: prose(4_000),
      fields: {
        type: 'array',
        minItems: 1,
        maxItems: 5,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$' },
            label: line(80),
            description: line(160),
            type: { enum: ['string', 'number', 'integer', 'boolean', 'enum'] },
            required: { type: 'boolean' },
            minLength: { type: 'integer', minimum: 0, maximum: MAX_FIELD_LENGTH },
            maxLength: { type: 'integer', minimum: 1, maximum: MAX_FIELD_LENGTH },
            minimum: { type: 'number' },
            maximum: { type: 'number' },
            options: {
              type: 'array',
              minItems: 1,
              maxItems: 20,
              items: {
                type: 'object',
                properties: { id: line(64), label: line(160) },
                required: ['id', 'label'],
                additionalProperties: false,
              },
            },
          },
          required: ['id', 'label', 'type', 'required'],
          additionalProperties: false,
        },
      },
      tone: TONE,
      allowDecline: { type: 'boolean' },
    },
    required: ['title', 'fields'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      values: {
        type: 'object',
        maxProperties: 5,
        additionalProperties: {
          anyOf: [
            { type: 'string', maxLength: MAX_FIELD_LENGTH, pattern: '^[^\\p{Cs}]*$' },
            { type: 'number' },
            { type: 'boolean' },
          ],
        },
      },
    },
    required: ['values'],
    additionalProperties: false,
  },
  requiredScopes: ['interact'],
  updatableFields: [],
  update: NO_PARAMS,
  completion: 'user_response',
  cancelable: true,
  queue: { evictable: false, interruptible: false },
  whenUnavailable: { hidden: 'cancel', paused: 'cancel', doNotDisturb: 'show' },
  styles: CARD_STYLES,
  limits: {
    defaultTimeoutMs: 600_000,
    maxTimeoutMs: LIMITS.maxTimeoutMs,
    maxUnfinishedPerClient: LIMITS.maxInteractionsPerClient,
  },
  check: ({ fields }) => [
    ...repeatedIds(fields, '/fields'),
    ...fields.flatMap((field, index) => fieldFaults(field as FormField, `/fields/${index}`)),
  ],
  checkResult: ({ fields }, { values }) =>
    valueFaults(fields as readonly FormField[], values as Readonly<Record<string, Json>>),
  checkUpdate: noFaults,
  present: ({ title, details, fields, tone, allowDecline }) => ({
    view: 'form',
    tone: tone ?? 'information',
    title,
    details: details ?? null,
    fields: fields as readonly FormField[],
    allowDecline: allowDecline ?? false,
  }),
  wordAnswer: ({ fields }, { values }) =>
    (fields as readonly FormField[])
      .filter(({ id }) => Object.hasOwn(values, id))
      .map(
        ({ id, label, options }) =>
          `${label}: ${options?.find((option) => option.id === values[id])?.label ?? String(values[id])}`,
      )
      .join(' · '),
  examples: {
    valid: [
      {
        title: 'New release',
        fields: [
          { id: 'version', label: 'Version', type: 'string', required: true, maxLength: 20 },
          { id: 'count', label: 'Copies', type: 'integer', required: false, minimum: 1, maximum: 9 },
          { id: 'sign', label: 'Sign it', type: 'boolean', required: true },
          {
            id: 'channel',
            label: 'Channel',
            type: 'enum',
            required: true,
            options: [
              { id: 's', label: 'Stable' },
              { id: 'b', label: 'Beta' },
            ],
          },
        ],
      },
    ],
    invalid: [
      {},
      { title: 'None', fields: [] },
      {
        title: 'Repeated',
        fields: [
          { id: 'a', label: 'A', type: 'string', required: true },
          { id: 'a', label: 'B', type: 'string', required: true },
        ],
      },
      { title: 'Enum without options', fields: [{ id: 'a', label: 'A', type: 'enum', required: true }] },
      { title: 'Wrong bound', fields: [{ id: 'a', label: 'A', type: 'boolean', required: true, minimum: 1 }] },
      {
        title: 'Crossed bounds',
        fields: [{ id: 'a', label: 'A', type: 'number', required: true, minimum: 2, maximum: 1 }],
      },
    ],
    results: {
      valid: [
        { values: { version: '1', sign: false, channel: 's' } },
        { values: { version: '1', count: 2, sign: true, channel: 'b' } },
      ],
      invalid: [
        { values: {} },
        { values: { version: '', sign: true, channel: 's' } },
        { values: { version: '1', sign: true, channel: 'x' } },
        { values: { version: '1', count: 2.5, sign: true, channel: 's' } },
        null,
      ],
    },
  },
});
