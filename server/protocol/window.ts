/** What the page and the see-through window around it tell each other (design §3). No request is in it; the host's rooms never see it. */

import type { ScreenFacts } from './overlay.ts';

/** How the page stands on the screen, told by the hash of its address. Without one it is headless. */
export const PAGE_HASH = { plain: '#windowed', shaped: '#shaped' } as const;

/** All coordinates of shapes are device pixels, counted from the page's top left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of the page that shall be seen and hit; everything outside of all parts is not there. */
export type Piece =
  /** A box with round corners; radii of top left, top right, bottom right, bottom left. */
  | (Box & { readonly kind: 'box'; readonly radii: readonly [number, number, number, number] })
  /** A picture's own outline, told once before by `mask`; it has the mask's size. `hit`: what of it takes the pointer; absent: all that is seen. */
  | { readonly kind: 'mask'; readonly mask: string; readonly x: number; readonly y: number; readonly hit?: Box };

/**
 * The pixel in the page's corner (0, 0) that says which shape the painted frame belongs to: red is the signature,
 * green and blue are the generation, high byte first. Nothing else is ever drawn there.
 */
export const MARKER_RED = 0xc5;
export const MAX_GENERATION = 0xff_ff;

/** Page → window. */
export type PageToWindow =
  /**
   * An outline: one opacity (0 to 255) a pixel, row by row, as run lengths: pairs of bytes (count 1 to 255, opacity), base64.
   * `mask` names it for as long as the page lives.
   */
  | {
      readonly type: 'mask';
      readonly mask: string;
      readonly width: number;
      readonly height: number;
      readonly runs: string;
    }
  /**
   * The shape of the state that is painted next, sent before it is drawn. `generation` goes from 1 to `MAX_GENERATION` and
   * round again; `width` and `height` are the page's size it was made for, `figure` where the figure stands in it.
   * No pieces: nothing is to be seen, and the page may be put to rest.
   */
  | {
      readonly type: 'shape';
      readonly generation: number;
      readonly width: number;
      readonly height: number;
      readonly pieces: readonly Piece[];
      readonly figure: Box | null;
    }
  /** The size everything would like to have, CSS px. */
  | { readonly type: 'bounds'; readonly width: number; readonly height: number }
  /**
   * The figure is being carried: the window follows the pointer from `start`, at each `move`, to `end`. `x` and `y` say where in
   * the page it was taken; the pointer may be far away by the time `start` is heard.
   */
  | { readonly type: 'drag'; readonly phase: 'start' | 'move' | 'end'; readonly x: number; readonly y: number }
  /** The user went to a card or a page of ours and may want to type (true), or is done there (false). */
  | { readonly type: 'focus'; readonly on: boolean }
  | { readonly type: 'resetPosition' }
  /** The user wants the figure on that screen; a name from `place`. */
  | { readonly type: 'moveTo'; readonly monitor: string };

export interface MonitorChoice {
  readonly name: string;
  readonly current: boolean;
}

/** Window → page. */
export type WindowToPage =
  /**
   * Where there is room: cards stand `above` or `below` the figure, aligned with its `start` (left) or `end` (right) side,
   * in `roomPx` CSS px of height, the figure and the page's edges included. Sent first when the page opens.
   */
  | {
      readonly type: 'place';
      readonly stack: 'above' | 'below';
      readonly align: 'start' | 'end';
      readonly roomPx: number;
      readonly monitors: readonly MonitorChoice[];
    }
  /** The keyboard is here, or not any more. `asked`: by the hotkey, so that the page chooses what gets it. */
  | { readonly type: 'focused'; readonly on: boolean; readonly asked: boolean };

/** The binding through which the page speaks to the window. It hears through the same function as from the host. */
export const WINDOW_BINDING = '__companionWindow';

/**
 * What can be seen of the companion, apart from the user's own hiding (R6). `notices`: a full-screen program has the monitor,
 * and the user wants notices over it; `none`: that, a locked screen, or a monitor that is off.
 */
export type Sight = 'clear' | 'notices' | 'none';
export const SIGHTS = ['clear', 'notices', 'none'] as const satisfies readonly Sight[];

/** What happens to the figure when a program takes the whole monitor. */
export const FULL_SCREEN_POLICIES = ['hide', 'stay', 'notices-only'] as const;
export type FullScreenPolicy = (typeof FULL_SCREEN_POLICIES)[number];

/** What the host knows of its desktop, kept as `desktop.json` in the state folder for `companion doctor`; every fact was seen. */
export interface DesktopReport {
  /** Process ID of the host that wrote it. */
  readonly pid: number;
  /** Epoch ms. */
  readonly at: number;
  readonly overlay: ScreenFacts;
  /** Whether a compositing manager runs; null: nobody to ask. */
  readonly compositor: boolean | null;
  /** Name of the window manager as it says itself; null: none. */
  readonly windowManager: string | null;
  readonly chromium: { readonly path: string; readonly sandbox: boolean };
  readonly hotkeys: readonly { readonly action: 'focus' | 'show'; readonly keys: string; readonly grabbed: boolean }[];
  /** Why there is no see-through window although a display was named; one line, never content. */
  readonly trouble: string | null;
}
