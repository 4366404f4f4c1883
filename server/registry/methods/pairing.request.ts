/** Asks the user to admit a program. docs/auth-profile.md, R7. */
import { CLIENT_SCOPES, CONTROL_SCOPE } from '../../protocol/words.ts';
import { defineMethod } from '../define.ts';
import { line, prose } from '../schema.ts';

export const pairingRequest = defineMethod({
  name: 'pairing.request',
  description: 'Show a pairing card. The user compares the code, may drop scopes or rename, and approves or denies.',
  params: {
    type: 'object',
    properties: {
      name: line(64),
      scopes: {
        type: 'array',
        minItems: 1,
        maxItems: 8,
        uniqueItems: true,
        items: { enum: [...CLIENT_SCOPES, CONTROL_SCOPE] },
      },
      about: prose(280),
    },
    required: ['name', 'scopes'],
    additionalProperties: false,
  },
  result: {
    type: 'object',
    properties: {
      pairingId: { type: 'string' },
      pairingSecret: { type: 'string' },
      code: { type: 'string', pattern: '^[0-9]{6}$' },
      expiresAt: { type: 'string', format: 'date-time' },
    },
    required: ['pairingId', 'pairingSecret', 'code', 'expiresAt'],
    additionalProperties: false,
  },
  needs: 'nothing',
  waits: false,
  errors: ['RUNTIME_UNAVAILABLE', 'RATE_LIMITED'],
  examples: {
    valid: [
      { name: 'my script', scopes: ['discover', 'notify'] },
      { name: 'agent', scopes: ['interact'], about: 'Asks before it deploys.' },
    ],
    invalid: [
      { name: 'a' },
      { name: '', scopes: ['notify'] },
      { name: 'a', scopes: [] },
      { name: 'a', scopes: ['root'] },
      { name: 'a', scopes: ['notify', 'notify'] },
    ],
  },
});
