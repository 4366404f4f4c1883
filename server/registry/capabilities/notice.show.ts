/** Shows a short text for a while. Spec §2. */
import { LIMITS } from '../../protocol/limits.ts';
import { defineCapability, noAnswer, noFaults } from '../define.ts';
import { line, NO_OUTPUT, NO_PARAMS, prose, TONE } from '../schema.ts';
import { CARD_STYLES } from '../styles.ts';

export const noticeShow = defineCapability({
  id: 'notice.show',
  version: '0.1.0',
  description:
    'Show a short text on a card. Completed means it was on screen for its duration or closed by the user, not that it was read. ' +
    'Hovering over the card or focusing it holds its time, never its deadline.',
  characters: 'all',
  kind: 'notice',
  interaction: 'none',
  input: {
    type: 'object',
    properties: {
      text: prose(280),
      title: line(80),
      tone: TONE,
      durationMs: { type: 'integer', minimum: LIMITS.minNoticeMs, maximum: LIMITS.maxNoticeMs },
    },
    required: ['text'],
    additionalProperties: false,
  },
  output: NO_OUTPUT,
  requiredScopes: ['notify'],
  updatableFields: [],
  update: NO_PARAMS,
  completion: 'displayed',
  cancelable: true,
  queue: { evictable: true, interruptible: false },
  whenUnavailable: { hidden: 'cancel', paused: 'cancel', doNotDisturb: 'suppress' },
  styles: CARD_STYLES,
  limits: {
    defaultTimeoutMs: 600_000,
    maxTimeoutMs: LIMITS.maxTimeoutMs,
    maxUnfinishedPerClient: LIMITS.maxUnfinishedPerClient,
  },
  check: noFaults,
  checkResult: noFaults,
  checkUpdate: noFaults,
  present: ({ text, title, tone, durationMs }) => ({
    view: 'notice',
    tone: tone ?? 'information',
    title: title ?? null,
    text,
    durationMs: durationMs ?? LIMITS.defaultNoticeMs,
  }),
  wordAnswer: noAnswer,
  examples: {
    valid: [
      { text: 'The build is done.' },
      { text: '<b>5 & 6</b>\nsecond line', title: 'Build', tone: 'success', durationMs: 3_000 },
    ],
    invalid: [
      {},
      { text: '' },
      { text: '   ' },
      { text: 'x'.repeat(281) },
      { text: 'a\u0007' },
      { text: '\ud800' },
      { text: 'a', title: 'two\nlines' },
      { text: 'a', tone: 'loud' },
      { text: 'a', durationMs: 999 },
      { text: 'a', html: true },
      { text: 5 },
    ],
    results: { valid: [null], invalid: [{}, false] },
  },
});
