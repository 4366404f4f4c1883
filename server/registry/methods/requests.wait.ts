/** Waits, for a bounded time, until one of the caller's own requests changes. Spec §3, R4. */
import { LIMITS } from '../../protocol/limits.ts';
import { defineMethod } from '../define.ts';
import { ANY_ID } from '../schema.ts';
import { WAITED_SNAPSHOT } from '../snapshot-schema.ts';

export const requestsWait = defineMethod({
  name: 'requests.wait',
  description:
    'Wait until the request passes `afterRevision` or ends. When the time is up: `unchanged: true`. Cancels nothing, creates nothing.',
  params: {
    type: 'object',
    properties: {
      requestId: ANY_ID,
      afterRevision: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
      waitMs: { type: 'integer', minimum: 0, maximum: LIMITS.maxWaitMs },
    },
    required: ['requestId', 'afterRevision', 'waitMs'],
    additionalProperties: false,
  },
  result: WAITED_SNAPSHOT,
  needs: 'owner',
  waits: true,
  errors: ['NOT_FOUND', 'RESULT_EXPIRED'],
  examples: {
    valid: [{ requestId: 'unknown', afterRevision: 0, waitMs: 0 }],
    invalid: [
      { requestId: 'unknown' },
      { requestId: 'unknown', afterRevision: 0 },
      { requestId: 'unknown', afterRevision: -1, waitMs: 0 },
      { requestId: 'unknown', afterRevision: 0, waitMs: LIMITS.maxWaitMs + 1 },
    ],
  },
});
