/** The fields of a progress card as options, and the answer of the verbs that change one. */
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import type { Options, Values } from '../../args.ts';
import { known } from '../../client/known.ts';
import type { ProgressFields } from '../../client/options.ts';
import { TONE_OPTION } from '../tone.ts';

export const PROGRESS_OPTIONS = {
  percent: { kind: 'number', value: 'N', help: '0 to 100; without it, nobody knows how far it is' },
  message: { kind: 'text', value: 'M', help: 'what is being done' },
  phase: { kind: 'text', value: 'P', help: 'a short name of the step' },
  ...TONE_OPTION,
} as const satisfies Options;

/** The fields that were given. */
export const progressFields = ({ percent, message, phase, tone }: Values<typeof PROGRESS_OPTIONS>): ProgressFields =>
  known({ percent, message, phase, tone });

/** What the user last pressed (`pause`, `resume`, `cancel`), so that a script can heed it. */
export const pressed = ({ control }: Snapshot): string | null => control?.action ?? null;
