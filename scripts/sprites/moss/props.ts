/** What comes to Moss: signs in the air, a cloud, a butterfly, and the earth it rises from. */
import { INK, PALETTE } from './palette.ts';
import { blank, outlined, type Pixels, put, SIDE, stamp } from './pixels.ts';
import type { Prop } from './pose.ts';

const ZED_SMALL = ['VVVV', '..V.', '.V..', 'VVVV'];
const ZED_MIDDLE = ['VVVVV', '...V.', '..V..', '.V...', 'VVVVV'];
const ZED_LARGE = ['VVVVVV', '....V.', '...V..', '..V...', '.V....', 'VVVVVV'];
const QUESTION = ['.YYYY.', 'YY..YY', 'YY..YY', '...YYY', '..YYy.', '..YY..', '......', '..YY..', '..Yy..'];
const BUBBLE = [
  '..WWWWWWWWWW...',
  '.WWWWWWWWWWWWW.',
  'WWWWWWWWWWWWWWW',
  'WWWWWWWWWWWWWWW',
  'WWWWWWWWWWWWWWW',
  '.WWWWWWWWWWWWW.',
  '...WWWWWWWWWW..',
];
const CLOUD = [
  '......HHHHH.........',
  '...HHHHHHHHHHHH.....',
  '..HHHHHHHHHHHHHHH...',
  '.HHHHHHHHHHHHHHHHHH.',
  'HHHHHhhHHHHHHhhHHHHH',
  'hhhhhhhhhhhhhhhhhhhh',
  '.hhhhhhhhhhhhhhhhhh.',
];
const WINGS_OPEN = ['OO...OO', 'OOO.OOO', '.OYKYO.', '..OKO..', '.OOKOO.', '.oo.oo.'];
const WINGS_SHUT = ['...OO.', '..OOO.', '..YOO.', '.KOO..', '.KOo..', 'K.....'];

const draw = (picture: readonly string[], x: number, y: number): Pixels => {
  const pixels = blank();
  stamp(pixels, picture, PALETTE, x, y);
  return outlined(pixels, INK);
};

function zzz(step: number): readonly Pixels[] {
  const all = [draw(ZED_SMALL, 45, 23), draw(ZED_MIDDLE, 49, 14), draw(ZED_LARGE, 54, 4)];
  return all.slice(0, Math.max(1, Math.min(step, 3)));
}

/** A thought bubble with as many of its three dots as have come to mind. */
function dots(count: number): readonly Pixels[] {
  const bubble = draw(BUBBLE, 44, 4);
  for (const index of [0, 1, 2]) {
    const lift = index === count - 1 ? 1 : 0;
    stamp(bubble, ['vv', 'vv'], index < count ? PALETTE : { v: '#d8dcf4' }, 46 + index * 4, 7 - lift);
  }
  return [draw(['WWW', 'WWW'], 49, 14), draw(['WW', 'WW'], 46, 19), bubble];
}

/** Drops fall in three columns, each a third of the way behind the other. */
function cloud(x: number, rain: number): readonly Pixels[] {
  const drops = blank();
  for (const index of [0, 1, 2]) {
    const fallen = (rain + index * 2) % 4;
    stamp(drops, ['B.', 'BB', 'bb'], PALETTE, x + 2 + index * 7, 12 + fallen * 3);
  }
  return [drops, draw(CLOUD, x, 4)];
}

/** An uneven mound around the middle, with crumbs that fly up by `burst` and fall. */
function earth(width: number, burst: number): readonly Pixels[] {
  const pixels = blank();
  for (let x = -width; x < width; x += 1) {
    const height = Math.round(3 * (1 - (x / width) ** 2) + ((x * 5 + 60) % 3) * 0.6);
    for (let y = 0; y <= height; y += 1)
      put(pixels, SIDE / 2 + x, 59 - y, (x * 3 + y * 7 + 90) % 5 === 0 || y === 0 ? PALETTE.e! : PALETTE.E!);
  }
  if (burst > 0)
    for (const [dx, dy] of [
      [-1, 4],
      [-0.7, 9],
      [0.75, 8],
      [1, 5],
    ] as const)
      stamp(pixels, ['EE', 'Ee'], PALETTE, Math.round(31 + dx * (18 + burst * 6)), Math.round(57 - dy * burst));
  return [outlined(pixels, INK)];
}

/** What a landing stone throws up on both sides. */
function dust(spread: number): readonly Pixels[] {
  const pixels = blank();
  const size = spread < 0.5 ? ['.HH.', 'HHHH', 'HHHH'] : ['HH', 'HH'];
  for (const [dx, dy] of [
    [-24, 0],
    [-27, 4],
    [21, 0],
    [25, 4],
  ] as const)
    stamp(pixels, size, { H: '#e4dccc' }, Math.round(31 + dx * (0.84 + spread * 0.16)), Math.round(57 - dy * spread));
  return [outlined(pixels, '#b4a894')];
}

/** The layers of `prop`, the hindmost first. */
export function drawProp(prop: Prop): readonly Pixels[] {
  switch (prop.kind) {
    case 'zzz':
      return zzz(prop.step);
    case 'dots':
      return dots(prop.count);
    case 'question':
      return [draw(QUESTION, prop.x, prop.y)];
    case 'cloud':
      return cloud(prop.x, prop.rain);
    case 'butterfly':
      return [draw(prop.open ? WINGS_OPEN : WINGS_SHUT, prop.x, prop.y)];
    case 'earth':
      return earth(prop.width, prop.burst);
    case 'dust':
      return dust(prop.spread);
  }
}
