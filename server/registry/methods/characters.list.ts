/** The characters there are, and what each can do. Spec §2, R1. */
import { defineMethod } from '../define.ts';
import { NO_PARAMS } from '../schema.ts';

const text = { type: 'string' } as const;
const ids = { type: 'array', items: text } as const;

export const charactersList = defineMethod({
  name: 'characters.list',
  description: 'All characters that can be used, the current one, and the capabilities and styles of each.',
  params: NO_PARAMS,
  result: {
    type: 'object',
    properties: {
      catalogRevision: { type: 'integer' },
      current: text,
      characters: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: text,
            version: text,
            displayName: text,
            description: text,
            builtIn: { type: 'boolean' },
            capabilities: ids,
            substitutes: {
              type: 'array',
              items: {
                type: 'object',
                properties: { capability: text, uses: text, reason: text },
                required: ['capability', 'uses', 'reason'],
                additionalProperties: false,
              },
            },
            styles: ids,
          },
          required: ['id', 'version', 'displayName', 'description', 'builtIn', 'capabilities', 'substitutes', 'styles'],
          additionalProperties: false,
        },
      },
      unavailable: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: text, reason: text },
          required: ['id', 'reason'],
          additionalProperties: false,
        },
      },
    },
    required: ['catalogRevision', 'current', 'characters', 'unavailable'],
    additionalProperties: false,
  },
  needs: 'discover',
  waits: false,
  errors: [],
  examples: { valid: [{}], invalid: [{ id: 'x' }] },
});
