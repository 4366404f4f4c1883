/** The character is glad that something went well. Spec §2. */
import { defineAnimation } from './animation.ts';

export const animationCelebrate = defineAnimation(
  'animation.celebrate',
  'The character is glad that something went well.',
);
