/** Ends one of the caller's own requests. Spec §3, R4. */
import { defineMethod } from '../define.ts';
import { ANY_ID } from '../schema.ts';
import { SNAPSHOT } from '../snapshot-schema.ts';

export const requestsCancel = defineMethod({
  name: 'requests.cancel',
  description: "Cancel one of the caller's own requests. One that has ended is returned as it is.",
  params: {
    type: 'object',
    properties: { requestId: ANY_ID, reason: { enum: ['client_cancelled', 'superseded'] } },
    required: ['requestId'],
    additionalProperties: false,
  },
  result: SNAPSHOT,
  needs: 'owner',
  waits: false,
  errors: ['NOT_FOUND', 'RESULT_EXPIRED', 'RUNTIME_UNAVAILABLE'],
  examples: {
    valid: [{ requestId: 'unknown' }, { requestId: 'unknown', reason: 'superseded' }],
    invalid: [{}, { requestId: 'a', reason: 'hidden' }],
  },
});
