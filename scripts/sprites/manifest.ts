/** Writes down what a character's sheets hold, and which clip stands for which capability. */
import type { CharacterManifest, Mapping } from '../../server/protocol/character.ts';
import { animationCelebrate } from '../../server/registry/capabilities/animation.celebrate.ts';
import { animationFail } from '../../server/registry/capabilities/animation.fail.ts';
import { animationGreet } from '../../server/registry/capabilities/animation.greet.ts';
import { animationSleep } from '../../server/registry/capabilities/animation.sleep.ts';
import { animationThink } from '../../server/registry/capabilities/animation.think.ts';
import { animationWait } from '../../server/registry/capabilities/animation.wait.ts';
import { animationWork } from '../../server/registry/capabilities/animation.work.ts';
import type { DrawnCharacter } from './drawn.ts';
import type { Layout, Sheet } from './sheet.ts';

/** The capabilities of the protocol by the name of the clip that shows them. */
export const SHOWN_BY = {
  greet: animationGreet.id,
  celebrate: animationCelebrate.id,
  work: animationWork.id,
  think: animationThink.id,
  wait: animationWait.id,
  fail: animationFail.id,
  sleep: animationSleep.id,
} as const;

/** Says that the character has a clip of its own for each of `clips`. */
export const showing = (clips: readonly (keyof typeof SHOWN_BY)[]): Readonly<Record<string, Mapping>> =>
  Object.fromEntries(clips.map((clip) => [SHOWN_BY[clip], { clip, basis: 'declared' }]));

const toImage = ({ name, columns, rows }: Sheet, { w, h, scale }: CharacterManifest['canvas']) => ({
  id: name,
  file: `${name}.png`,
  w: columns * w * scale,
  h: rows * h * scale,
  grid: { columns, rows, cellW: w * scale, cellH: h * scale },
});

/** The manifest of `character` whose frames stand as `layout` says. */
export function toManifest({ facts }: DrawnCharacter, { sheets, clips }: Layout): CharacterManifest {
  const { id, version, displayName, description, authors, license, canvas, anchor, contentBox, ...abilities } = facts;
  return {
    schema: 'desktop-companion.character/1',
    ...{ id, version, displayName, description, authors, license, canvas, anchor, contentBox },
    images: sheets.map((sheet) => toImage(sheet, canvas)),
    clips,
    ...abilities,
  };
}
