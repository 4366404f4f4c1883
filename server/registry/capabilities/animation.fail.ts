/** The character is sorry that something went wrong. Spec §2. */
import { defineAnimation } from './animation.ts';

export const animationFail = defineAnimation('animation.fail', 'The character is sorry that something went wrong.');
