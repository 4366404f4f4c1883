/** Asks the user to pick several of up to 20 options. A vendor interaction of this implementation (R2). */
import { LIMITS } from '../../protocol/limits.ts';
import { defineCapability, type Fault, noFaults, repeatedIds } from '../define.ts';
import { line, NO_PARAMS, prose, TONE } from '../schema.ts';
import { CARD_STYLES } from '../styles.ts';

const ID = 'vendor.internal.companion.choices';

/** The bounds in force: by default at least one pick, at most all. */
const bounds = (options: readonly unknown[], min: number | undefined, max: number | undefined) => ({
  min: min ?? Math.min(1, max ?? 1),
  max: max ?? options.length,
});

function impossibleBounds(
  options: readonly unknown[],
  min: number | undefined,
  max: number | undefined,
): readonly Fault[] {
  const effective = bounds(options, min, max);
  if (effective.min > options.length) return [{ path: '/min', rule: 'at most the number of options' }];
  return effective.min > effective.max ? [{ path: '/min', rule: 'at most max' }] : [];
}

export const vendorChoices = defineCapability({
  id: ID,
  version: '0.1.0',
  description:
    'Show a question with up to 20 options of which the user may pick several; returns their IDs in the order shown.',
  characters: 'all',
  kind: 'interaction',
  interaction: ID,
  input: {
    type: 'object',
    properties: {
      title: line(160),
      details: prose(4_000),
      options: {
        type: 'array',
        minItems: 1,
        maxItems: 20,
        items: {
          type: 'object',
          properties: { id: line(64), label: line(160), description: line(160) },
          required: ['id', 'label'],
          additionalProperties: false,
        },
      },
      min: { type: 'integer', minimum: 0, maximum: 20 },
      max: { type: 'integer', minimum: 1, maximum: 20 },
      tone: TONE,
      allowDecline: { type: 'boolean' },
    },
    required: ['title', 'options'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { selectedIds: { type: 'array', items: { type: 'string' }, maxItems: 20 } },
    required: ['selectedIds'],
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
  check: ({ options, min, max }) => [...repeatedIds(options, '/options'), ...impossibleBounds(options, min, max)],
  checkResult: ({ options, min, max }, { selectedIds }) => {
    const known = new Set(options.map(({ id }) => id));
    const effective = bounds(options, min, max);
    if (new Set(selectedIds).size !== selectedIds.length) return [{ path: '/selectedIds', rule: 'unique' }];
    if (selectedIds.some((id) => !known.has(id))) return [{ path: '/selectedIds', rule: 'among the options' }];
    if (selectedIds.length < effective.min) return [{ path: '/selectedIds', rule: 'min' }];
    return selectedIds.length > effective.max ? [{ path: '/selectedIds', rule: 'max' }] : [];
  },
  checkUpdate: noFaults,
  present: ({ title, details, options, min, max, tone, allowDecline }) => ({
    view: 'choices',
    tone: tone ?? 'information',
    title,
    details: details ?? null,
    options,
    ...bounds(options, min, max),
    allowDecline: allowDecline ?? false,
  }),
  wordAnswer: ({ options }, { selectedIds }) =>
    options
      .filter(({ id }) => selectedIds.includes(id))
      .map(({ label }) => label)
      .join(' · '),
  examples: {
    valid: [
      {
        title: 'Which checks?',
        options: [
          { id: 'lint', label: 'Lint' },
          { id: 'test', label: 'Tests' },
          { id: 'e2e', label: 'End to end' },
        ],
        min: 1,
        max: 2,
      },
      { title: 'Only one', options: [{ id: 'a', label: 'A' }], min: 0, allowDecline: true },
    ],
    invalid: [
      {},
      { title: 'None', options: [] },
      {
        title: 'Repeated',
        options: [
          { id: 'a', label: 'A' },
          { id: 'a', label: 'B' },
        ],
      },
      { title: 'Too many wanted', options: [{ id: 'a', label: 'A' }], min: 2 },
      {
        title: 'Bounds crossed',
        options: [
          { id: 'a', label: 'A' },
          { id: 'b', label: 'B' },
        ],
        min: 2,
        max: 1,
      },
    ],
    results: {
      valid: [{ selectedIds: ['lint'] }, { selectedIds: ['lint', 'e2e'] }],
      invalid: [
        { selectedIds: [] },
        { selectedIds: ['lint', 'test', 'e2e'] },
        { selectedIds: ['lint', 'lint'] },
        { selectedIds: ['x'] },
        null,
      ],
    },
  },
});
