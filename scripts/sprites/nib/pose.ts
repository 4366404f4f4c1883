/** What a figure can do in one frame: every angle, shape and prop, with the figure at rest as the starting point. */
import type { Shot } from '../drawn.ts';
import type { Point } from '../svg.ts';

export type Eyes = 'open' | 'half' | 'closed' | 'happy' | 'sad' | 'wide' | 'squeeze';
export type Mouth = 'smile' | 'tiny' | 'grin' | 'flat' | 'frown' | 'round' | 'wobble' | 'sleepy' | 'sip';

export type Prop =
  | { readonly kind: 'laptop'; readonly x: number; readonly y: number; readonly glow: number }
  | { readonly kind: 'cup'; readonly x: number; readonly y: number; readonly tilt: number; readonly steam: number }
  | { readonly kind: 'zzz'; readonly step: number }
  | { readonly kind: 'confetti'; readonly age: number }
  | { readonly kind: 'sweat'; readonly x: number; readonly y: number; readonly size: number }
  | { readonly kind: 'question'; readonly x: number; readonly y: number; readonly tilt: number; readonly size: number }
  | { readonly kind: 'dots'; readonly count: number }
  | { readonly kind: 'puddle'; readonly size: number; readonly splash: number };

/** Lengths are units of the 128 x 128 canvas, angles degrees clockwise, left is the viewer's left. */
export interface Pose {
  /** Moves the whole figure. */
  readonly x: number;
  readonly y: number;
  /** Height of the body against its rest; the width answers so that the volume seems kept. */
  readonly stretch: number;
  /** Leans the body about its feet. */
  readonly lean: number;
  /** Which way the figure hangs when held by its top. */
  readonly swing: number;
  readonly eyes: Eyes;
  readonly gaze: Point;
  readonly mouth: Mouth;
  /** Inner ends up (worried, positive) or down (determined, negative); null shows no brows. */
  readonly brows: number | null;
  /** Moves the face on the head, as if the head turned. */
  readonly face: Point;
  readonly blush: number;
  readonly leftHand: Point;
  readonly rightHand: Point;
  readonly leftEar: number;
  readonly rightEar: number;
  /** Direction of the feather, and how far its tip bends aside. */
  readonly feather: number;
  readonly bend: number;
  readonly leftFoot: Point & { readonly tilt: number };
  readonly rightFoot: Point & { readonly tilt: number };
  /** Strength of the shadow on the ground. */
  readonly shadow: number;
  /** How much of the figure has risen from the ink: 1 is all. */
  readonly risen: number;
  readonly props: readonly Prop[];
}

export const REST: Pose = {
  x: 0,
  y: 0,
  stretch: 1,
  lean: 0,
  swing: 0,
  eyes: 'open',
  gaze: { x: 0, y: 0 },
  mouth: 'smile',
  brows: null,
  face: { x: 0, y: 0 },
  blush: 0.75,
  leftHand: { x: 25, y: 97 },
  rightHand: { x: 103, y: 97 },
  leftEar: 0,
  rightEar: 0,
  feather: 16,
  bend: 5,
  leftFoot: { x: 0, y: 0, tilt: 0 },
  rightFoot: { x: 0, y: 0, tilt: 0 },
  shadow: 1,
  risen: 1,
  props: [],
};

/** A frame that differs from the figure at rest, or from `from`, in what `change` says. */
export const shot = (ms: number, change: Partial<Pose> = {}, from: Pose = REST): Shot<Pose> => ({
  ms,
  pose: { ...from, ...change },
});
