/** Validates a call and accepts it. Spec §3, R3, R14. */
import { LIMITS } from '../../protocol/limits.ts';
import { defineMethod } from '../define.ts';
import { line } from '../schema.ts';
import { SNAPSHOT } from '../snapshot-schema.ts';

export const requestsCreate = defineMethod({
  name: 'requests.create',
  description:
    'Check a call of a capability and accept it. Accepted means stored and queued, not shown and not answered.',
  params: {
    type: 'object',
    properties: {
      capability: { type: 'string', minLength: 1, maxLength: 128 },
      params: { type: 'object' },
      character: {
        type: 'string',
        minLength: 1,
        maxLength: 128,
        description: 'The character that plays it. Default: the one on the screen.',
      },
      style: { type: 'string', minLength: 1, maxLength: 64, description: "The look. Default: the user's own choice." },
      timeoutMs: {
        type: 'integer',
        minimum: LIMITS.minTimeoutMs,
        maximum: LIMITS.maxTimeoutMs,
        description: 'When it expires, in milliseconds from now, waiting in the queue included.',
      },
      idempotencyKey: {
        ...line(128),
        description: 'Made up by the caller: the same key with the same parameters never makes a second request.',
      },
      taskId: { ...line(128), description: "The caller's own label." },
      allowSubstitute: {
        type: 'boolean',
        description: 'Allow what the character declares as a substitute for what it cannot do.',
      },
    },
    required: ['capability', 'params'],
    additionalProperties: false,
  },
  result: SNAPSHOT,
  needs: 'key',
  waits: false,
  errors: [
    'FORBIDDEN',
    'UNSUPPORTED_CAPABILITY',
    'UNSUPPORTED_STYLE',
    'IDEMPOTENCY_CONFLICT',
    'RUNTIME_UNAVAILABLE',
    'RATE_LIMITED',
    'QUEUE_FULL',
  ],
  examples: {
    valid: [
      { capability: 'notice.show', params: { text: 'Hello' } },
      {
        capability: 'interaction.ask',
        params: { title: 'Name?' },
        character: 'builtin.nib',
        style: 'plain',
        timeoutMs: 1_000,
        idempotencyKey: 'ask-1',
        taskId: 'build 7',
        allowSubstitute: true,
      },
    ],
    invalid: [
      {},
      { capability: 'notice.show' },
      { capability: 'notice.show', params: [] },
      { capability: 'notice.show', params: {}, timeoutMs: 999 },
      { capability: 'notice.show', params: {}, timeoutMs: 86_400_001 },
      { capability: 'notice.show', params: {}, idempotencyKey: '' },
      { capability: 'notice.show', params: {}, clientId: 'someone' },
      { capability: 'notice.show', params: {}, source: 'system' },
    ],
  },
});
