/** The character says hello. Spec §2. */
import { defineAnimation } from './animation.ts';

export const animationGreet = defineAnimation('animation.greet', 'The character says hello.');
