/** Moss's face: small pictures for eyes, mouth and cheeks, put onto the front of the stone. */
import { PALETTE } from './palette.ts';
import { type Pixels, stamp } from './pixels.ts';
import type { Eyes, Mouth, Pose } from './pose.ts';

type Picture = readonly string[];

/** All are as wide as the open eye and stand on its lower edge. */
const EYES: Readonly<Record<Eyes, Picture>> = {
  open: ['.KKK.', 'KWWKK', 'KWWKK', 'KKKKK', 'KKKwK', '.KKK.'],
  wide: ['.KKK.', 'KWWKK', 'KWWKK', 'KKKKK', 'KKKKK', 'KKKwK', '.KKK.'],
  half: ['KKKKK', 'KWKKK', 'KKKwK', '.KKK.'],
  closed: ['K...K', 'KKKKK', '.KKK.', '.....'],
  happy: ['.KKK.', 'KKKKK', 'K...K', '.....'],
  sad: ['....K', '..KKK', 'KKKKK', 'KWWKK', 'KKKwK', '.KKK.'],
  squeeze: ['KK...', '.KKK.', '...KK', '.KKK.', 'KK...', '.....'],
};

const MOUTHS: Readonly<Record<Mouth, Picture>> = {
  smile: ['K....K', '.KKKK.'],
  tiny: ['.KK.'],
  grin: ['KKKKKKKK', 'KRRRRRRK', '.KPPPPK.', '..KKKK..'],
  flat: ['KKKKK.'],
  frown: ['.KKKK.', 'K....K'],
  round: ['.KK.', 'KRRK', 'KRRK', '.KK.'],
  wobble: ['.KK...KK', 'K..KKK..'],
  sleepy: ['.K..K.', '..KK..'],
};

const CHEEK: Picture = ['CCC', '.CC'];
/** Column of the middle; a picture of even width stands centred on its left edge. */
const MIDDLE = 32;
const EYE_APART = 10;
const EYE_WIDTH = 5;

const mirrored = (picture: Picture): Picture => picture.map((row) => [...row].reverse().join(''));

/** The right eye: lids and lines are mirrored, but the light falls into both eyes from the same side. */
const RIGHT_EYES: Readonly<Record<Eyes, Picture>> = {
  ...EYES,
  sad: ['K....', 'KKK..', 'KKKKK', 'KWWKK', 'KKKwK', '.KKK.'],
  squeeze: mirrored(EYES.squeeze),
};

function drawEye(face: Pixels, picture: Picture, left: number, bottom: number): void {
  stamp(face, picture, PALETTE, left, bottom - picture.length);
}

/** Puts the face onto `stone`; `top` is the row where open eyes begin. */
export function drawFace(stone: Pixels, { eyes, gaze, mouth, blush }: Pose, top: number): void {
  const [x, bottom] = [MIDDLE + gaze.x, top + 6 + gaze.y];
  drawEye(stone, EYES[eyes], x - EYE_APART, bottom);
  drawEye(stone, RIGHT_EYES[eyes], x + EYE_APART - EYE_WIDTH, bottom);
  const lips = MOUTHS[mouth];
  stamp(stone, lips, PALETTE, x - lips[0]!.length / 2, bottom + 2);
  if (!blush) return;
  stamp(stone, CHEEK, PALETTE, x - EYE_APART - 3, bottom + 1);
  stamp(stone, mirrored(CHEEK), PALETTE, x + EYE_APART, bottom + 1);
}
