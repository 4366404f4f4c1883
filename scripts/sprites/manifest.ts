/** Writes down what the sheet holds, and which clip stands for which capability. */
import type { CharacterManifest } from '../../server/protocol/character.ts';
import { DEFAULT_CHARACTER } from '../../server/protocol/settings.ts';
import { animationCelebrate } from '../../server/registry/capabilities/animation.celebrate.ts';
import { animationFail } from '../../server/registry/capabilities/animation.fail.ts';
import { animationGreet } from '../../server/registry/capabilities/animation.greet.ts';
import { animationSleep } from '../../server/registry/capabilities/animation.sleep.ts';
import { animationThink } from '../../server/registry/capabilities/animation.think.ts';
import { animationWait } from '../../server/registry/capabilities/animation.wait.ts';
import { animationWork } from '../../server/registry/capabilities/animation.work.ts';
import type { ClipName } from './clips.ts';
import type { Sheet } from './sheet.ts';

const SHOWS: readonly (readonly [{ readonly id: string }, ClipName])[] = [
  [animationGreet, 'greet'],
  [animationCelebrate, 'celebrate'],
  [animationWork, 'work'],
  [animationThink, 'think'],
  [animationWait, 'wait'],
  [animationFail, 'fail'],
  [animationSleep, 'sleep'],
];

const IMAGE = 'main';
const FALLBACK: ClipName = 'idle';

/** The manifest of a sheet whose cells are `canvas` units square at `scale` image px each. */
export function toManifest(sheet: Sheet, canvas: number, scale: number): CharacterManifest {
  const side = canvas * scale;
  const clips = sheet.clips.map(({ name, clip, cells }) => {
    const frames = clip.shots.map(({ ms }, index) => ({ image: IMAGE, cell: cells[index]!, duration: ms }));
    const { loop, stillFrame } = clip;
    return [name, { frames, loop, stillFrame, ...(loop === true ? {} : { fallback: FALLBACK }) }] as const;
  });
  return {
    schema: 'desktop-companion.character/1',
    id: DEFAULT_CHARACTER,
    version: '1.0.0',
    displayName: { default: 'Nib', zh: '小墨' },
    description: {
      default: 'A drop of ink with a quill for a tuft, happy to be of use.',
      zh: '一滴顶着羽毛笔的小墨水，很乐意帮忙。',
    },
    authors: [{ name: 'The companion project' }],
    license: 'MIT',
    canvas: { w: canvas, h: canvas, scale, scaling: 'smooth' },
    anchor: { x: 0.5, y: 0.93 },
    contentBox: { x: 22, y: 15, w: 84, h: 106 },
    images: [
      {
        id: IMAGE,
        file: 'sheet.png',
        w: sheet.columns * side,
        h: sheet.rows * side,
        grid: { columns: sheet.columns, rows: sheet.rows, cellW: side, cellH: side },
      },
    ],
    clips: Object.fromEntries(clips),
    capabilities: Object.fromEntries(SHOWS.map(([{ id }, clip]) => [id, { clip, basis: 'declared' }])),
    substitutes: {},
  };
}
