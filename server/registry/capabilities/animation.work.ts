/** The character is busy with something. Spec §2. */
import { defineAnimation } from './animation.ts';

export const animationWork = defineAnimation('animation.work', 'The character is busy with something.');
