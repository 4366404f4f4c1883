/** The seven animations differ in name and meaning only; a character maps each to a clip of its own. Spec §2. */
import { LIMITS } from '../../protocol/limits.ts';
import { type AnyCapability, defineCapability, noAnswer, noFaults } from '../define.ts';
import { NO_OUTPUT, NO_PARAMS } from '../schema.ts';
import { CLIP_STYLES } from '../styles.ts';

const Input = {
  type: 'object',
  properties: { loops: { type: 'integer', minimum: 1, maximum: 20 } },
  additionalProperties: false,
} as const;

/** Declares one animation. Its run ends after `loops` rounds of the clip or LIMITS.maxAnimationMs, whichever is first. */
export const defineAnimation = (id: string, description: string): AnyCapability =>
  defineCapability({
    id,
    version: '0.1.0',
    description,
    characters: 'mapped',
    kind: 'animation',
    interaction: 'none',
    input: Input,
    output: NO_OUTPUT,
    requiredScopes: ['animate'],
    updatableFields: [],
    update: NO_PARAMS,
    completion: 'clip_end',
    cancelable: true,
    queue: { evictable: false, interruptible: false },
    whenUnavailable: { hidden: 'cancel', paused: 'cancel', doNotDisturb: 'show' },
    styles: CLIP_STYLES,
    limits: {
      defaultTimeoutMs: 60_000,
      maxTimeoutMs: LIMITS.maxTimeoutMs,
      maxUnfinishedPerClient: LIMITS.maxAnimationsPerClient,
    },
    check: noFaults,
    checkResult: noFaults,
    checkUpdate: noFaults,
    present: ({ loops }) => ({ view: 'clip', loops: loops ?? 1 }),
    wordAnswer: noAnswer,
    examples: {
      valid: [{}, { loops: 3 }],
      invalid: [{ loops: 0 }, { loops: 21 }, { loops: 1.5 }, { loops: '1' }, { speed: 2 }, []],
      results: { valid: [null], invalid: [{}, true] },
    },
  });
