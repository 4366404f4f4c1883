/** A capability's contract as it goes over the wire, and the schema of it: every field stated (spec §2, R2). */
import { COMPLETIONS, KINDS, SCOPES } from '../protocol/words.ts';
import type { AnyCapability } from './define.ts';
import type { Schema } from './schema.ts';

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const flag = { type: 'boolean' } as const;
const properties = {
  id: text,
  version: text,
  description: text,
  characters: { anyOf: [{ const: 'all' }, texts] },
  kind: { enum: [...KINDS] },
  interaction: text,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  requiredScopes: { type: 'array', items: { enum: [...SCOPES] } },
  updatableFields: texts,
  completion: { enum: [...COMPLETIONS] },
  cancelable: flag,
  queue: {
    type: 'object',
    properties: { evictable: flag, interruptible: flag },
    required: ['evictable', 'interruptible'],
    additionalProperties: false,
  },
  whenUnavailable: {
    type: 'object',
    properties: {
      hidden: { const: 'cancel' },
      paused: { const: 'cancel' },
      doNotDisturb: { enum: ['suppress', 'show'] },
    },
    required: ['hidden', 'paused', 'doNotDisturb'],
    additionalProperties: false,
  },
  styles: texts,
  limits: {
    type: 'object',
    properties: {
      defaultTimeoutMs: { type: 'integer' },
      maxTimeoutMs: { type: 'integer' },
      maxUnfinishedPerClient: { type: 'integer' },
    },
    required: ['defaultTimeoutMs', 'maxTimeoutMs', 'maxUnfinishedPerClient'],
    additionalProperties: false,
  },
} as const;

export const CONTRACT = {
  type: 'object',
  properties,
  required: Object.keys(properties) as (keyof typeof properties)[],
  additionalProperties: false,
} as const;

export interface Contract {
  readonly id: string;
  readonly version: string;
  readonly description: string;
  readonly characters: 'all' | readonly string[];
  readonly kind: AnyCapability['kind'];
  readonly interaction: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly requiredScopes: AnyCapability['requiredScopes'];
  readonly updatableFields: readonly string[];
  readonly completion: AnyCapability['completion'];
  readonly cancelable: boolean;
  readonly queue: AnyCapability['queue'];
  readonly whenUnavailable: AnyCapability['whenUnavailable'];
  readonly styles: readonly string[];
  readonly limits: AnyCapability['limits'];
}

/** What a contract says beside what the capability says of itself. */
export interface Circumstances {
  /** IDs of the characters that map it to a clip of theirs. */
  readonly able: readonly string[];
  /** Styles that fit it now. */
  readonly styles: readonly string[];
  /** A client may not have more unfinished requests in all. */
  readonly maxUnfinishedPerClient: number;
}

/** The contract of `capability`. */
export function toContract(
  capability: AnyCapability,
  { able, styles, maxUnfinishedPerClient }: Circumstances,
): Contract {
  return {
    id: capability.id,
    version: capability.version,
    description: capability.description,
    characters: capability.characters === 'all' ? 'all' : able,
    kind: capability.kind,
    interaction: capability.interaction,
    inputSchema: capability.input,
    outputSchema: capability.output,
    requiredScopes: capability.requiredScopes,
    updatableFields: capability.updatableFields,
    completion: capability.completion,
    cancelable: capability.cancelable,
    queue: capability.queue,
    whenUnavailable: capability.whenUnavailable,
    styles,
    limits: {
      ...capability.limits,
      maxUnfinishedPerClient: Math.min(capability.limits.maxUnfinishedPerClient, maxUnfinishedPerClient),
    },
  };
}
