/** Carries a program's output on, byte for byte, and lets a listener look at it as it passes. Holds one buffer, however fast it comes. */
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { writeAll } from './outlet.ts';

const BUFFER_BYTES = 65_536;

export interface Passage {
  /** Bytes carried so far. */
  readonly bytes: number;
  /** What has been read waits for its reader. */
  readonly isHeldUp: boolean;
  /** Resolves when the program has closed its end, `stop` was called, or nobody reads the output any more; all is written then. */
  readonly ended: Promise<void>;
  /** Takes no more. */
  stop(): void;
}

/**
 * Reads from `readFd`, which it closes at the end, and writes to `fd`. `look` sees each piece before it is written, and
 * may keep nothing of it: the buffer is used again.
 */
export function openPassage(readFd: number, fd: number, look: (bytes: Buffer) => void): Passage {
  const state = { bytes: 0, isHeldUp: false };
  let isStopped = false;
  let finish = (): void => {};
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const carry = async (bytes: Buffer): Promise<void> => {
    state.isHeldUp = true;
    const written = writeAll(fd, bytes);
    look(bytes);
    const isRead = await written;
    state.isHeldUp = false;
    // Its next write tells the program that nobody reads any more, as it would without us.
    if (!isRead || isStopped) source.destroy();
    else source.resume();
  };
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    fd: readFd,
    readable: true,
    writable: false,
    onread: {
      buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
      callback: (length, buffer) => {
        state.bytes += length;
        carry((buffer as Buffer).subarray(0, length));
        return false;
      },
    },
  };
  const source = new Socket(options);
  source.on('error', () => source.destroy());
  source.on('end', () => source.destroy());
  source.on('close', () => finish());
  return {
    get bytes() {
      return state.bytes;
    },
    get isHeldUp() {
      return state.isHeldUp;
    },
    ended,
    stop: () => {
      isStopped = true;
      if (!state.isHeldUp) source.destroy();
    },
  };
}
