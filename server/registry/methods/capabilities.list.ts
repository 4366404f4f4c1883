/** The capabilities the caller may use now. Spec §2, R1. */
import { CONTRACT } from '../contract.ts';
import { defineMethod } from '../define.ts';
import { NO_PARAMS } from '../schema.ts';

export const capabilitiesList = defineMethod({
  name: 'capabilities.list',
  description:
    "Contracts of what the caller's scopes allow and the current character can do, itself or by a substitute.",
  params: NO_PARAMS,
  result: {
    type: 'object',
    properties: {
      catalogRevision: { type: 'integer' },
      capabilities: { type: 'array', items: CONTRACT },
      nextCursor: { type: 'null' },
    },
    required: ['catalogRevision', 'capabilities', 'nextCursor'],
    additionalProperties: false,
  },
  needs: 'discover',
  waits: false,
  errors: [],
  examples: { valid: [{}], invalid: [{ cursor: 1 }] },
});
