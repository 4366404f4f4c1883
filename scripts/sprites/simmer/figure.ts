/** Simmer, a tea kettle with a screen for a face: draws one pose as SVG on a canvas of 128 x 128 units. */
import { type Point, posture, RIM, svg } from '../svg.ts';
import { drawFace } from './face.ts';
import { INK } from './ink.ts';
import type { Pose, Prop } from './pose.ts';
import { drawProp } from './props.ts';

export const CANVAS = 128;
/** Where the feet stand. */
const GROUND = 116;
/** The figure is designed on the whole canvas and drawn smaller, to leave room for jumps and signs. */
const SCALE = 0.94;
/** The kettle's middle; its spout takes the rest of the width. */
const MIDDLE = 60;
/** Where a hand holds it by its handle. */
const GRIP_Y = 12;

const BODY =
  'M38 57 C29 63 25 75 25.5 88 C26 105 41 113 60 113 C79 113 94 105 94.5 88 C95 75 91 63 82 57 C76 53 68 51.5 60 51.5 C52 51.5 44 53 38 57 Z';

/** Gradients, clips and the rim. */
export const DEFS = `<svg width="0" height="0" style="position:absolute"><defs>
  <radialGradient id="body" gradientUnits="userSpaceOnUse" cx="46" cy="66" r="66"><stop offset="0" stop-color="#ff9d80"/><stop offset="0.5" stop-color="#f0604f"/><stop offset="1" stop-color="#b5304a"/></radialGradient>
  <linearGradient id="lid" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ff9d80"/><stop offset="1" stop-color="#dc4a49"/></linearGradient>
  <linearGradient id="spout" gradientUnits="userSpaceOnUse" x1="90" y1="60" x2="112" y2="90"><stop offset="0" stop-color="#ff8d74"/><stop offset="1" stop-color="#c43a4a"/></linearGradient>
  <linearGradient id="brass" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffe49a"/><stop offset="1" stop-color="#dd9230"/></linearGradient>
  <radialGradient id="gear" cx="0.38" cy="0.32" r="0.8"><stop offset="0" stop-color="#ffe9a8"/><stop offset="1" stop-color="#d98b2b"/></radialGradient>
  <linearGradient id="wood" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#a8673c"/><stop offset="1" stop-color="#743c26"/></linearGradient>
  <linearGradient id="screen" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#26365a"/><stop offset="1" stop-color="#131a30"/></linearGradient>
  <clipPath id="inside"><path d="${BODY}"/></clipPath>
  ${RIM}
</defs></svg>`;

/** The bail: a wire arch from shoulder to shoulder with a wooden grip. */
function handle({ bail, sway }: Pose): string {
  const top = 66 - 54 * bail;
  const knee = 66 - 42 * bail;
  const arch = svg`M33 66 C25 ${knee} ${38 + sway} ${top} ${MIDDLE + sway} ${top} C${82 + sway} ${top} 95 ${knee} 87 66`;
  return svg`<g fill="none" stroke-linecap="round"><path d="${arch}" stroke="${INK}" stroke-width="8"/><path d="${arch}" stroke="#6d7488" stroke-width="3.4"/></g>
    <rect x="${MIDDLE + sway - 14}" y="${top - 4.4}" width="28" height="8.8" rx="4.4" fill="url(#wood)" stroke="${INK}" stroke-width="2.4" transform="rotate(${sway * 0.7} ${MIDDLE + sway} ${top})"/>
    <path d="M${MIDDLE + sway - 8} ${top - 1.4} l11 0" stroke="#d79c6c" stroke-width="1.7" stroke-linecap="round" transform="rotate(${sway * 0.7} ${MIDDLE + sway} ${top})"/>`;
}

const spout = (turn: number): string =>
  svg`<g transform="rotate(${turn} 88 88)" stroke-linejoin="round"><path d="M84 100 C104 98 103 80 108 71 C110 67 113 64.6 117.4 62.6 L110.4 52.4 C103 55 98.6 60.6 96 68 C93.4 75.4 91 77.6 84 78 Z" fill="url(#spout)" stroke="${INK}" stroke-width="2.8"/>
    <path d="M109 52 L118.4 63.8" stroke="${INK}" stroke-width="6.4" stroke-linecap="round"/><path d="M109 52 L118.4 63.8" stroke="#ffd676" stroke-width="2.6" stroke-linecap="round"/>
    <path d="M99.6 72 C101.4 66.4 104 62 107 59.6" fill="none" stroke="#ffc7b3" stroke-width="2.4" stroke-linecap="round" opacity="0.8"/></g>`;

const foot = (side: number, { x, y, tilt }: Pose['leftFoot']): string =>
  svg`<g transform="translate(${MIDDLE + side * 17 + x} ${113 + y}) rotate(${tilt})">
    <path d="M-8.6 3.8 C-9 -2.6 -6.4 -6 0 -6 C6.4 -6 9 -2.6 8.6 3.8 C8.4 5.6 7.2 5.8 5.8 5.8 L-5.8 5.8 C-7.2 5.8 -8.4 5.6 -8.6 3.8 Z" fill="url(#wood)" stroke="${INK}" stroke-width="2.5"/>
    <path d="M-4.6 -2 Q-1 -4 3 -3" fill="none" stroke="#d79c6c" stroke-width="1.6" stroke-linecap="round" opacity="0.9"/></g>`;

/** A flexible tube of an arm with a round mitten; it bends downwards on its way. */
function arm(side: number, hand: Point): string {
  const shoulder: Point = { x: MIDDLE + side * 32, y: 88 };
  const reach = Math.hypot(hand.x - shoulder.x, hand.y - shoulder.y);
  const slack = Math.max(0, 26 - reach) * 0.5;
  const elbow: Point = { x: (shoulder.x + hand.x) / 2 + side * (3 + slack), y: (shoulder.y + hand.y) / 2 + 2 + slack };
  const d = svg`M${shoulder.x} ${shoulder.y} Q${elbow.x} ${elbow.y} ${hand.x} ${hand.y}`;
  return svg`<g fill="none" stroke-linecap="round"><path d="${d}" stroke="${INK}" stroke-width="9.4"/><path d="${d}" stroke="#7d859b" stroke-width="4.6"/></g>
    <circle cx="${hand.x}" cy="${hand.y}" r="6.4" fill="url(#brass)" stroke="${INK}" stroke-width="2.5"/>
    <path d="M${hand.x - 3} ${hand.y - 1.6} q1.4 -2.2 3.8 -1.8" fill="none" stroke="#fff6d8" stroke-width="1.8" stroke-linecap="round"/>`;
}

/** The dark opening, and over it the lid with its knob. */
const lid = ({ lid: up, lidAside, lidTilt }: Pose): string =>
  svg`<ellipse cx="${MIDDLE}" cy="54.5" rx="21" ry="4.6" fill="#541a28" stroke="${INK}" stroke-width="2.4"/>
  <g transform="translate(${lidAside} ${-up}) rotate(${lidTilt} ${MIDDLE} 54)" stroke="${INK}" stroke-linejoin="round">
    <circle cx="${MIDDLE}" cy="38.4" r="5.2" fill="url(#brass)" stroke-width="2.4"/><circle cx="${MIDDLE - 1.6}" cy="36.8" r="1.4" fill="#fff" stroke="none" opacity="0.9"/>
    <path d="M37 55 C38.6 46.6 48 42 60 42 C72 42 81.4 46.6 83 55 C76 58.6 68 59.4 60 59.4 C52 59.4 44 58.6 37 55 Z" fill="url(#lid)" stroke-width="2.7"/>
    <path d="M43.4 51.4 C46 47.6 50.4 45.8 55 45.2" fill="none" stroke="#ffd3c2" stroke-width="2.4" stroke-linecap="round" opacity="0.85"/></g>`;

/** The lower half in shade, a light along the upper left, and a leaf. */
const SHADING = svg`<g clip-path="url(#inside)"><path d="M18 94 C34 114 88 114 102 90 L102 124 L18 124 Z" fill="#8e1f43" opacity="0.4"/>
  <path d="M31.6 88 C31 76 33.6 67 40.4 61.4" fill="none" stroke="#ffd0bd" stroke-width="3.4" stroke-linecap="round" opacity="0.85"/></g>
  <path d="M55.4 104.6 C56 100.4 60 98.8 65.4 99.4 C65.2 104.2 61.6 107 57.2 105.6 L54.4 107.4" fill="#7fe3c4" stroke="${INK}" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/>`;

/** The cloud hides the kettle until it opens. */
const isBehind = (prop: Prop): boolean =>
  prop.kind === 'confetti' || prop.kind === 'stream' || (prop.kind === 'cloud' && prop.spread > 0.2);
/** What is held shares the place of the body, what stands on the ground or floats does not. */
const HELD: readonly Prop['kind'][] = ['gear'];
const drawAll = (props: readonly Prop[]): string => props.map(drawProp).join('');

function drawBody(pose: Pose, held: string): string {
  const transform = posture(pose, { x: MIDDLE, gripY: GRIP_Y, ground: GROUND });
  return svg`<g transform="rotate(${pose.swing} ${MIDDLE} ${GRIP_Y})">${foot(-1, pose.leftFoot)}${foot(1, pose.rightFoot)}</g>
    <g transform="${transform}">${handle(pose)}${spout(pose.spout)}
      <path d="${BODY}" fill="url(#body)" stroke="${INK}" stroke-width="2.8"/>${SHADING}${lid(pose)}${drawFace(pose)}
      ${held}${arm(-1, pose.leftHand)}${arm(1, pose.rightHand)}</g>`;
}

/** The SVG of one frame, 128 x 128 units, drawn at the size of its box. Needs DEFS in the same document. */
export function drawFigure(pose: Pose): string {
  const behind = pose.props.filter(isBehind);
  const held = pose.props.filter(({ kind }) => HELD.includes(kind));
  const before = pose.props.filter((prop) => !isBehind(prop) && !HELD.includes(prop.kind));
  const shade = pose.shadow * pose.grown;
  const shadow = svg`<ellipse cx="${MIDDLE + pose.x * SCALE}" cy="119" rx="${34 * (0.55 + 0.45 * shade)}" ry="4.6" fill="#1c060d" opacity="${0.22 * shade}"/>`;
  const place = svg`translate(64 ${GROUND + 3}) scale(${SCALE * pose.grown}) translate(${pose.x - 64} ${pose.y - GROUND - 3})`;
  return svg`<svg viewBox="0 0 128 128" width="128" height="128">${shade > 0 ? shadow : ''}<g filter="url(#rim)">${drawAll(behind)}
    ${pose.grown > 0 ? svg`<g transform="${place}">${drawBody(pose, drawAll(held))}</g>` : ''}${drawAll(before)}</g></svg>`;
}
