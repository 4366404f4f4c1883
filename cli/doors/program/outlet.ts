/** Writes to a stream of this process without ever holding up the process: a reader that stands still holds up only the writer. */
import { write } from 'node:fs';

/** How soon a pipe that is full, and does not wait by itself, is tried again. */
const FULL_MS = 5;

/** Writes all of `bytes` to `fd`; resolves to false when nobody reads any more. */
export function writeAll(fd: number, bytes: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    let at = 0;
    // Not by the stream of Node: to a pipe that one writes on the main thread, which then stands still with the reader.
    const step = (): void =>
      write(fd, bytes, at, bytes.length - at, null, (error, written) => {
        if (error?.code === 'EAGAIN') setTimeout(step, FULL_MS);
        else if (error !== null) resolve(false);
        else {
          at += written;
          if (at === bytes.length) resolve(true);
          else step();
        }
      });
    step();
  });
}
