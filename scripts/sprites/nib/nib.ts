/** Nib, a drop of ink: the character that is there from the beginning and can do everything. */
import { DEFAULT_CHARACTER } from '../../../server/protocol/settings.ts';
import { type DrawnCharacter, drawClips } from '../drawn.ts';
import { showing } from '../manifest.ts';
import { CLIPS } from './clips.ts';
import { CANVAS, DEFS, drawFigure } from './figure.ts';

export const nib: DrawnCharacter = {
  facts: {
    id: DEFAULT_CHARACTER,
    version: '1.0.0',
    displayName: { default: 'Nib', zh: '小墨' },
    description: {
      default: 'A drop of ink with a quill for a tuft, happy to be of use.',
      zh: '一滴顶着羽毛笔的小墨水，很乐意帮忙。',
    },
    authors: [{ name: 'The companion project' }],
    license: 'MIT',
    canvas: { w: CANVAS, h: CANVAS, scale: 2, scaling: 'smooth' },
    anchor: { x: 0.5, y: 0.93 },
    contentBox: { x: 22, y: 15, w: 84, h: 106 },
    capabilities: showing(['greet', 'celebrate', 'work', 'think', 'wait', 'fail', 'sleep']),
    substitutes: {},
  },
  defs: DEFS,
  clips: drawClips(CLIPS, drawFigure),
};
