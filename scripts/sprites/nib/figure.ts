/** Nib, an ink drop with a quill: draws one pose as SVG on a canvas of 128 x 128 units. */
import { type Point, posture, RIM, svg } from '../svg.ts';
import { drawFace } from './face.ts';
import type { Pose, Prop } from './pose.ts';
import { drawProp } from './props.ts';

export const CANVAS = 128;
const INK = '#1b1947';
/** Where the feet stand. */
const GROUND = 116;
/** The figure is designed on the whole canvas and drawn smaller, to leave room for jumps and signs. */
const SCALE = 0.93;

const BODY =
  'M64 33 C71 33 78 39 84 47 C93 58 101 70 101 85 C101 104 84 115 64 115 C44 115 27 104 27 85 C27 70 35 58 44 47 C50 39 57 33 64 33 Z';

/** Gradients, clips and the rim. */
export const DEFS = `<svg width="0" height="0" style="position:absolute"><defs>
  <radialGradient id="body" gradientUnits="userSpaceOnUse" cx="50" cy="56" r="66"><stop offset="0" stop-color="#7f8bff"/><stop offset="0.5" stop-color="#565fdc"/><stop offset="1" stop-color="#3a3aa6"/></radialGradient>
  <radialGradient id="mask" gradientUnits="userSpaceOnUse" cx="64" cy="70" r="34"><stop offset="0" stop-color="#fffaf2"/><stop offset="0.7" stop-color="#fdf1e4"/><stop offset="1" stop-color="#ecdcec"/></radialGradient>
  <linearGradient id="feather" gradientUnits="userSpaceOnUse" x1="0" y1="-34" x2="0" y2="0"><stop offset="0" stop-color="#ffe08a"/><stop offset="1" stop-color="#ff9f4a"/></linearGradient>
  <linearGradient id="eye" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#15133c"/><stop offset="0.62" stop-color="#272566"/><stop offset="1" stop-color="#5a57c9"/></linearGradient>
  <linearGradient id="lid" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#eef0ff"/><stop offset="1" stop-color="#c3c9ec"/></linearGradient>
  <linearGradient id="foot" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#4a4fc4"/><stop offset="1" stop-color="#302f8e"/></linearGradient>
  ${RIM}
  <clipPath id="inside"><path d="${BODY}"/></clipPath><clipPath id="above"><rect x="0" y="-20" width="128" height="135"/><ellipse cx="64" cy="115" rx="64" ry="4"/></clipPath>
</defs></svg>`;

/** `side` is -1 for the left ear and 1 for the right one; the angle opens outwards. */
function ear(side: number, angle: number): string {
  return svg`<g transform="translate(${64 + side * 24} 53) scale(${side} 1) rotate(${angle})">
    <path d="M-8 6 C-9 -5 -2 -16 4.6 -18 C8 -18.8 10.6 -17.4 11.6 -13 C13 -5 12 4 7 11 Z" fill="url(#foot)" stroke="${INK}" stroke-width="2.7" stroke-linejoin="round"/>
    <path d="M-1.5 1.5 C-1.5 -5 2.4 -11 5.8 -12.4 C7.6 -12.8 8.4 -11.4 8.7 -8.8 C9.2 -4 8.4 0.6 6 4.4 Z" fill="#ff9fae"/></g>`;
}

function feather(angle: number, bend: number): string {
  const at = (share: number): number => bend * share * share;
  return svg`<g transform="translate(64 37) rotate(${angle})" stroke-linejoin="round" stroke-linecap="round">
    <path d="M0 -2 C${-9 + at(0.3)} -7 ${-13 + at(0.7)} -21 ${at(1)} -33 C${9 + at(0.9)} -29 ${13 + at(0.6)} -20 ${7.4 + at(0.45)} -13 L${3.6 + at(0.4)} -12.6 L${5.6 + at(0.3)} -9 C${4 + at(0.2)} -5 2.4 -3 0 -2 Z"
      fill="url(#feather)" stroke="${INK}" stroke-width="2.6"/>
    <path d="M0 0 Q${at(0.25)} -14 ${at(0.8)} -26" fill="none" stroke="#b9602a" stroke-width="1.7"/>
    <path d="M${-5 + at(0.6)} -22 Q${-3.6 + at(0.8)} -27 ${-0.6 + at(0.9)} -29.6" fill="none" stroke="#fff6d6" stroke-width="1.7" opacity="0.9"/></g>`;
}

function foot(side: number, { x, y, tilt }: Pose['leftFoot']): string {
  return svg`<g transform="translate(${64 + side * 15 + x} ${113 + y}) rotate(${tilt})">
    <path d="M-10.5 3.6 C-11 -3.4 -5.6 -6.4 0 -6.4 C5.6 -6.4 11 -3.4 10.5 3.6 C10.2 5.8 8.6 6 7 6 L-7 6 C-8.6 6 -10.2 5.8 -10.5 3.6 Z" fill="url(#foot)" stroke="${INK}" stroke-width="2.6"/>
    <path d="M-6 -2 Q-2 -4.4 3 -3.6" fill="none" stroke="#8d94f0" stroke-width="1.7" stroke-linecap="round" opacity="0.8"/></g>`;
}

/** A hand that is nearer to the middle than this lies on the belly as a paw; others reach out from behind the body. */
const BELLY = 30;
const isPaw = (hand: Point): boolean => Math.abs(hand.x - 64) < BELLY && hand.y > 84;

/** A stubby arm from the shoulder to `hand`: a thick line whose dark double is its outline. */
function arm(side: number, hand: Point): string {
  const d = svg`M${64 + side * 27} 86 Q${64 + side * 33} ${(86 + hand.y) / 2} ${hand.x} ${hand.y}`;
  return svg`<g fill="none" stroke-linecap="round"><path d="${d}" stroke="${INK}" stroke-width="16"/>
    <path d="${d}" stroke="#4d54cf" stroke-width="10.6"/>
    <path d="M${hand.x - 2.6} ${hand.y - 1.6} q1.6 -2 3.8 -1.6" stroke="#a6adff" stroke-width="1.9" opacity="0.85"/></g>`;
}

const paw = (side: number, { x, y }: Point): string =>
  svg`<g transform="translate(${x} ${y}) rotate(${side * 24})"><ellipse rx="7.4" ry="6.4" fill="#6871e8" stroke="${INK}" stroke-width="2.6"/>
    <path d="M${-3.6} -1.6 q1.6 -2.2 4.4 -1.8" fill="none" stroke="#b4baff" stroke-width="1.8" stroke-linecap="round"/></g>`;

/** The lower half in shade, a light along the upper left, and the golden nib on the chest. */
const SHADING = svg`<g clip-path="url(#inside)">
  <path d="M20 92 C34 116 92 116 108 88 L108 124 L20 124 Z" fill="#2b2a86" opacity="0.42"/>
  <path d="M34.5 78 C36 66 42 56 49 48.5 C54 42.5 58 38 63 37.6" fill="none" stroke="#c3c8ff" stroke-width="3.6" stroke-linecap="round" opacity="0.75"/></g>
  <path d="M64 99.4 C68.4 103 68.6 106.2 64 111.6 C59.4 106.2 59.6 103 64 99.4 Z" fill="#ffd36b" stroke="${INK}" stroke-width="1.7" stroke-linejoin="round"/>
  <path d="M64 105.4 L64 110" stroke="${INK}" stroke-width="1.2" stroke-linecap="round"/><circle cx="64" cy="104.4" r="1.1" fill="${INK}"/>`;

const BEHIND: readonly Prop['kind'][] = ['puddle', 'confetti'];
const draw = (props: readonly Prop[]): string => props.map(drawProp).join('');

/** The SVG of one frame, 128 x 128 units, drawn at the size of its box. Needs DEFS in the same document. */
export function drawFigure(pose: Pose): string {
  const sunk = (1 - pose.risen) * 100;
  const behind = pose.props.filter(({ kind }) => BEHIND.includes(kind));
  const before = pose.props.filter(({ kind }) => !BEHIND.includes(kind));
  // Signs float at fixed places; what is held or stands on the ground shares the figure's scale and place.
  const held = before.filter(({ kind }) => kind === 'laptop' || kind === 'cup' || kind === 'sweat');
  const floating = before.filter((prop) => !held.includes(prop));
  const hands = [[-1, pose.leftHand] as const, [1, pose.rightHand] as const];
  const arms = hands.filter(([, hand]) => !isPaw(hand)).map(([side, hand]) => arm(side, hand));
  const paws = hands
    .filter(([, hand]) => isPaw(hand))
    .map(([side, hand]) => paw(side, hand))
    .join('');
  const hidesPaws = held.some(({ kind }) => kind === 'laptop');
  const stance = posture(pose, { x: 64, gripY: 30, ground: GROUND });
  const figure = svg`<g transform="${stance}">
      ${feather(pose.feather, pose.bend)}${ear(-1, pose.leftEar)}${ear(1, pose.rightEar)}${arms.join('')}</g>
    <g transform="rotate(${pose.swing} 64 30)">${foot(-1, pose.leftFoot)}${foot(1, pose.rightFoot)}</g>
    <g transform="${stance}"><path d="${BODY}" fill="url(#body)" stroke="${INK}" stroke-width="2.8"/>
      ${SHADING}${drawFace(pose)}${hidesPaws ? paws + draw(held) : draw(held) + paws}</g>`;
  const shadow = svg`<ellipse cx="${64 + pose.x * SCALE}" cy="119" rx="${33 * (0.55 + 0.45 * pose.shadow)}" ry="4.6" fill="#0b0a24" opacity="${0.22 * pose.shadow}"/>`;
  return svg`<svg viewBox="0 0 128 128" width="128" height="128">${pose.shadow > 0 ? shadow : ''}
    <g filter="url(#rim)">${draw(behind)}
    <g ${pose.risen < 1 ? 'clip-path="url(#above)"' : ''}><g transform="translate(64 ${GROUND + 3}) scale(${SCALE}) translate(${pose.x - 64} ${pose.y - GROUND - 3 + sunk})">
    ${pose.risen > 0 ? figure : ''}</g></g>${draw(floating)}</g></svg>`;
}
