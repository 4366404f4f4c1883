/** Asks the user to type a text. Spec §2. */
import { LIMITS } from '../../protocol/limits.ts';
import { defineCapability, noFaults } from '../define.ts';
import { line, NO_PARAMS, prose, TONE } from '../schema.ts';
import { CARD_STYLES } from '../styles.ts';

const MAX_ANSWER_LENGTH = 2_000;

export const interactionAsk = defineCapability({
  id: 'interaction.ask',
  version: '0.1.0',
  description: 'Show a question with a text field and return what the user typed.',
  characters: 'all',
  kind: 'interaction',
  interaction: 'text',
  input: {
    type: 'object',
    properties: {
      title: line(160),
      details: prose(4_000),
      placeholder: line(80),
      maxLength: { type: 'integer', minimum: 1, maximum: MAX_ANSWER_LENGTH },
      multiline: { type: 'boolean' },
      masked: { type: 'boolean' },
      tone: TONE,
      allowDecline: { type: 'boolean' },
    },
    required: ['title'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { text: prose(MAX_ANSWER_LENGTH) },
    required: ['text'],
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
  check: ({ multiline, masked }) =>
    multiline && masked ? [{ path: '/masked', rule: 'not together with multiline' }] : [],
  checkResult: ({ maxLength, multiline }, { text }) => {
    if ([...text].length > (maxLength ?? MAX_ANSWER_LENGTH)) return [{ path: '/text', rule: 'maxLength' }];
    return !multiline && /[\n\t]/.test(text) ? [{ path: '/text', rule: 'one line' }] : [];
  },
  checkUpdate: noFaults,
  present: ({ title, details, placeholder, maxLength, multiline, masked, tone, allowDecline }) => ({
    view: 'text',
    tone: tone ?? 'information',
    title,
    details: details ?? null,
    placeholder: placeholder ?? null,
    maxLength: maxLength ?? MAX_ANSWER_LENGTH,
    multiline: multiline ?? false,
    masked: masked ?? false,
    allowDecline: allowDecline ?? false,
  }),
  // A masked answer stays masked on the Answers page too.
  wordAnswer: ({ masked }, { text }) => (masked ? '••••••' : text),
  examples: {
    valid: [
      { title: 'Name of the release?' },
      {
        title: 'Commit message',
        details: 'two files changed',
        placeholder: 'fix: …',
        maxLength: 200,
        multiline: true,
        allowDecline: true,
      },
      { title: 'Passphrase', masked: true },
    ],
    invalid: [
      {},
      { title: '' },
      { title: 'a', maxLength: 0 },
      { title: 'a', maxLength: 2_001 },
      { title: 'a', multiline: true, masked: true },
      { title: 'a', secret: true },
    ],
    results: { valid: [{ text: '0.1' }], invalid: [{ text: '' }, { text: ' ' }, { text: 'a\nb' }, {}, null] },
  },
});
