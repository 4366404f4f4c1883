/** Nib's face: eyes, brows, mouth and cheeks on the pale mask. */
import { type Point, svg } from '../svg.ts';
import type { Eyes, Mouth, Pose } from './pose.ts';

const INK = '#1b1947';
const stroke = (width: number): string =>
  svg`fill="none" stroke="${INK}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"`;

/** An eye as a glossy drop with two lights; `gaze` moves all of it a little and its lights with it. */
function glossy(x: number, y: number, rx: number, ry: number, gaze: Point): string {
  const [cx, cy] = [x + gaze.x, y + gaze.y];
  return svg`<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="url(#eye)"/>
    <ellipse cx="${cx - rx * 0.28}" cy="${cy - ry * 0.38}" rx="${rx * 0.4}" ry="${ry * 0.34}" fill="#fff"/>
    <circle cx="${cx + rx * 0.36}" cy="${cy + ry * 0.42}" r="${rx * 0.2}" fill="#fff" opacity="0.85"/>`;
}

/** A lid over the upper part of an eye: its edge falls by `slant` to the right of `y` and is arched by `arch`. */
function lidded(under: string, x: number, y: number, slant: number, arch: number): string {
  const edge = svg`${x - 5.8} ${y - slant} Q${x} ${y - arch} ${x + 5.8} ${y + slant}`;
  return svg`${under}<path d="M${edge} L${x + 6.4} ${y - 6.6} L${x - 6.4} ${y - 6.6} Z" fill="#fef6ec"/><path d="M${edge}" ${stroke(2)}/>`;
}

/** `side` is -1 for the left eye and 1 for the right one. */
function eye(kind: Eyes, x: number, y: number, side: number, gaze: Point): string {
  switch (kind) {
    case 'open':
      return glossy(x, y, 5.5, 7.2, gaze);
    case 'wide':
      return glossy(x, y - 0.5, 6.1, 8, gaze);
    case 'sad':
      return lidded(glossy(x, y + 0.8, 5.4, 6.6, gaze), x, y - 3, side * 2.2, 1.4);
    case 'half':
      return lidded(glossy(x, y + 0.8, 5.5, 6.4, gaze), x, y - 1.4, 0, 6.2);
    case 'closed':
      return svg`<path d="M${x - 5.6} ${y + 0.6} Q${x} ${y + 5} ${x + 5.6} ${y + 0.6}" ${stroke(2.5)}/>`;
    case 'happy':
      return svg`<path d="M${x - 5.8} ${y + 3} Q${x} ${y - 6.4} ${x + 5.8} ${y + 3}" ${stroke(2.8)}/>`;
    case 'squeeze':
      return svg`<path d="M${x - side * 4.6} ${y + 3.8} L${x + side * -4.6 + side * 9} ${y} L${x - side * 4.6} ${y - 3.8}"
        transform="rotate(180 ${x} ${y})" ${stroke(2.6)}/>`;
  }
}

function mouth(kind: Mouth, x: number, y: number): string {
  switch (kind) {
    case 'smile':
      return svg`<path d="M${x - 4.6} ${y - 0.4} Q${x} ${y + 4.4} ${x + 4.6} ${y - 0.4}" ${stroke(2.1)}/>`;
    case 'tiny':
      return svg`<path d="M${x - 2.4} ${y} Q${x} ${y + 2} ${x + 2.4} ${y}" ${stroke(2)}/>`;
    case 'flat':
      return svg`<path d="M${x - 3.4} ${y + 0.8} L${x + 3.4} ${y + 0.2}" ${stroke(2)}/>`;
    case 'frown':
      return svg`<path d="M${x - 4.4} ${y + 2.8} Q${x} ${y - 2} ${x + 4.4} ${y + 2.8}" ${stroke(2.1)}/>`;
    case 'wobble':
      return svg`<path d="M${x - 5.4} ${y + 2.4} Q${x - 3.4} ${y - 1.4} ${x - 1.4} ${y + 1} T${x + 2.2} ${y + 0.8} T${x + 5.6} ${y + 2.4}" ${stroke(2)}/>`;
    case 'round':
      return svg`<ellipse cx="${x}" cy="${y + 1.4}" rx="2.7" ry="3.3" fill="#7d2644" stroke="${INK}" stroke-width="1.6"/>`;
    case 'sleepy':
      return svg`<ellipse cx="${x + 0.4}" cy="${y + 1.2}" rx="2.1" ry="1.7" fill="#7d2644" stroke="${INK}" stroke-width="1.5"/>`;
    case 'sip':
      return svg`<path d="M${x - 1.6} ${y + 0.6} L${x + 1.6} ${y + 0.6}" ${stroke(2)}/>`;
    case 'grin':
      return svg`<path d="M${x - 6.6} ${y - 1.4} Q${x} ${y - 0.2} ${x + 6.6} ${y - 1.4} Q${x + 5.6} ${y + 7} ${x} ${y + 7} Q${x - 5.6} ${y + 7} ${x - 6.6} ${y - 1.4} Z"
          fill="#7d2644" stroke="${INK}" stroke-width="1.8" stroke-linejoin="round"/>
        <path d="M${x - 3.6} ${y + 5.2} Q${x} ${y + 2} ${x + 3.6} ${y + 5.2} Q${x} ${y + 6.8} ${x - 3.6} ${y + 5.2} Z" fill="#ff8f9c"/>`;
  }
}

const brow = (x: number, y: number, side: number, worry: number): string =>
  svg`<path d="M${x - 4.2} ${y + side * worry} Q${x} ${y - 1.6} ${x + 4.2} ${y - side * worry}" ${stroke(2)}/>`;

/** The mask with everything in it, in body coordinates. */
export function drawFace({ face, eyes, gaze, mouth: lips, brows, blush }: Pose): string {
  const [x, y] = [64 + face.x, 74 + face.y];
  const [left, right] = [x - 12.5 + face.x * 0.25, x + 12.5 + face.x * 0.25];
  return svg`<ellipse cx="${x - face.x * 0.3}" cy="${y + 2.5}" rx="27.5" ry="20.5" fill="url(#mask)"/>
    <ellipse cx="${x - 19.5}" cy="${y + 9}" rx="5.2" ry="3.3" fill="#ff8b94" opacity="${blush}"/>
    <ellipse cx="${x + 19.5}" cy="${y + 9}" rx="5.2" ry="3.3" fill="#ff8b94" opacity="${blush}"/>
    ${eye(eyes, left, y, -1, gaze)}${eye(eyes, right, y, 1, gaze)}
    ${brows === null ? '' : brow(left, y - 11.5, -1, -brows) + brow(right, y - 11.5, 1, -brows)}
    ${mouth(lips, x + face.x * 0.3, y + 11.5)}`;
}
