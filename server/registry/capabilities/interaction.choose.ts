/** Asks the user to pick one of 2 to 5 options. Spec §2. */
import { LIMITS } from '../../protocol/limits.ts';
import { defineCapability, type Fault, noFaults, repeatedIds } from '../define.ts';
import { line, NO_PARAMS, OPTION, prose, TONE } from '../schema.ts';
import { CARD_STYLES } from '../styles.ts';

/** A suggestion must be one of the options. */
function unknownSuggestion(options: readonly { id: string }[], suggestedId: string | undefined): readonly Fault[] {
  const known = suggestedId === undefined || options.some(({ id }) => id === suggestedId);
  return known ? [] : [{ path: '/suggestedId', rule: 'one of the options' }];
}

export const interactionChoose = defineCapability({
  id: 'interaction.choose',
  version: '0.1.0',
  description:
    'Show a question with options and return the ID of the one the user picked. Nothing is ever picked for the user.',
  characters: 'all',
  kind: 'interaction',
  interaction: 'choice',
  input: {
    type: 'object',
    properties: {
      title: line(160),
      details: prose(4_000),
      options: { type: 'array', minItems: 2, maxItems: 5, items: OPTION },
      suggestedId: line(64),
      tone: TONE,
      allowDecline: { type: 'boolean' },
    },
    required: ['title', 'options'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { selectedId: { type: 'string' } },
    required: ['selectedId'],
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
  check: ({ options, suggestedId }) => [
    ...repeatedIds(options, '/options'),
    ...unknownSuggestion(options, suggestedId),
  ],
  checkResult: ({ options }, { selectedId }) =>
    options.some(({ id }) => id === selectedId) ? [] : [{ path: '/selectedId', rule: 'one of the options' }],
  checkUpdate: noFaults,
  present: ({ title, details, options, suggestedId, tone, allowDecline }) => ({
    view: 'choice',
    tone: tone ?? 'information',
    title,
    details: details ?? null,
    options,
    suggestedId: suggestedId ?? null,
    allowDecline: allowDecline ?? false,
  }),
  wordAnswer: ({ options }, { selectedId }) => options.find(({ id }) => id === selectedId)?.label ?? null,
  examples: {
    valid: [
      {
        title: 'Deploy to production?',
        options: [
          { id: 'yes', label: 'Yes' },
          { id: 'no', label: 'No', description: 'Keep the present version' },
        ],
      },
      {
        title: 'Which branch?',
        details: 'git diff main…feature\n+ one line',
        options: [
          { id: 'a', label: 'main' },
          { id: 'b', label: 'feature' },
        ],
        suggestedId: 'b',
        tone: 'warning',
        allowDecline: true,
      },
    ],
    invalid: [
      {},
      { title: 'One option only', options: [{ id: 'a', label: 'A' }] },
      {
        title: 'Repeated ID',
        options: [
          { id: 'a', label: 'A' },
          { id: 'a', label: 'B' },
        ],
      },
      {
        title: 'Unknown suggestion',
        options: [
          { id: 'a', label: 'A' },
          { id: 'b', label: 'B' },
        ],
        suggestedId: 'c',
      },
      {
        title: 'x'.repeat(161),
        options: [
          { id: 'a', label: 'A' },
          { id: 'b', label: 'B' },
        ],
      },
      {
        title: 'Label too long',
        options: [
          { id: 'a', label: 'x'.repeat(25) },
          { id: 'b', label: 'B' },
        ],
      },
      {
        title: 'Extra',
        options: [
          { id: 'a', label: 'A', icon: 'x' },
          { id: 'b', label: 'B' },
        ],
      },
    ],
    results: {
      valid: [{ selectedId: 'yes' }],
      invalid: [{ selectedId: 'maybe' }, {}, null, { selectedId: 'yes', extra: 1 }],
    },
  },
});
