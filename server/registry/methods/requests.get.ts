/** Reads one of the caller's own requests. Spec §3. */
import { defineMethod } from '../define.ts';
import { ANY_ID } from '../schema.ts';
import { SNAPSHOT } from '../snapshot-schema.ts';

export const requestsGet = defineMethod({
  name: 'requests.get',
  description: "The present snapshot of one of the caller's own requests.",
  params: { type: 'object', properties: { requestId: ANY_ID }, required: ['requestId'], additionalProperties: false },
  result: SNAPSHOT,
  needs: 'owner',
  waits: false,
  errors: ['NOT_FOUND', 'RESULT_EXPIRED'],
  examples: {
    valid: [{ requestId: 'unknown' }],
    invalid: [{}, { requestId: '' }, { requestId: 'x'.repeat(65) }, { requestId: 5 }],
  },
});
