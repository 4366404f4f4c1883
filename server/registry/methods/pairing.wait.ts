/** Waits for the user's word on a pairing; hands out the key exactly once. docs/auth-profile.md, R7. */
import { LIMITS } from '../../protocol/limits.ts';
import { SCOPES } from '../../protocol/words.ts';
import { defineMethod } from '../define.ts';
import { ANY_ID } from '../schema.ts';

export const pairingWait = defineMethod({
  name: 'pairing.wait',
  description: 'Wait until the user has approved or denied. The key is made and handed out once, here.',
  params: {
    type: 'object',
    properties: {
      pairingId: ANY_ID,
      pairingSecret: { type: 'string', minLength: 1, maxLength: 128 },
      waitMs: { type: 'integer', minimum: 0, maximum: LIMITS.maxWaitMs },
    },
    required: ['pairingId', 'pairingSecret', 'waitMs'],
    additionalProperties: false,
  },
  result: {
    anyOf: [
      {
        type: 'object',
        properties: { status: { const: 'pending' } },
        required: ['status'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          status: { const: 'approved' },
          key: { type: 'string' },
          clientId: { type: 'string' },
          name: { type: 'string' },
          scopes: { type: 'array', items: { enum: [...SCOPES] } },
        },
        required: ['status', 'key', 'clientId', 'name', 'scopes'],
        additionalProperties: false,
      },
    ],
  },
  needs: 'nothing',
  waits: true,
  errors: ['NOT_FOUND', 'PAIRING_DENIED', 'PAIRING_EXPIRED', 'RUNTIME_UNAVAILABLE'],
  examples: {
    valid: [{ pairingId: 'unknown', pairingSecret: 'x', waitMs: 0 }],
    invalid: [{ pairingId: 'a' }, { pairingId: 'a', pairingSecret: 'x', waitMs: -1 }],
  },
});
