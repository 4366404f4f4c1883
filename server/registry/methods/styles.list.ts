/** The styles there are and the capabilities each fits. Spec §2, R1. */
import { defineMethod } from '../define.ts';
import { NO_PARAMS } from '../schema.ts';

const text = { type: 'string' } as const;

export const stylesList = defineMethod({
  name: 'styles.list',
  description: 'The styles there really are, and the capabilities each fits.',
  params: NO_PARAMS,
  result: {
    type: 'object',
    properties: {
      catalogRevision: { type: 'integer' },
      default: text,
      styles: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: text, description: text, capabilities: { type: 'array', items: text } },
          required: ['id', 'description', 'capabilities'],
          additionalProperties: false,
        },
      },
    },
    required: ['catalogRevision', 'default', 'styles'],
    additionalProperties: false,
  },
  needs: 'discover',
  waits: false,
  errors: [],
  examples: { valid: [{}], invalid: [{ id: 'plain' }] },
});
