/** One capability's whole contract. Spec §2, R1. */
import { CONTRACT } from '../contract.ts';
import { defineMethod } from '../define.ts';

export const capabilitiesDescribe = defineMethod({
  name: 'capabilities.describe',
  description: 'The contract of one capability in the catalogue.',
  params: {
    type: 'object',
    properties: { id: { type: 'string', minLength: 1, maxLength: 128 } },
    required: ['id'],
    additionalProperties: false,
  },
  result: CONTRACT,
  needs: 'discover',
  waits: false,
  errors: ['UNSUPPORTED_CAPABILITY'],
  examples: { valid: [{ id: 'notice.show' }], invalid: [{}, { id: 5 }, { name: 'notice.show' }] },
});
