/** What the sources of a character come to: a drawing for each frame, and everything its manifest says beside them. */
import type { CharacterManifest, Clip } from '../../server/protocol/character.ts';

/** One frame of a clip in terms of a character's own pose. `ms` is how long it shows. */
export interface Shot<Pose> {
  readonly pose: Pose;
  readonly ms: number;
}

export interface PosedClip<Pose> {
  readonly shots: readonly Shot<Pose>[];
  readonly loop: Clip['loop'];
  readonly stillFrame: number;
}

export const clip = <Pose>(loop: Clip['loop'], stillFrame: number, shots: readonly Shot<Pose>[]): PosedClip<Pose> => ({
  shots,
  loop,
  stillFrame,
});

/** A clip whose frames are SVG elements of the canvas' size. */
export interface DrawnClip {
  readonly frames: readonly { readonly drawing: string; readonly ms: number }[];
  readonly loop: Clip['loop'];
  readonly stillFrame: number;
}

export interface DrawnCharacter {
  /** The manifest but for what follows from the drawings. */
  readonly facts: Omit<CharacterManifest, 'schema' | 'images' | 'clips'>;
  /** What the drawings refer to; one copy serves a whole page of them. */
  readonly defs: string;
  readonly clips: Readonly<Record<string, DrawnClip>>;
}

/** Draws every pose of `clips`. */
export const drawClips = <Pose>(
  clips: Readonly<Record<string, PosedClip<Pose>>>,
  draw: (pose: Pose) => string,
): Readonly<Record<string, DrawnClip>> =>
  Object.fromEntries(
    Object.entries(clips).map(([name, { shots, loop, stillFrame }]) => {
      const frames = shots.map(({ pose, ms }) => ({ drawing: draw(pose), ms }));
      return [name, { frames, loop, stillFrame }];
    }),
  );
