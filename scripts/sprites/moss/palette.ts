/** The few colours Moss is made of. */

export const INK = '#2c2b3c';
/** A pale line around everything keeps the dark outline readable on a dark desktop. */
export const RIM = '#f4f0e4';

export const STONE = { light: '#ccd0c4', fair: '#acb2a8', mid: '#8c938f', deep: '#6c7278', dark: '#54586a' };
export const GREEN = { light: '#c8dc6c', fair: '#94bc48', mid: '#649840', deep: '#44703c' };

/** Signs of the small pictures. */
export const PALETTE: Readonly<Record<string, string>> = {
  K: INK,
  W: '#ffffff',
  w: '#8894b4',
  R: '#8c3044',
  P: '#f08c90',
  C: '#ec9c8c',
  G: GREEN.fair,
  g: GREEN.mid,
  p: '#f8b4d0',
  q: '#e884b0',
  Y: '#fcd45c',
  y: '#e8a040',
  B: '#7cc4f4',
  b: '#4890d4',
  V: '#b8c0fc',
  v: '#8088d8',
  S: STONE.mid,
  s: STONE.dark,
  E: '#9c6c48',
  e: '#744c38',
  H: '#b8c0cc',
  h: '#909cb0',
  O: '#fc9448',
  o: '#d86830',
};
