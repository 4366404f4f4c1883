/** Simmer's face: light on a dark round screen. */
import { svg } from '../svg.ts';
import { INK } from './ink.ts';
import type { Eyes, Mouth, Pose } from './pose.ts';

const GLOW = '#93fbdc';
const DIM = '#4f8f92';

const line = (d: string, width: number, colour = GLOW): string =>
  svg`<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** A lit capsule; `cut` takes that share away from above. */
function lamp(x: number, y: number, rx: number, ry: number, cut = 0): string {
  const top = y - ry + 2 * ry * cut;
  const height = 2 * ry * (1 - cut);
  const round = Math.min(rx, height / 2);
  return svg`<rect x="${x - rx}" y="${top}" width="${rx * 2}" height="${height}" rx="${round}" fill="${GLOW}"/>
    <ellipse cx="${x - rx * 0.3}" cy="${top + height * 0.26}" rx="${rx * 0.36}" ry="${height * 0.13}" fill="#fff" opacity="0.9"/>`;
}

/** `side` is -1 for the left eye and 1 for the right one. */
function eye(kind: Eyes, x: number, y: number, side: number): string {
  switch (kind) {
    case 'open':
      return lamp(x, y, 3.9, 5.8);
    case 'wide':
      return lamp(x, y - 0.4, 4.9, 6.6);
    case 'half':
      return lamp(x, y, 3.9, 5.6, 0.46);
    case 'closed':
      return line(svg`M${x - 4.2} ${y + 1.4} L${x + 4.2} ${y + 1.4}`, 2.8);
    case 'dim':
      return line(svg`M${x - 4.4} ${y + 0.6} Q${x} ${y + 4.4} ${x + 4.4} ${y + 0.6}`, 2.6, DIM);
    case 'happy':
      return line(svg`M${x - 4.8} ${y + 2.6} Q${x} ${y - 6.2} ${x + 4.8} ${y + 2.6}`, 3.2);
    case 'sad':
      return svg`${lamp(x, y + 0.6, 3.9, 5.2)}<path d="M${x - 6} ${y - 1.2 - side * 3} L${x + 6} ${y - 1.2 + side * 3} L${x + 6} ${y - 8} L${x - 6} ${y - 8} Z" fill="#212f50"/>`;
    case 'squeeze':
      return line(svg`M${x + side * 3.6} ${y - 4} L${x - side * 3.4} ${y} L${x + side * 3.6} ${y + 4}`, 2.8);
  }
}

function mouth(kind: Mouth, x: number, y: number): string {
  switch (kind) {
    case 'smile':
      return line(svg`M${x - 4} ${y - 0.8} Q${x} ${y + 3.4} ${x + 4} ${y - 0.8}`, 2.2);
    case 'tiny':
      return line(svg`M${x - 1.8} ${y} Q${x} ${y + 1.4} ${x + 1.8} ${y}`, 2.2);
    case 'flat':
      return line(svg`M${x - 3.4} ${y + 0.4} L${x + 3.4} ${y}`, 2.2);
    case 'frown':
      return line(svg`M${x - 3.8} ${y + 2} Q${x} ${y - 2} ${x + 3.8} ${y + 2}`, 2.2);
    case 'wobble':
      return line(svg`M${x - 5} ${y + 1} q1.7 -2.6 3.3 0 t3.4 0 t3.3 0`, 2.1);
    case 'round':
      return svg`<ellipse cx="${x}" cy="${y + 0.6}" rx="2.5" ry="2.9" fill="${GLOW}"/>`;
    case 'grin':
      return svg`<path d="M${x - 5.4} ${y - 1.8} L${x + 5.4} ${y - 1.8} Q${x + 4.6} ${y + 4.6} ${x} ${y + 4.6} Q${x - 4.6} ${y + 4.6} ${x - 5.4} ${y - 1.8} Z" fill="${GLOW}" stroke="${GLOW}" stroke-width="1.2" stroke-linejoin="round"/>`;
    case 'none':
      return '';
  }
}

/** The screen with everything on it, in body coordinates. */
export function drawFace({ eyes, gaze, mouth: lips, blush }: Pose): string {
  const [x, y]: [number, number] = [60 + gaze.x, 77.5 + gaze.y];
  const cheek = (cx: number): string =>
    svg`<ellipse cx="${cx}" cy="${y + 8.6}" rx="3.6" ry="2.1" fill="#ff8d9e" opacity="${blush}"/>`;
  return svg`<rect x="36" y="62.5" width="48" height="35" rx="16.5" fill="url(#brass)" stroke="${INK}" stroke-width="2.2"/>
    <rect x="39.4" y="65.8" width="41.2" height="28.4" rx="13.6" fill="url(#screen)" stroke="${INK}" stroke-width="1.6"/>
    ${eye(eyes, x - 9.6, y, -1)}${eye(eyes, x + 9.6, y, 1)}${cheek(x - 15)}${cheek(x + 15)}${mouth(lips, x, y + 9.6)}
    <path d="M43.6 74 C44.4 70.6 47 68.6 50.4 68.2" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" opacity="0.4"/>`;
}
