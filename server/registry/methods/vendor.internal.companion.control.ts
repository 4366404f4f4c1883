/** The user's own switches, for a launcher or a short command; its scope, of the same name, stands alone on a key. docs/auth-profile.md, R17. */
import { CONTROL_SCOPE } from '../../protocol/words.ts';
import { defineMethod } from '../define.ts';

const flag = { type: 'boolean' } as const;

export const vendorControl = defineMethod({
  name: CONTROL_SCOPE,
  description:
    'Show or hide the figure, pause or resume outside requests, or switch do-not-disturb: the only way from outside to any of them. `on` goes with `dnd`, always and only.',
  params: {
    type: 'object',
    properties: { action: { enum: ['show', 'hide', 'pause', 'resume', 'dnd'] }, on: flag },
    required: ['action'],
    additionalProperties: false,
    if: { properties: { action: { const: 'dnd' } } },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { required: ['on'] },
    else: { properties: { on: false } },
  },
  result: {
    type: 'object',
    properties: { hidden: flag, paused: flag, doNotDisturb: flag },
    required: ['hidden', 'paused', 'doNotDisturb'],
    additionalProperties: false,
  },
  needs: 'control',
  waits: false,
  errors: ['RUNTIME_UNAVAILABLE'],
  examples: {
    valid: [{ action: 'show' }, { action: 'hide' }, { action: 'dnd', on: true }, { action: 'dnd', on: false }],
    invalid: [
      {},
      { action: 'access' },
      { action: 'dnd' },
      { action: 'dnd', on: 1 },
      { action: 'show', on: true },
      { action: 'show', clientId: 'other' },
    ],
  },
});
