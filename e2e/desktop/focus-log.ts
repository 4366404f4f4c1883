/** Who had the keyboard, and when: asked every 30 ms by a thread of its own, so that a busy test misses nothing. */
import type { Desk } from './desk.ts';
import { startWatcher, type Watcher } from './watcher.ts';

export interface FocusLog {
  readonly samples: number;
  /** The longest time in which nobody looked. */
  readonly longestGapMs: number;
  /** The first sample and every one that differs from the one before; `at` in epoch ms. */
  readonly changes: readonly { readonly focus: number; readonly at: number }[];
}

const EVERY_MS = 30;

/** Watches from now on; resolves with the first sample. */
export const watchFocus = (desk: Desk): Promise<Watcher<FocusLog>> =>
  startWatcher('./focus-watch.mjs', { workerData: { display: desk.display, everyMs: EVERY_MS } });
