/** The character sleeps. Spec §2. */
import { defineAnimation } from './animation.ts';

export const animationSleep = defineAnimation('animation.sleep', 'The character sleeps.');
