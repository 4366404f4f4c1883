/** What Moss can do in one frame: stone, sprout, face and feet, with the stone at rest as the starting point. */
import type { Shot } from '../drawn.ts';
import { type Point, pt } from '../svg.ts';

export type Eyes = 'open' | 'half' | 'closed' | 'happy' | 'sad' | 'wide' | 'squeeze';
export type Mouth = 'smile' | 'tiny' | 'grin' | 'flat' | 'frown' | 'round' | 'wobble' | 'sleepy';

export type Prop =
  | { readonly kind: 'zzz'; readonly step: number }
  | { readonly kind: 'dots'; readonly count: number }
  | { readonly kind: 'question'; readonly x: number; readonly y: number }
  /** A cloud over the head; `rain` 0 to 3 lets the drops fall. */
  | { readonly kind: 'cloud'; readonly x: number; readonly rain: number }
  | { readonly kind: 'butterfly'; readonly x: number; readonly y: number; readonly open: boolean }
  /** Broken earth where the stone comes up; `burst` throws crumbs. */
  | { readonly kind: 'earth'; readonly width: number; readonly burst: number }
  | { readonly kind: 'dust'; readonly spread: number };

/** Lengths are pixels of the 64 x 64 grid, left is the viewer's left. */
export interface Pose {
  readonly y: number;
  /** Height of the stone against its rest; the width answers so that the volume seems kept. */
  readonly stretch: number;
  /** How far the top leans aside, and how far the feet swing aside when it is held by its sprout. */
  readonly lean: number;
  readonly swing: number;
  readonly eyes: Eyes;
  readonly gaze: Point;
  readonly mouth: Mouth;
  readonly blush: boolean;
  /** How far the top of the sprout sways aside, and how far its leaves hang: 0 up, 1 down. */
  readonly sway: number;
  readonly droop: number;
  /** How long the stem is. */
  readonly stem: number;
  /** 0 no flower, 1 a bud, 2 half open, 3 open. */
  readonly flower: number;
  /** How far each foot is moved. */
  readonly leftFoot: Point;
  readonly rightFoot: Point;
  /** How wide the shadow is, 0 to 1. */
  readonly shadow: number;
  /** How many pixels of it are still in the ground. */
  readonly sunk: number;
  readonly props: readonly Prop[];
}

export const REST: Pose = {
  y: 0,
  stretch: 1,
  lean: 0,
  swing: 0,
  eyes: 'open',
  gaze: pt(0, 0),
  mouth: 'smile',
  blush: true,
  sway: 0,
  droop: 0,
  stem: 8,
  flower: 0,
  leftFoot: pt(0, 0),
  rightFoot: pt(0, 0),
  shadow: 1,
  sunk: 0,
  props: [],
};

/** A frame that differs from the stone at rest in what `change` says. */
export const shot = (ms: number, change: Partial<Pose> = {}): Shot<Pose> => ({ ms, pose: { ...REST, ...change } });
