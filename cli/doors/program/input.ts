/** A program's standard input in two hands: what the caller sends passes as it is, and lines of ours go in between its lines. */
import { Socket } from 'node:net';

const LINE_BREAK = 10;
/** How long a line of ours waits for the caller to end one that it has begun. */
const HALF_LINE_MS = 2_000;

export interface Input {
  readonly isOpen: boolean;
  /** Passes bytes of the caller's on; resolves when there is room for more. */
  pass(bytes: Uint8Array): Promise<void>;
  /** Writes `line` and its end in one write. Reports whether anybody can still read it. */
  send(line: string): boolean;
  close(): void;
}

/** Takes over `fd`, the end of a pipe. */
export function openInput(fd: number): Input {
  const socket = new Socket({ fd, readable: false, writable: true });
  // The program may close its input, or end, whenever it likes.
  socket.on('error', () => socket.destroy());
  let isHalf = false;
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    for (const line of waiting) socket.write(`${line}\n`);
    waiting = [];
  };
  return {
    get isOpen() {
      return socket.writable;
    },
    pass: async (bytes) => {
      if (!socket.writable || bytes.length === 0) return;
      isHalf = bytes.at(-1) !== LINE_BREAK;
      const hasRoom = socket.write(bytes);
      if (!isHalf) flush();
      if (hasRoom) return;
      await new Promise<void>((resolve) => {
        const go = (): void => {
          socket.off('drain', go).off('close', go);
          resolve();
        };
        socket.on('drain', go).on('close', go);
      });
    },
    send: (line) => {
      if (!socket.writable) return false;
      waiting.push(line);
      if (!isHalf) flush();
      else if (waiting.length === 1) timer = setTimeout(flush, HALF_LINE_MS);
      return true;
    },
    close: () => {
      if (!socket.writable) return;
      flush();
      socket.end();
    },
  };
}
