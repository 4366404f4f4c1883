/** What Nib has to do with: laptop, cup, the pool it comes from, and the signs that float about it. */
import { confetti, dots, question, sweat, zzz } from '../signs.ts';
import { svg } from '../svg.ts';
import type { Prop } from './pose.ts';

const INK = '#1b1947';

function laptop(x: number, y: number, glow: number): string {
  return svg`<g transform="translate(${x} ${y})" stroke="${INK}" stroke-width="2.4" stroke-linejoin="round">
    <path d="M-26 0 L26 0 L28 4 Q28 5.4 26.4 5.4 L-26.4 5.4 Q-28 5.4 -28 4 Z" fill="#b9bfe0"/>
    <path d="M-21 -19 Q-21 -22 -18 -22 L18 -22 Q21 -22 21 -19 L24 0 L-24 0 Z" fill="url(#lid)"/>
    <path d="M0 -17 C4.2 -13 4.6 -10 0 -5 C-4.6 -10 -4.2 -13 0 -17 Z" fill="#ffd36b" stroke-width="1.5"/>
    <path d="M-18.4 -19.6 L18.4 -19.6" stroke="#fff" stroke-width="1.4" opacity="${0.35 + glow * 0.5}" stroke-linecap="round"/></g>`;
}

function cup(x: number, y: number, tilt: number, steam: number): string {
  const puff = (dx: number, lift: number): string =>
    svg`<path d="M${dx} ${-9 - lift} q-2 -2 0 -3.8 t0 -3.8" fill="none" stroke="#fff" stroke-width="3.6" stroke-linecap="round" opacity="0.9"/>
      <path d="M${dx} ${-9 - lift} q-2 -2 0 -3.8 t0 -3.8" fill="none" stroke="#a9b0d8" stroke-width="1.7" stroke-linecap="round"/>`;
  return svg`<g transform="translate(${x} ${y}) rotate(${tilt})">
    ${steam > 0 ? puff(-2.8, steam) + puff(3, 3 - steam) : ''}
    <path d="M7.4 -3.4 q6.4 -0.4 5.6 4.2 q-0.8 3.4 -6.4 3.2" fill="none" stroke="${INK}" stroke-width="4.6" stroke-linecap="round"/>
    <path d="M7.4 -3.4 q6.4 -0.4 5.6 4.2 q-0.8 3.4 -6.4 3.2" fill="none" stroke="#ff9d87" stroke-width="2" stroke-linecap="round"/>
    <path d="M-8.4 -7 L8.4 -7 L7 6 Q6.6 8.4 4 8.4 L-4 8.4 Q-6.6 8.4 -7 6 Z" fill="#ff9d87" stroke="${INK}" stroke-width="2.2" stroke-linejoin="round"/>
    <ellipse cx="0" cy="-7" rx="8.4" ry="2.3" fill="#6b3a2c" stroke="${INK}" stroke-width="1.8"/>
    <path d="M-5 -2 L-4 5" stroke="#fff" stroke-width="1.8" stroke-linecap="round" opacity="0.65"/></g>`;
}

/** A pool of ink; the ring is where the figure comes out of it. */
function puddle(size: number, splash: number): string {
  const drop = (x: number, y: number, r: number): string =>
    svg`<circle cx="${64 + x * splash}" cy="${116 - y * splash}" r="${r}" fill="url(#body)" stroke="${INK}" stroke-width="2"/>`;
  return svg`<ellipse cx="64" cy="116" rx="${36 * size}" ry="${6.4 * size}" fill="#3a3fae" stroke="${INK}" stroke-width="2.4"/>
    <ellipse cx="${64 - 9 * size}" cy="${114.4}" rx="${16 * size}" ry="${2 * size}" fill="#8c93f2" opacity="0.75"/>
    ${splash > 0 ? drop(-34, 22, 3.2) + drop(33, 27, 3.6) + drop(-44, 9, 2.3) + drop(45, 11, 2.5) : ''}`;
}

export function drawProp(prop: Prop): string {
  switch (prop.kind) {
    case 'laptop':
      return laptop(prop.x, prop.y, prop.glow);
    case 'cup':
      return cup(prop.x, prop.y, prop.tilt, prop.steam);
    case 'zzz':
      return zzz(INK, prop.step);
    case 'confetti':
      return confetti(INK, prop.age);
    case 'sweat':
      return sweat(INK, prop.x, prop.y, prop.size);
    case 'question':
      return question(INK, prop.x, prop.y, prop.tilt, prop.size);
    case 'dots':
      return dots(INK, prop.count);
    case 'puddle':
      return puddle(prop.size, prop.splash);
  }
}
