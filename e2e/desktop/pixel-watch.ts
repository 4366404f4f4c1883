/** What was ever seen on the screen, from one instant to another: the screen's memory is read by a thread, as a monitor reads it. */
import { MessageChannel } from 'node:worker_threads';
import type { Desk } from './desk.ts';
import { FIELD_PX } from './picture.ts';
import { startWatcher, type Watcher } from './watcher.ts';

export interface Seen {
  /** How often the whole screen was read. */
  readonly samples: number;
  readonly width: number;
  readonly height: number;
  /** For each place, in how many samples it showed something else than the wallpaper. */
  readonly seen: Uint32Array;
  /** For each place, what that was, the last time. */
  readonly colour: Uint32Array;
}

/** Between two readings, so that the watched ones get the processor too. */
const EVERY_MS = 3;

/** Watches from now on; resolves after the first reading. Needs Xvfb. */
export async function watchPixels({ memory, wallpaper }: Desk): Promise<Watcher<Seen>> {
  if (memory === null) throw new Error("only Xvfb's screen can be watched");
  const { port1, port2 } = new MessageChannel();
  const { colours } = wallpaper;
  const options = {
    workerData: { memory, colours, fieldPx: FIELD_PX, everyMs: EVERY_MS, control: port2 },
    transferList: [port2],
  };
  return startWatcher('./pixel-watch.mjs', options, () => port1.postMessage('stop'));
}

/** Places at which something was seen that `allowed` does not cover. */
export function strayPixels(
  { seen, width, colour }: Seen,
  allowed: Uint8Array,
): { x: number; y: number; rgb: string }[] {
  const stray: { x: number; y: number; rgb: string }[] = [];
  for (let at = 0; at < seen.length; at += 1) {
    if (seen[at] === 0 || allowed[at] === 1) continue;
    stray.push({ x: at % width, y: Math.floor(at / width), rgb: colour[at]!.toString(16).padStart(6, '0') });
  }
  return stray;
}
