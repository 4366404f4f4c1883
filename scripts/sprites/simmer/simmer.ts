/** Simmer, a tea kettle: can do everything, and knows when it is time for a cup of tea. */
import { type DrawnCharacter, drawClips } from '../drawn.ts';
import { showing } from '../manifest.ts';
import { CLIPS } from './clips.ts';
import { CANVAS, DEFS, drawFigure } from './figure.ts';

const TEA = 'vendor.internal.companion.tea';

export const simmer: DrawnCharacter = {
  facts: {
    id: 'builtin.simmer',
    version: '1.0.0',
    displayName: { default: 'Simmer', zh: '咕嘟' },
    description: {
      default: 'A tea kettle with a lively face, who tips its lid to you and pours a cup when it is time for a break.',
      zh: '一只表情丰富的小茶壶，会掀起壶盖向你问好，该休息时为你倒一杯茶。',
    },
    authors: [{ name: 'The companion project' }],
    license: 'MIT',
    canvas: { w: CANVAS, h: CANVAS, scale: 2, scaling: 'smooth' },
    anchor: { x: 0.5, y: 0.93 },
    contentBox: { x: 17, y: 12, w: 101, h: 108 },
    capabilities: {
      ...showing(['greet', 'celebrate', 'work', 'think', 'wait', 'fail', 'sleep']),
      [TEA]: { clip: 'tea', basis: 'declared' },
    },
    declares: {
      [TEA]: {
        description: {
          default: 'The character pours a cup of tea: time for a break.',
          zh: '角色倒一杯茶：该休息一下了。',
        },
      },
    },
    substitutes: {},
  },
  defs: DEFS,
  clips: drawClips(CLIPS, drawFigure),
};
