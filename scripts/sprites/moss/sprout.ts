/** The sprout on Moss's head: stem, two leaves, and the flower it opens for a friend. */
import { GREEN, PALETTE } from './palette.ts';
import { blank, type Pixels, put, stamp } from './pixels.ts';
import type { Pose } from './pose.ts';
import { MIDDLE } from './stone.ts';

/** By how far it has opened; each is centred on the end of the stem. */
const FLOWERS: readonly (readonly string[])[] = [
  [],
  ['.pp.', 'pqqp', '.gg.'],
  ['.p.pp.', 'pppppp', 'pqYYqp', '.gqqg.'],
  ['..pp.pp..', '.ppppppp.', 'pppqYqppp', 'ppqYYYqpp', '.pqYyYqp.', '.ppqYqpp.', '..pp.pp..'],
];

/** A leaf from (x, y) in direction `angle` (degrees, 0 is right, clockwise), lit on its upper half. */
function drawLeaf(pixels: Pixels, x: number, y: number, angle: number, length: number): void {
  const [along, across] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  for (let dy = -length; dy <= length; dy += 1)
    for (let dx = -length; dx <= length; dx += 1) {
      const u = (dx * along + dy * across) / length;
      const v = dy * along - dx * across;
      if (u < 0 || u > 1) continue;
      const half = 2.7 * Math.sin(Math.PI * u ** 0.75);
      if (Math.abs(v) > half) continue;
      const isUpper = along > 0 ? v < -0.4 : v > 0.4;
      put(pixels, x + dx, y + dy, Math.abs(v) <= 0.5 ? GREEN.deep : isUpper ? GREEN.light : GREEN.fair);
    }
}

/** Where the stem is aside at `height` of its `stem` pixels: it bends more the higher it is. */
const asideAt = (height: number, { sway, stem }: Pose): number => Math.round(sway * (height / stem) ** 1.6);

/** The sprout that stands on row `crown`. */
export function drawSprout(pose: Pose, crown: number): Pixels {
  const pixels = blank();
  for (let height = -2; height <= pose.stem; height += 1) {
    const x = MIDDLE - 1 + asideAt(Math.max(0, height), pose);
    put(pixels, x, crown - height, GREEN.fair);
    put(pixels, x + 1, crown - height, GREEN.mid);
  }
  const [x, y] = [MIDDLE + asideAt(pose.stem, pose), crown - pose.stem];
  const [hang, turn] = [pose.droop * 80, pose.sway * 5];
  const joint = pose.flower > 0 ? y + 3 : y;
  drawLeaf(pixels, x + 1, joint, -30 + hang + turn, 11);
  drawLeaf(pixels, x - 2, joint, 212 - hang + turn, 10);
  const flower = FLOWERS[pose.flower]!;
  stamp(pixels, flower, PALETTE, x - Math.ceil((flower[0]?.length ?? 0) / 2), y - flower.length + 2);
  return pixels;
}
