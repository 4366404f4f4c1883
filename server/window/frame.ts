/** What is around the page while one Chromium lives: our see-through window, an ordinary one, or none (design §3). */
import { NOTHING_SEEN, type ScreenFacts } from '../protocol/overlay.ts';
import { PAGE_HASH, type WindowToPage } from '../protocol/window.ts';
import type { Desktop } from './x/desktop.ts';

export interface Frame {
  readonly headless: boolean;
  /** For Chromium's command line. */
  readonly args: readonly string[];
  /** Tells the page how it stands. */
  readonly hash: string;
  /** The page is there and hears. */
  attach(tell: (message: WindowToPage) => void): void;
  /** Calls `end` when Chromium's window cannot be had. */
  onFailed(end: (reason: string) => void): void;
  /** What the page says to its window. */
  receive(json: string): void;
  facts(): ScreenFacts;
  close(): void;
}

/** Size of an ordinary window, CSS px. */
const PLAIN = { width: 480, height: 720 } as const;

const still = { attach: () => {}, onFailed: () => {}, receive: () => {}, close: () => {} } as const;

export const headlessFrame: Frame = {
  ...still,
  headless: true,
  args: [],
  hash: '',
  facts: () => ({ backend: 'headless', ...NOTHING_SEEN }),
};

/** An ordinary window that the user moves and sizes: where there is no X, or one that lacks what ours needs. */
export const plainFrame = (platform: 'x11' | 'wayland'): Frame => ({
  ...still,
  headless: false,
  args: [
    `--ozone-platform=${platform}`,
    '--class=companion',
    '--test-type',
    `--window-size=${PLAIN.width},${PLAIN.height}`,
  ],
  hash: PAGE_HASH.plain,
  facts: () => ({ backend: 'window', ...NOTHING_SEEN }),
});

/** The see-through window on `desktop`, for the Chromium that is launched next. */
export function shapedFrame(desktop: Desktop): Frame {
  let end = (_reason: string): void => {};
  const { args, window } = desktop.open((reason) => end(reason));
  return {
    headless: false,
    args,
    hash: PAGE_HASH.shaped,
    attach: window.attach,
    onFailed: (ends) => {
      end = ends;
    },
    receive: window.receive,
    facts: () => {
      const { transparent, alwaysOnTop, clickThrough, positioned } = desktop.facts();
      return { backend: desktop.backend, transparent, alwaysOnTop, clickThrough, positioned };
    },
    close: window.close,
  };
}
