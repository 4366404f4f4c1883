/** The outline of a speech balloon's tail: a triangle that leans towards the figure. */
import { opacities } from './mask.ts';

/** To which side of the card, and to which end of it, the tail points. */
export interface TailSide {
  readonly stack: 'above' | 'below';
  readonly align: 'start' | 'end';
}

/** Its opacities in a box of that many device pixels. */
export function drawTail(width: number, height: number, { stack, align }: TailSide): Uint8Array {
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')!;
  const [near, far] = stack === 'above' ? [0, height] : [height, 0];
  const tip = align === 'end' ? width : 0;
  context.beginPath();
  context.moveTo(0, near);
  context.lineTo(width, near);
  context.lineTo(tip, far);
  context.fill();
  return opacities(context.getImageData(0, 0, width, height).data);
}
