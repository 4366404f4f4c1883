/** The schema of a request snapshot: every field always there, null when empty (R3). */
import { REASONS, STATUSES } from '../protocol/status.ts';

const INSTANT = { type: 'string', format: 'date-time' } as const;
const INSTANT_OR_NULL = { type: ['string', 'null'], format: 'date-time' } as const;
const TEXT_OR_NULL = { type: ['string', 'null'] } as const;

const properties = {
  requestId: { type: 'string' },
  runtimeInstanceId: { type: 'string' },
  capability: { type: 'string' },
  capabilityVersion: { type: 'string' },
  taskId: TEXT_OR_NULL,
  status: { enum: [...STATUSES] },
  revision: { type: 'integer', minimum: 1 },
  reason: { enum: [null, ...Object.keys(REASONS)] },
  createdAt: INSTANT,
  deadlineAt: INSTANT,
  displayedAt: INSTANT_OR_NULL,
  endedAt: INSTANT_OR_NULL,
  retainedUntil: INSTANT_OR_NULL,
  resolvedCapability: { type: 'string' },
  resolvedStyle: { type: 'string' },
  resolvedCharacter: { type: 'string' },
  substituteReason: TEXT_OR_NULL,
  control: {
    anyOf: [
      { type: 'null' },
      {
        type: 'object',
        properties: {
          action: { enum: ['pause', 'resume', 'cancel'] },
          seq: { type: 'integer', minimum: 1 },
          at: INSTANT,
        },
        required: ['action', 'seq', 'at'],
        additionalProperties: false,
      },
    ],
  },
  failure: TEXT_OR_NULL,
  /** Whatever the capability's output schema says; null until completed. */
  result: {},
} as const;

export const SNAPSHOT = {
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
} as const;

/** What `requests.wait` answers: a snapshot, and whether anything is newer than `afterRevision`. */
export const WAITED_SNAPSHOT = {
  type: 'object',
  properties: { ...properties, unchanged: { type: 'boolean' } },
  required: [...Object.keys(properties), 'unchanged'],
  additionalProperties: false,
} as const;
