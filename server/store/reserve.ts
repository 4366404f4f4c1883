/** Room on disk kept back, so that answers and cancels still fit when the disk is full. */

import { randomBytes } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeSynced } from './files.ts';

const RESERVE_BYTES = 1_048_576;

export interface Reserve {
  /** Reports whether the room is kept back now, after trying to regain it. */
  hold(): boolean;
  /** Gives the room to whoever writes next. False when there was none to give. */
  release(): boolean;
}

/** Somebody's folder in its place is none of ours to remove. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays, and there is no reserve.
  }
}

/** The file `companion.reserve` in `folder`. */
export function createReserve(folder: string): Reserve {
  const path = join(folder, 'companion.reserve');
  let isHeld = statSync(path, { throwIfNoEntry: false })?.size === RESERVE_BYTES;
  return {
    hold() {
      if (isHeld) return true;
      try {
        rmSync(path, { force: true });
        // Random bytes, because a file system that compresses or keeps holes would reserve nothing for zeros.
        writeSynced(path, randomBytes(RESERVE_BYTES));
        isHeld = true;
      } catch {
        discard(path);
      }
      return isHeld;
    },
    release() {
      if (!isHeld) return false;
      isHeld = false;
      discard(path);
      return true;
    },
  };
}
