/** What Nib has to do with: laptop, cup, and the signs that float about it. Paths only, so that no font is needed. */
import { type Prop, svg } from './pose.ts';

const INK = '#1b1947';
const CONFETTI = ['#ffc94d', '#ff7d8a', '#5fd3c4', '#8f8cff', '#ff9f5a', '#7ecbff'];

/** A line in `colour` with a dark outline of its own. */
const inked = (d: string, colour: string, width: number): string =>
  svg`<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="${d}" stroke="${INK}" stroke-width="${width + 2.6}"/>
    <path d="${d}" stroke="${colour}" stroke-width="${width}"/></g>`;

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

/** The three Z drift up one after another; `step` 0 to 3 moves them on. */
function zzz(step: number): string {
  return [0, 1, 2]
    .filter((index) => step >= index)
    .map((index) => {
      const rise = (step - index) / 3;
      const size = 3.4 + index * 1.5;
      const [x, y] = [94 + index * 9, 54 - index * 15.5 - rise * 4];
      const d = svg`M${x - size} ${y - size} L${x + size} ${y - size} L${x - size} ${y + size} L${x + size} ${y + size}`;
      return inked(d, '#bfc6ff', 2.2 + index * 0.3);
    })
    .join('');
}

/** Pieces burst from above the head and flutter down; `age` runs from 0 to 1. */
function confetti(age: number): string {
  return Array.from({ length: 20 }, (_, index) => {
    const angle = (index / 20) * Math.PI * 2 + (index % 3) * 0.21;
    const reach = (40 + ((index * 7) % 5) * 5) * Math.min(1, age * 2.6) ** 0.6;
    const x = 64 + Math.cos(angle) * reach * 1.12;
    const y = 46 + Math.sin(angle) * reach * 0.72 + age * age * (46 + ((index * 5) % 4) * 7);
    const turn = index * 47 + age * 320;
    const fade = age > 0.8 ? (1 - age) / 0.2 : 1;
    const colour = CONFETTI[index % CONFETTI.length]!;
    const [cx, cy] = [Math.max(7, Math.min(121, x)), Math.max(7, Math.min(114, y))];
    const place = svg`translate(${cx} ${cy}) rotate(${turn}) scale(${1.2 * fade})`;
    return index % 4 === 0
      ? svg`<circle r="2.5" fill="${colour}" stroke="${INK}" stroke-width="1.1" transform="${place}"/>`
      : svg`<rect x="-2.9" y="-1.7" width="5.8" height="3.4" rx="0.8" fill="${colour}" stroke="${INK}" stroke-width="1.1" transform="${place}"/>`;
  }).join('');
}

const sweat = (x: number, y: number, size: number): string =>
  svg`<g transform="translate(${x} ${y}) scale(${size})"><path d="M0 -7 C3.6 -2.4 5 0 5 2.6 A5 5 0 0 1 -5 2.6 C-5 0 -3.6 -2.4 0 -7 Z" fill="#86d6ff" stroke="${INK}" stroke-width="2"/>
    <path d="M-2.2 2.4 A2.4 2.4 0 0 0 -0.4 4.8" fill="none" stroke="#fff" stroke-width="1.4" stroke-linecap="round"/></g>`;

const question = (x: number, y: number, tilt: number, size: number): string =>
  svg`<g transform="translate(${x} ${y}) rotate(${tilt}) scale(${size})">
    ${inked('M-4.6 -5.4 C-4.6 -9.4 -2 -11 0.4 -11 C3.4 -11 5.4 -9 5.4 -6.2 C5.4 -2.4 0.2 -2.2 0.2 2', '#ffc94d', 3.2)}
    <circle cx="0.2" cy="7.6" r="3.5" fill="${INK}"/><circle cx="0.2" cy="7.6" r="2.2" fill="#ffc94d"/></g>`;

/** A thought bubble with as many of its three dots as have come to mind. */
function dots(count: number): string {
  const dot = (index: number): string =>
    svg`<circle cx="${92.5 + index * 8.5}" cy="${25 - (index === count - 1 ? 1.4 : 0)}" r="2.7" fill="${index < count ? '#4b50c4' : '#d5d8f2'}"/>`;
  return svg`<g transform="translate(2.5 -3)"><g fill="#fff" stroke="${INK}" stroke-width="2"><circle cx="105.4" cy="49" r="2.2"/><circle cx="106.6" cy="41.8" r="3"/>
    <path d="M88 34 C82.6 32.6 81.6 24.6 86.6 22.6 C86.4 15.6 95 13.6 98.4 17 C102.4 12.4 111 14.4 111.6 19.6 C118.6 20 119.6 29.6 114 31.6 C112.4 36.4 104.6 37 101.6 34.2 C98 37.6 91 37.4 88 34 Z"/></g>
    ${dot(0)}${dot(1)}${dot(2)}</g>`;
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
      return zzz(prop.step);
    case 'confetti':
      return confetti(prop.age);
    case 'sweat':
      return sweat(prop.x, prop.y, prop.size);
    case 'question':
      return question(prop.x, prop.y, prop.tilt, prop.size);
    case 'dots':
      return dots(prop.count);
    case 'puddle':
      return puddle(prop.size, prop.splash);
  }
}
