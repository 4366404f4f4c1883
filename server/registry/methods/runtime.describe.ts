/** What this runtime is, its limits, and what the caller may do. Spec §2, R1. */
import { PROTOCOL_VERSIONS } from '../../protocol/version.ts';
import { SCOPES } from '../../protocol/words.ts';
import { defineMethod } from '../define.ts';
import { NO_PARAMS } from '../schema.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

export const runtimeDescribe = defineMethod({
  name: 'runtime.describe',
  description: 'Name, versions, limits, state of access and overlay, retention, and what the presented key allows.',
  params: NO_PARAMS,
  result: {
    type: 'object',
    properties: {
      implementation: {
        type: 'object',
        properties: { name: text, version: text },
        required: ['name', 'version'],
        additionalProperties: false,
      },
      protocolVersions: { type: 'array', items: { enum: [...PROTOCOL_VERSIONS] } },
      runtimeInstanceId: text,
      startedAt: { type: 'string', format: 'date-time' },
      storageSince: { type: 'string', format: 'date-time' },
      access: { enum: ['off', 'on'] },
      accepting: {
        type: 'object',
        properties: {
          ok: flag,
          reason: { enum: [null, 'access_off', 'hidden', 'paused', 'overlay_down', 'storage'] },
        },
        required: ['ok', 'reason'],
        additionalProperties: false,
      },
      overlay: {
        type: 'object',
        properties: {
          state: { enum: ['up', 'starting', 'down'] },
          backend: { enum: ['x11', 'xwayland', 'window', 'headless'] },
          transparent: flag,
          alwaysOnTop: flag,
          clickThrough: flag,
          positioned: flag,
        },
        required: ['state', 'backend', 'transparent', 'alwaysOnTop', 'clickThrough', 'positioned'],
        additionalProperties: false,
      },
      reducedMotion: {
        type: 'object',
        properties: { on: flag, by: { enum: ['system', 'user', null] } },
        required: ['on', 'by'],
        additionalProperties: false,
      },
      limits: { type: 'object', additionalProperties: { type: 'number' } },
      retention: {
        type: 'object',
        properties: { resultMs: { type: 'integer' }, tombstoneMs: { type: 'integer' } },
        required: ['resultMs', 'tombstoneMs'],
        additionalProperties: false,
      },
      authorization: {
        anyOf: [
          { type: 'null' },
          {
            type: 'object',
            properties: { clientId: text, name: text, scopes: { type: 'array', items: { enum: [...SCOPES] } } },
            required: ['clientId', 'name', 'scopes'],
            additionalProperties: false,
          },
        ],
      },
    },
    required: [
      'implementation',
      'protocolVersions',
      'runtimeInstanceId',
      'startedAt',
      'storageSince',
      'access',
      'accepting',
      'overlay',
      'reducedMotion',
      'limits',
      'retention',
      'authorization',
    ],
    additionalProperties: false,
  },
  needs: 'nothing',
  waits: false,
  errors: [],
  examples: { valid: [{}], invalid: [{ verbose: true }, []] },
});
