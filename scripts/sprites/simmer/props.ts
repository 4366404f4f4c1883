/** What Simmer has to do with: steam, cup, gear, and the signs that float about it. */
import { confetti, dots, question, zzz } from '../signs.ts';
import { svg } from '../svg.ts';
import { INK } from './ink.ts';
import type { Prop } from './pose.ts';

const STEAM = '#f3f7fd';
const STEAM_EDGE = '#93a5bd';
const TEA = '#c9752e';

/** Where steam leaves the spout. */
const TIP = { x: 110, y: 53 };

const puff = (x: number, y: number, r: number, opacity: number): string =>
  svg`<g opacity="${opacity}"><path d="M${x - r} ${y + r * 0.3} A${r * 0.62} ${r * 0.62} 0 0 1 ${x - r * 0.5} ${y - r * 0.5} A${r * 0.72} ${r * 0.72} 0 0 1 ${x + r * 0.62} ${y - r * 0.46} A${r * 0.58} ${r * 0.58} 0 0 1 ${x + r * 0.86} ${y + r * 0.52} A${r * 0.7} ${r * 0.7} 0 0 1 ${x - r * 0.2} ${y + r * 0.72} A${r * 0.5} ${r * 0.5} 0 0 1 ${x - r} ${y + r * 0.3} Z"
    fill="${STEAM}" stroke="${STEAM_EDGE}" stroke-width="1.5" stroke-linejoin="round"/></g>`;

/** Two puffs, half a life apart, that rise, swell and fade. */
function steam(from: { readonly x: number; readonly y: number }, age: number, strength: number, drift: number): string {
  const one = (life: number): string => {
    const fade = Math.min(1, life * 5) * Math.min(1, (1 - life) * 2.4);
    return puff(
      from.x + drift * life + Math.sin(life * 5) * 1.6,
      from.y - 3 - life * 26,
      (2.2 + life * 4.6) * strength,
      fade,
    );
  };
  return one(age % 0.5) + one((age % 0.5) + 0.5);
}

/** A gear with eight teeth; an eighth of a turn looks like none. */
function gear(turn: number): string {
  const teeth = Array.from(
    { length: 8 },
    (_, at) =>
      svg`<rect x="-3.6" y="-17.4" width="7.2" height="8" rx="1.8" fill="url(#brass)" stroke="${INK}" stroke-width="2.2" transform="rotate(${at * 45})"/>`,
  ).join('');
  return svg`<g transform="translate(60 105.5) scale(0.88) rotate(${turn})">${teeth}<circle r="12.6" fill="url(#gear)" stroke="${INK}" stroke-width="2.2"/>
    <circle r="8.4" fill="none" stroke="#fff2c4" stroke-width="1.3" opacity="0.7"/>
    <circle r="4.4" fill="#8f4a1e" stroke="${INK}" stroke-width="2"/><circle cx="0" cy="-8.6" r="1.5" fill="${INK}"/></g>`;
}

/** Tea from the tilted spout; its beginning is hidden behind the spout. */
function stream(width: number): string {
  const d = 'M107 78 C110.4 80 111.4 88 111.4 104';
  return svg`<g fill="none" stroke-linecap="round"><path d="${d}" stroke="${INK}" stroke-width="${width + 2.8}"/><path d="${d}" stroke="${TEA}" stroke-width="${width}"/>
    <path d="M110 84 C111 88 111 94 111 99" stroke="#f0b06a" stroke-width="${width * 0.3}"/></g>`;
}

function cup({ full, steam: warmth, slide }: Extract<Prop, { kind: 'cup' }>): string {
  const wisp = warmth > 0 ? steam({ x: 0, y: -9 }, warmth, 0.62, 0) : '';
  return svg`<g transform="translate(${111 - slide} 109)">${wisp}
    <path d="M-7.6 -2.6 q-5.8 -0.2 -5 4 q0.8 3.2 5.8 2.8" fill="none" stroke="${INK}" stroke-width="4.4" stroke-linecap="round"/><path d="M-7.6 -2.6 q-5.8 -0.2 -5 4 q0.8 3.2 5.8 2.8" fill="none" stroke="#fdfaf3" stroke-width="1.9" stroke-linecap="round"/>
    <path d="M-8.6 -6.6 L8.6 -6.6 L7.2 5.4 Q6.8 8 4.2 8 L-4.2 8 Q-6.8 8 -7.2 5.4 Z" fill="#fdfaf3" stroke="${INK}" stroke-width="2.2" stroke-linejoin="round"/>
    <path d="M-7.7 0.6 L7.7 0.6" stroke="#5fc9b4" stroke-width="2.4"/>
    <ellipse cx="0" cy="-6.6" rx="8.6" ry="2.4" fill="${full > 0 ? TEA : '#e7ddd0'}" stroke="${INK}" stroke-width="1.8"/>
    ${full > 0.6 ? svg`<ellipse cx="-2" cy="-7" rx="3.4" ry="0.9" fill="#f0b06a"/>` : ''}</g>`;
}

const drop = (x: number, y: number, size: number): string =>
  svg`<g transform="translate(${x} ${y}) scale(${size})"><path d="M0 -6 C3 -2 4.4 0 4.4 2.4 A4.4 4.4 0 0 1 -4.4 2.4 C-4.4 0 -3 -2 0 -6 Z" fill="#86d6ff" stroke="${INK}" stroke-width="1.9"/>
    <path d="M-1.9 2.2 A2.1 2.1 0 0 0 -0.3 4.2" fill="none" stroke="#fff" stroke-width="1.3" stroke-linecap="round"/></g>`;

/** A drop leaves the sad spout; `fall` 0 hangs, 1 has reached the pool. */
function drip(fall: number, pool: number): string {
  const puddle =
    pool > 0
      ? svg`<ellipse cx="116" cy="117.4" rx="${8 * pool}" ry="${2.6 * pool}" fill="#86d6ff" stroke="${INK}" stroke-width="1.8"/>
        <path d="M${116 - 4 * pool} 116.8 l${4 * pool} 0" stroke="#fff" stroke-width="1.2" stroke-linecap="round"/>`
      : '';
  return `${puddle}${fall < 1 ? drop(117.5, 86 + fall * 24, Math.min(1, 0.55 + fall * 1.2)) : ''}`;
}

/** A bank of steam on the ground from which the kettle comes; `spread` drives its puffs apart. */
function cloud(size: number, spread: number): string {
  const puffs: readonly (readonly [number, number, number])[] = [
    [-24, -8, 13],
    [22, -10, 14],
    [-9, -20, 15],
    [12, -30, 12],
    [2, -7, 15],
    [-15, -38, 9],
  ];
  return puffs
    .map(([dx, dy, r]) =>
      puff(62 + dx * (size + spread), 110 + dy * size - spread * 8, r * size * (1 - spread * 0.5), 1 - spread * 0.8),
    )
    .join('');
}

/** Two notes that dance up from the spout one after the other; `step` 0 to 3 moves them on. */
function notes(step: number): string {
  const note = (x: number, y: number, tilt: number): string =>
    svg`<g transform="translate(${x} ${y}) rotate(${tilt})" stroke-linecap="round" stroke-linejoin="round">
      <path d="M2.6 4.6 L2.6 -7 Q4 -3.6 7.6 -2.6" fill="none" stroke="${INK}" stroke-width="5"/><ellipse cx="-0.4" cy="5" rx="4.6" ry="3.8" fill="${INK}"/>
      <path d="M2.6 4.6 L2.6 -7 Q4 -3.6 7.6 -2.6" fill="none" stroke="#7ff0d0" stroke-width="2.2"/><ellipse cx="-0.4" cy="5" rx="3" ry="2.3" fill="#7ff0d0"/></g>`;
  const places = [
    [[108, 41, -8]],
    [[111, 31, 10]],
    [
      [107, 20, -10],
      [109, 42, 8],
    ],
    [[112, 32, -6]],
  ] as const;
  return places[step % places.length]!.map(([x, y, tilt]) => note(x, y, tilt)).join('');
}

export function drawProp(prop: Prop): string {
  switch (prop.kind) {
    case 'steam':
      return steam(TIP, prop.age, prop.strength, 4);
    case 'confetti':
      return confetti(INK, prop.age);
    case 'gear':
      return gear(prop.turn);
    case 'cup':
      return cup(prop);
    case 'stream':
      return stream(prop.width);
    case 'drip':
      return drip(prop.fall, prop.pool);
    case 'cloud':
      return cloud(prop.size, prop.spread);
    case 'notes':
      return notes(prop.step);
    case 'zzz':
      return zzz(INK, prop.step);
    case 'dots':
      return dots(INK, prop.count);
    case 'question':
      return question(INK, 110, prop.y, prop.tilt, 1.05);
  }
}
