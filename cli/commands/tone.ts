/** The option every card has. */
import { TONES } from '../../server/protocol/words.ts';

export const TONE_OPTION = {
  tone: { kind: 'text', value: 'TONE', help: TONES.join(', ') },
} as const;
