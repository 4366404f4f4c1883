/** Whether a program has a whole monitor. Pure; the words are those of EWMH. */
import type { Box } from '../../protocol/window.ts';
import { areaOf, contains, overlap } from './geometry.ts';

/** A window that the window manager keeps. */
export interface Client {
  readonly box: Box;
  /** Number of its desktop; null: it is on all of them, or does not say. */
  readonly desktop: number | null;
  /** Minimised, or hidden in some other way. */
  readonly isHidden: boolean;
  readonly isFullScreen: boolean;
  readonly isMaximised: boolean;
  /** An ordinary window: no panel, no background, no dialogue or menu of another one, not kept above all others. */
  readonly isOrdinary: boolean;
  /** A panel or the desktop's background: never a program that took the monitor. */
  readonly isFurniture: boolean;
}

/** A child of the root window, whoever made it. */
export interface TopWindow {
  readonly box: Box;
  /** It is mapped, shows something, and takes clicks. */
  readonly isThere: boolean;
  /** A frame around a window that the window manager keeps. */
  readonly isFrame: boolean;
  readonly isFurniture: boolean;
  /** It went past the window manager: menus, tooltips, lockers, old games. */
  readonly isUnmanaged: boolean;
}

/** A full-screen window has the monitor also where its picture leaves strips free. */
const LEAST_SHARE = 0.5;

/** The uppermost window on `monitor`, if it has it whole. `stack`: from the lowest to the uppermost. */
export function takenBy(monitor: Box, desktop: number | null, stack: readonly Client[]): Client | null {
  const seen = stack.filter(
    (client) =>
      !client.isHidden &&
      !client.isFurniture &&
      (client.desktop === null || desktop === null || client.desktop === desktop),
  );
  // Dialogues, menus and the like stand above a full-screen program without ending it.
  const top = seen.findLast((client) => fills(client, monitor) || (client.isOrdinary && isOn(client.box, monitor)));
  return top !== undefined && fills(top, monitor) ? top : null;
}

function fills({ box, isFullScreen, isMaximised }: Client, monitor: Box): boolean {
  if (isFullScreen) return areaOf(overlap(box, monitor)) >= areaOf(monitor) * LEAST_SHARE;
  // A maximised window without a frame, where no panel is, is as large.
  return !isMaximised && contains(box, monitor);
}

/** Whether the middle of `box` is on the monitor. */
function isOn(box: Box, monitor: Box): boolean {
  return contains(monitor, { x: box.x + box.width / 2, y: box.y + box.height / 2, width: 0, height: 0 });
}

/** What a child of the root says, looking down from the uppermost: it covers the monitor, it is an ordinary window on it, or look further. */
export function judge(top: TopWindow, monitor: Box): 'covers' | 'ordinary' | 'further' {
  if (!top.isThere || top.isFurniture) return 'further';
  const isOver = contains(top.box, monitor);
  if (!isOver && !isOn(top.box, monitor)) return 'further';
  if (top.isFrame) return 'ordinary';
  if (isOver) return 'covers';
  return top.isUnmanaged ? 'further' : 'ordinary';
}
