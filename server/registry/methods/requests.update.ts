/** Changes what a capability declares updatable. Spec §3, R2, R4. */
import { defineMethod } from '../define.ts';
import { ANY_ID } from '../schema.ts';
import { SNAPSHOT } from '../snapshot-schema.ts';

export const requestsUpdate = defineMethod({
  name: 'requests.update',
  description:
    "Update declared fields of one of the caller's own unfinished requests, if it still has `expectedRevision`.",
  params: {
    type: 'object',
    properties: {
      requestId: ANY_ID,
      expectedRevision: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      params: { type: 'object' },
    },
    required: ['requestId', 'expectedRevision', 'params'],
    additionalProperties: false,
  },
  result: SNAPSHOT,
  needs: 'owner',
  waits: false,
  errors: ['NOT_FOUND', 'RESULT_EXPIRED', 'REVISION_CONFLICT', 'RATE_LIMITED', 'RUNTIME_UNAVAILABLE'],
  examples: {
    valid: [{ requestId: 'unknown', expectedRevision: 1, params: { percent: 50 } }],
    invalid: [
      { requestId: 'a', params: {} },
      { requestId: 'a', expectedRevision: 0, params: {} },
      { requestId: 'a', expectedRevision: 1 },
    ],
  },
});
