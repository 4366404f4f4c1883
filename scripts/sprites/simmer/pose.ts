/** What Simmer can do in one frame: lid, handle, spout, screen and limbs, with the kettle at rest as the starting point. */
import type { Shot } from '../drawn.ts';
import { type Point, pt } from '../svg.ts';

export type Eyes = 'open' | 'half' | 'closed' | 'happy' | 'sad' | 'wide' | 'squeeze' | 'dim';
export type Mouth = 'smile' | 'tiny' | 'grin' | 'flat' | 'frown' | 'round' | 'wobble' | 'none';

export type Prop =
  /** Puffs from the spout; `age` 0 to 1 takes them up and away, `strength` is how large they are. */
  | { readonly kind: 'steam'; readonly age: number; readonly strength: number }
  | { readonly kind: 'confetti'; readonly age: number }
  | { readonly kind: 'gear'; readonly turn: number }
  /** A cup on the ground, `full` 0 to 1; `steam` is the age of what rises from it, 0 is none; `slide` moves it towards the kettle. */
  | { readonly kind: 'cup'; readonly full: number; readonly steam: number; readonly slide: number }
  /** Tea that falls from the tilted spout into the cup. */
  | { readonly kind: 'stream'; readonly width: number }
  | { readonly kind: 'drip'; readonly fall: number; readonly pool: number }
  | { readonly kind: 'cloud'; readonly size: number; readonly spread: number }
  | { readonly kind: 'notes'; readonly step: number }
  | { readonly kind: 'zzz'; readonly step: number }
  | { readonly kind: 'dots'; readonly count: number }
  | { readonly kind: 'question'; readonly tilt: number; readonly y: number };

/** Lengths are units of the 128 x 128 canvas, angles degrees clockwise, left is the viewer's left. */
export interface Pose {
  /** Moves the whole figure. */
  readonly x: number;
  readonly y: number;
  /** Height of the body against its rest; the width answers so that the volume seems kept. */
  readonly stretch: number;
  /** Leans the body about its feet. */
  readonly lean: number;
  /** Which way it hangs when held by its handle. */
  readonly swing: number;
  /** Size of the whole figure, for coming out of a cloud. */
  readonly grown: number;
  readonly eyes: Eyes;
  readonly gaze: Point;
  readonly mouth: Mouth;
  readonly blush: number;
  readonly leftHand: Point;
  readonly rightHand: Point;
  /** How far the lid is up, aside and tilted. */
  readonly lid: number;
  readonly lidAside: number;
  readonly lidTilt: number;
  /** How far the handle stands up, 1 is upright, and how far its top sways aside. */
  readonly bail: number;
  readonly sway: number;
  /** Turns the spout up (negative) or down. */
  readonly spout: number;
  readonly leftFoot: Point & { readonly tilt: number };
  readonly rightFoot: Point & { readonly tilt: number };
  /** Strength of the shadow on the ground. */
  readonly shadow: number;
  readonly props: readonly Prop[];
}

export const REST: Pose = {
  x: 0,
  y: 0,
  stretch: 1,
  lean: 0,
  swing: 0,
  grown: 1,
  eyes: 'open',
  gaze: pt(0, 0),
  mouth: 'smile',
  blush: 0.8,
  leftHand: pt(20, 102),
  rightHand: pt(99, 104),
  lid: 0,
  lidAside: 0,
  lidTilt: 0,
  bail: 1,
  sway: 0,
  spout: 0,
  leftFoot: { x: 0, y: 0, tilt: 0 },
  rightFoot: { x: 0, y: 0, tilt: 0 },
  shadow: 1,
  props: [],
};

/** A frame that differs from the kettle at rest in what `change` says. */
export const shot = (ms: number, change: Partial<Pose> = {}): Shot<Pose> => ({ ms, pose: { ...REST, ...change } });
