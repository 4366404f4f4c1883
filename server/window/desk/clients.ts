/** Windows of other programs: where they are, and hearing of them. */
import type { Geometry } from 'x11';
import type { Box } from '../../protocol/window.ts';
import { EVENTS, type Screen } from '../x/screen.ts';

/**
 * Hears of the window's properties and of its moving and going. A connection has one set of events a window: whoever watches
 * windows of others asks for all of these, and nobody ever takes them back. Never for a window of ours.
 */
export function watchClient({ X }: Screen, window: number): void {
  X.ChangeWindowAttributes(window, { eventMask: EVENTS.structure | EVENTS.property });
}

/** The window's place on the root, its border not included; null when it has gone. */
export async function boxOfWindow({ X, root, ask }: Screen, window: number): Promise<Box | null> {
  try {
    const [{ width, height }, { destX, destY }] = await Promise.all([
      ask<Geometry>((done) => X.GetGeometry(window, done)),
      ask<{ readonly destX: number; readonly destY: number }>((done) =>
        X.TranslateCoordinates(window, root, 0, 0, done),
      ),
    ]);
    return { x: destX, y: destY, width, height };
  } catch {
    return null;
  }
}
