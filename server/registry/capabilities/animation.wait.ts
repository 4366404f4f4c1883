/** The character waits for the user. Spec §2. */
import { defineAnimation } from './animation.ts';

export const animationWait = defineAnimation('animation.wait', 'The character waits for the user.');
