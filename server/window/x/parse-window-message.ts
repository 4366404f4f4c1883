/** Reads what the page tells its window as if anybody had told it: known shapes with bounded numbers pass, everything else is null. */
import { type Fields, isObject } from '../../protocol/json-object.ts';
import { MAX_GENERATION, type PageToWindow, type Piece } from '../../protocol/window.ts';

const MAX_SIDE_PX = 16_384;
const MAX_PIECES = 64;
const MAX_ID = 64;
/** A picture of 2 000 by 2 000 pixels whose every pixel differs from the next. */
const MAX_RUNS = 12_000_000;
const MAX_MASK_PIXELS = 8_000_000;

const isSide = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_SIDE_PX;
const isAt = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) <= MAX_SIDE_PX;
const isLength = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= MAX_SIDE_PX;
const isId = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= MAX_ID;
const isBox = (value: unknown): boolean =>
  isObject(value) && isAt(value.x) && isAt(value.y) && isSide(value.width) && isSide(value.height);

function isPiece(value: unknown): value is Piece {
  if (!isObject(value)) return false;
  if (value.kind === 'mask')
    return isId(value.mask) && isAt(value.x) && isAt(value.y) && (value.hit === undefined || isBox(value.hit));
  return (
    value.kind === 'box' &&
    isBox(value) &&
    Array.isArray(value.radii) &&
    value.radii.length === 4 &&
    value.radii.every(isLength)
  );
}

const isShape = (value: Fields): boolean =>
  Number.isInteger(value.generation) &&
  (value.generation as number) >= 1 &&
  (value.generation as number) <= MAX_GENERATION &&
  isSide(value.width) &&
  isSide(value.height) &&
  Array.isArray(value.pieces) &&
  value.pieces.length <= MAX_PIECES &&
  value.pieces.every(isPiece) &&
  (value.figure === null || isBox(value.figure));

const isMask = (value: Fields): boolean =>
  isId(value.mask) &&
  isSide(value.width) &&
  isSide(value.height) &&
  value.width * value.height <= MAX_MASK_PIXELS &&
  typeof value.runs === 'string' &&
  value.runs.length <= MAX_RUNS;

const CHECKS: { readonly [Type in PageToWindow['type']]: (value: Fields) => boolean } = {
  mask: isMask,
  shape: isShape,
  bounds: ({ width, height }) => isLength(width) && isLength(height),
  drag: ({ phase, x, y }) => (phase === 'start' || phase === 'move' || phase === 'end') && isAt(x) && isAt(y),
  focus: ({ on }) => typeof on === 'boolean',
  resetPosition: () => true,
  moveTo: ({ monitor }) => isId(monitor),
};

/** The message in `json`, or null when it is not one of the page's to its window. */
export function parseWindowMessage(json: string): PageToWindow | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (!isObject(value) || typeof value.type !== 'string' || !Object.hasOwn(CHECKS, value.type)) return null;
  return CHECKS[value.type as PageToWindow['type']](value) ? (value as unknown as PageToWindow) : null;
}
