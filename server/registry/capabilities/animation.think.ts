/** The character ponders. Spec §2. */
import { defineAnimation } from './animation.ts';

export const animationThink = defineAnimation('animation.think', 'The character ponders.');
