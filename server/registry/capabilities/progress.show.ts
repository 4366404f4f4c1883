/** Keeps one card about something that takes long. Spec §2, §3, R2. */
import { LIMITS } from '../../protocol/limits.ts';
import { defineCapability, noAnswer, noFaults } from '../define.ts';
import { line, NO_OUTPUT, TONE } from '../schema.ts';
import { CARD_STYLES } from '../styles.ts';

const PERCENT = { type: ['number', 'null'], minimum: 0, maximum: 100 } as const;

export const progressShow = defineCapability({
  id: 'progress.show',
  version: '0.1.0',
  description:
    'Keep one card about something that takes long, updated in place. It ends when its owner says done or failed. ' +
    'What the user presses reaches the owner as `control` on the snapshot; closing the card ends only the card.',
  characters: 'all',
  kind: 'progress',
  interaction: 'none',
  input: {
    type: 'object',
    properties: {
      title: line(160),
      percent: PERCENT,
      message: line(280),
      phase: line(64),
      tone: TONE,
      controls: { type: 'array', items: { enum: ['pause', 'cancel'] }, uniqueItems: true, maxItems: 2 },
    },
    required: ['title', 'percent'],
    additionalProperties: false,
  },
  output: NO_OUTPUT,
  requiredScopes: ['notify'],
  updatableFields: ['percent', 'message', 'phase', 'tone', 'paused', 'done', 'failed'],
  update: {
    type: 'object',
    properties: {
      percent: PERCENT,
      message: line(280),
      phase: line(64),
      tone: TONE,
      paused: { type: 'boolean' },
      done: { const: true },
      failed: line(280),
    },
    minProperties: 1,
    additionalProperties: false,
  },
  completion: 'owner',
  cancelable: true,
  queue: { evictable: false, interruptible: false },
  whenUnavailable: { hidden: 'cancel', paused: 'cancel', doNotDisturb: 'show' },
  styles: CARD_STYLES,
  limits: {
    defaultTimeoutMs: 86_400_000,
    maxTimeoutMs: LIMITS.maxTimeoutMs,
    maxUnfinishedPerClient: LIMITS.maxUnfinishedPerClient,
  },
  check: noFaults,
  checkResult: noFaults,
  checkUpdate: ({ done, failed }) =>
    done !== undefined && failed !== undefined ? [{ path: '/failed', rule: 'not together with done' }] : [],
  // `paused` is not an input; it arrives by update and is merged into the kept parameters.
  present: (params) => ({
    view: 'progress',
    tone: params.tone ?? 'information',
    title: params.title,
    percent: params.percent,
    message: params.message ?? null,
    phase: params.phase ?? null,
    paused: (params as { paused?: boolean }).paused ?? false,
    controls: params.controls ?? [],
  }),
  wordAnswer: noAnswer,
  examples: {
    valid: [
      { title: 'Copying', percent: 0 },
      {
        title: 'Waiting for a slot',
        percent: null,
        message: '3 before you',
        phase: 'queue',
        tone: 'warning',
        controls: ['pause', 'cancel'],
      },
    ],
    invalid: [
      {},
      { title: 'Copying' },
      { title: 'Copying', percent: -1 },
      { title: 'Copying', percent: 100.1 },
      { title: 'Copying', percent: '5' },
      { title: 'Copying', percent: 5, controls: ['stop'] },
      { title: 'Copying', percent: 5, controls: ['pause', 'pause'] },
      { title: 'Copying', percent: 5, done: true },
    ],
    results: { valid: [null], invalid: [{}, 100] },
  },
});
