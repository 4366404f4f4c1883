/** Moss, a stone with a sprout: draws one pose in pixels, a grid of 64 x 64 on a canvas of twice as many CSS px. */
import { drawFace } from './face.ts';
import { INK, PALETTE, RIM } from './palette.ts';
import { above, blank, moved, outlined, type Pixels, put, SIDE, stacked, stamp, toSvg } from './pixels.ts';
import type { Pose } from './pose.ts';
import { drawProp } from './props.ts';
import { drawSprout } from './sprout.ts';
import { BOTTOM, drawStone, MIDDLE } from './stone.ts';

export const CANVAS = 128;
/** The row below the feet. */
const GROUND = 60;
/** Where a hand holds it by its sprout. */
const GRIP = 10;

const FOOT = ['.SSSSSSS.', 'SSSSSSSSS', 'SSSSSSSSs', '.sssssss.'];
const FOOT_APART = 13;
const SHADOW = { core: '#16142844', edge: '#16142822', height: 3 };

/** Both feet; a raised or swung one keeps its shape. */
function drawFeet({ leftFoot, rightFoot }: Pose): Pixels {
  const feet = blank();
  const top = GROUND - 1 - FOOT.length;
  stamp(feet, FOOT, PALETTE, MIDDLE - FOOT_APART + leftFoot.x, top + leftFoot.y);
  stamp(feet, FOOT, PALETTE, MIDDLE + FOOT_APART - FOOT[0]!.length + rightFoot.x, top + rightFoot.y);
  return outlined(feet, INK);
}

/** A flat ellipse on the ground, fainter towards its edge. */
function drawShadow(share: number): Pixels {
  const pixels = blank();
  for (let y = -SHADOW.height; y < SHADOW.height; y += 1)
    for (let x = 0; x < SIDE; x += 1) {
      const far = Math.hypot((x + 0.5 - MIDDLE) / (21 * (0.5 + 0.5 * share)), (y + 0.5) / SHADOW.height);
      if (far < 1) put(pixels, x, GROUND + y, far < 0.8 ? SHADOW.core : SHADOW.edge);
    }
  return pixels;
}

/** How far row `y` is aside: held, all hangs from the grip; standing, it leans about its feet. */
const asideOf =
  ({ lean, swing }: Pose) =>
  (y: number): number =>
    Math.round((lean * (BOTTOM - y)) / 40 + (swing * (y - GRIP)) / 48);

function drawBody(pose: Pose): Pixels {
  const { pixels, faceTop, crown } = drawStone(pose.stretch);
  drawFace(pixels, pose, faceTop);
  const body = stacked(outlined(drawSprout(pose, crown), INK), drawFeet(pose), outlined(pixels, INK));
  return moved(body, asideOf(pose), pose.y + pose.sunk);
}

/** The SVG of one frame, CANVAS CSS px square. */
export function drawFigure(pose: Pose): string {
  const earth = pose.props.filter(({ kind }) => kind === 'earth').flatMap(drawProp);
  const others = pose.props.filter(({ kind }) => kind !== 'earth').flatMap(drawProp);
  const body = pose.sunk > 0 ? above(drawBody(pose), GROUND - 2) : drawBody(pose);
  const figure = outlined(stacked(body, ...earth, ...others), RIM);
  return toSvg(stacked(pose.shadow > 0 ? drawShadow(pose.shadow) : blank(), figure), CANVAS);
}
