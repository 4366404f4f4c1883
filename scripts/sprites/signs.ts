/** The signs that float about a figure: paths only, so that no font is needed. `ink` is the colour of their outline. */
import { svg } from './svg.ts';

const CONFETTI = ['#ffc94d', '#ff7d8a', '#5fd3c4', '#8f8cff', '#ff9f5a', '#7ecbff'];

/** A line in `colour` with a dark outline of its own. */
const inked = (ink: string, d: string, colour: string, width: number): string =>
  svg`<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path d="${d}" stroke="${ink}" stroke-width="${width + 2.6}"/>
    <path d="${d}" stroke="${colour}" stroke-width="${width}"/></g>`;

/** The three Z drift up one after another; `step` 0 to 3 moves them on. */
export function zzz(ink: string, step: number): string {
  return [0, 1, 2]
    .filter((index) => step >= index)
    .map((index) => {
      const rise = (step - index) / 3;
      const size = 3.4 + index * 1.5;
      const [x, y] = [94 + index * 9, 54 - index * 15.5 - rise * 4];
      const d = svg`M${x - size} ${y - size} L${x + size} ${y - size} L${x - size} ${y + size} L${x + size} ${y + size}`;
      return inked(ink, d, '#bfc6ff', 2.2 + index * 0.3);
    })
    .join('');
}

/** Pieces burst from above the head and flutter down; `age` runs from 0 to 1. */
export function confetti(ink: string, age: number): string {
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
      ? svg`<circle r="2.5" fill="${colour}" stroke="${ink}" stroke-width="1.1" transform="${place}"/>`
      : svg`<rect x="-2.9" y="-1.7" width="5.8" height="3.4" rx="0.8" fill="${colour}" stroke="${ink}" stroke-width="1.1" transform="${place}"/>`;
  }).join('');
}

export const sweat = (ink: string, x: number, y: number, size: number): string =>
  svg`<g transform="translate(${x} ${y}) scale(${size})"><path d="M0 -7 C3.6 -2.4 5 0 5 2.6 A5 5 0 0 1 -5 2.6 C-5 0 -3.6 -2.4 0 -7 Z" fill="#86d6ff" stroke="${ink}" stroke-width="2"/>
    <path d="M-2.2 2.4 A2.4 2.4 0 0 0 -0.4 4.8" fill="none" stroke="#fff" stroke-width="1.4" stroke-linecap="round"/></g>`;

export const question = (ink: string, x: number, y: number, tilt: number, size: number): string =>
  svg`<g transform="translate(${x} ${y}) rotate(${tilt}) scale(${size})">
    ${inked(ink, 'M-4.6 -5.4 C-4.6 -9.4 -2 -11 0.4 -11 C3.4 -11 5.4 -9 5.4 -6.2 C5.4 -2.4 0.2 -2.2 0.2 2', '#ffc94d', 3.2)}
    <circle cx="0.2" cy="7.6" r="3.5" fill="${ink}"/><circle cx="0.2" cy="7.6" r="2.2" fill="#ffc94d"/></g>`;

/** A thought bubble with as many of its three dots as have come to mind. */
export function dots(ink: string, count: number): string {
  const dot = (index: number): string =>
    svg`<circle cx="${92.5 + index * 8.5}" cy="${25 - (index === count - 1 ? 1.4 : 0)}" r="2.7" fill="${index < count ? '#4b50c4' : '#d5d8f2'}"/>`;
  return svg`<g transform="translate(2.5 -3)"><g fill="#fff" stroke="${ink}" stroke-width="2"><circle cx="105.4" cy="49" r="2.2"/><circle cx="106.6" cy="41.8" r="3"/>
    <path d="M88 34 C82.6 32.6 81.6 24.6 86.6 22.6 C86.4 15.6 95 13.6 98.4 17 C102.4 12.4 111 14.4 111.6 19.6 C118.6 20 119.6 29.6 114 31.6 C112.4 36.4 104.6 37 101.6 34.2 C98 37.6 91 37.4 88 34 Z"/></g>
    ${dot(0)}${dot(1)}${dot(2)}</g>`;
}
