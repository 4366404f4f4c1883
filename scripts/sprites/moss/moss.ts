/** Moss, a stone with a sprout: quiet company that neither works nor jumps for joy, and says what it does instead. */
import { type DrawnCharacter, drawClips } from '../drawn.ts';
import { SHOWN_BY, showing } from '../manifest.ts';
import { CLIPS } from './clips.ts';
import { CANVAS, drawFigure } from './figure.ts';

export const moss: DrawnCharacter = {
  facts: {
    id: 'builtin.moss',
    version: '1.0.0',
    displayName: { default: 'Moss', zh: '青苔' },
    description: {
      default: 'A mossy stone in pixels, with a sprout on its head. Never in a hurry.',
      zh: '一块像素画的小石头，披着青苔，头顶嫩芽，从不着急。',
    },
    authors: [{ name: 'The companion project' }],
    license: 'MIT',
    canvas: { w: CANVAS, h: CANVAS, scale: 1, scaling: 'pixelated' },
    anchor: { x: 0.5, y: 0.93 },
    contentBox: { x: 22, y: 20, w: 84, h: 100 },
    capabilities: showing(['greet', 'think', 'wait', 'fail', 'sleep']),
    substitutes: {
      [SHOWN_BY.celebrate]: {
        capability: SHOWN_BY.greet,
        reason: 'A stone does not jump for joy; Moss opens its flower instead.',
      },
      [SHOWN_BY.work]: {
        capability: SHOWN_BY.think,
        reason: 'A stone has no hands to work with; Moss thinks it over instead.',
      },
    },
  },
  defs: '',
  clips: drawClips(CLIPS, drawFigure),
};
