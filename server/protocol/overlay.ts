/** What `runtime.describe` says about the overlay: seen, not assumed (design §3). */

export interface OverlayFacts {
  readonly state: 'up' | 'starting' | 'down';
  readonly backend: 'x11' | 'xwayland' | 'window' | 'headless';
  readonly transparent: boolean;
  readonly alwaysOnTop: boolean;
  readonly clickThrough: boolean;
  readonly positioned: boolean;
}
