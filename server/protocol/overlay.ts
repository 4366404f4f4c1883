/** What `runtime.describe` says about the overlay: seen, not assumed (design §3). */

/** What the window really is on this screen. */
export interface Seen {
  readonly transparent: boolean;
  readonly alwaysOnTop: boolean;
  readonly clickThrough: boolean;
  readonly positioned: boolean;
}

/** Of a window that is not there, or not ours to shape. */
export const NOTHING_SEEN: Seen = {
  transparent: false,
  alwaysOnTop: false,
  clickThrough: false,
  positioned: false,
};

export interface ScreenFacts extends Seen {
  readonly backend: 'x11' | 'xwayland' | 'window' | 'headless';
}

export interface OverlayFacts extends ScreenFacts {
  readonly state: 'up' | 'starting' | 'down';
}
