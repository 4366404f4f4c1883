/** A client gives its own key back. docs/auth-profile.md. */
import { defineMethod } from '../define.ts';
import { NO_PARAMS } from '../schema.ts';

export const authRevokeSelf = defineMethod({
  name: 'auth.revokeSelf',
  description: "Revoke the presented key: cancels the client's unfinished requests and clears its results.",
  params: NO_PARAMS,
  result: {
    type: 'object',
    properties: { revoked: { const: true } },
    required: ['revoked'],
    additionalProperties: false,
  },
  needs: 'key',
  waits: false,
  errors: ['RUNTIME_UNAVAILABLE'],
  examples: { valid: [{}], invalid: [{ clientId: 'other' }] },
});
