/** Words for drawings in SVG that every drawn character shares. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const pt = (x: number, y: number): Point => ({ x, y });

const decimals = (value: number): string => String(Math.round(value * 100) / 100);

/** SVG text with its numbers cut to two decimals, so that equal poses give equal text. */
export const svg = (strings: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  strings.reduce((text, part, index) => {
    const value = values[index - 1];
    return `${text}${typeof value === 'number' ? decimals(value) : (value ?? '')}${part}`;
  });

/** The filter `#rim`: a pale rim that keeps a dark outline readable on a dark desktop. */
export const RIM = `<filter id="rim" filterUnits="userSpaceOnUse" x="-40" y="-40" width="208" height="208" color-interpolation-filters="sRGB">
    <feGaussianBlur in="SourceAlpha" stdDeviation="1.15"/><feComponentTransfer result="grown"><feFuncA type="linear" slope="9" intercept="-0.55"/></feComponentTransfer>
    <feFlood flood-color="#ffffff"/><feComposite in2="grown" operator="in" result="pale"/><feMerge><feMergeNode in="pale"/><feMergeNode in="SourceGraphic"/></feMerge></filter>`;

interface Stance {
  /** Height of the body against its rest. */
  readonly stretch: number;
  /** Degrees about the feet, and about the grip. */
  readonly lean: number;
  readonly swing: number;
}

/** Transform of a body whose middle is `x`: held by its top it turns about that, standing it leans about its feet; its volume seems kept. */
export function posture(
  { stretch, lean, swing }: Stance,
  { x, gripY, ground }: { readonly x: number; readonly gripY: number; readonly ground: number },
): string {
  const wide = 1 / Math.sqrt(stretch);
  return svg`rotate(${swing} ${x} ${gripY}) rotate(${lean} ${x} ${ground}) translate(${x} ${ground - 1}) scale(${wide} ${stretch}) translate(${-x} ${1 - ground})`;
}
