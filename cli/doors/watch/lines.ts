/** Cuts bytes into lines as they pass. Keeps the beginning of one unfinished line a stream and nothing else. */
import type { Line } from './adapter.ts';

const LINE_BREAK = 10;
const CARRIAGE_RETURN = 13;
/** What is kept of one line; an agent's line holds whole files now and then. */
export const MAX_LINE_BYTES = 1_048_576;

/** Takes the bytes of one stream in order and calls `onLine` for each line that has ended. */
export class LineCutter {
  readonly #stream: Line['stream'];
  readonly #onLine: (line: Line) => void;
  #parts: Buffer[] = [];
  #keptBytes = 0;
  #isCut = false;

  constructor(stream: Line['stream'], onLine: (line: Line) => void) {
    this.#stream = stream;
    this.#onLine = onLine;
  }

  /** Keeps no reference to `bytes`. */
  push(bytes: Buffer): void {
    let at = 0;
    for (let end = bytes.indexOf(LINE_BREAK); end !== -1; end = bytes.indexOf(LINE_BREAK, at)) {
      if (this.#parts.length === 0 && !this.#isCut) this.#say(bytes.subarray(at, end));
      else {
        this.#keep(bytes.subarray(at, end));
        this.#flush();
      }
      at = end + 1;
    }
    if (at < bytes.length) this.#keep(bytes.subarray(at));
  }

  /** The last line may have no end. */
  end(): void {
    if (this.#parts.length > 0) this.#flush();
  }

  #keep(bytes: Buffer): void {
    const room = MAX_LINE_BYTES - this.#keptBytes;
    if (bytes.length > room) this.#isCut = true;
    if (room === 0 || bytes.length === 0) return;
    const kept = Buffer.from(bytes.subarray(0, room));
    this.#parts.push(kept);
    this.#keptBytes += kept.length;
  }

  #flush(): void {
    const whole = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    const isCut = this.#isCut;
    this.#parts = [];
    this.#keptBytes = 0;
    this.#isCut = false;
    this.#say(whole, isCut);
  }

  #say(bytes: Buffer, isCut = bytes.length > MAX_LINE_BYTES): void {
    const whole = bytes.at(-1) === CARRIAGE_RETURN && !isCut ? bytes.subarray(0, -1) : bytes;
    const text = whole.toString('utf8', 0, Math.min(whole.length, MAX_LINE_BYTES));
    this.#onLine({ text, stream: this.#stream, cut: isCut });
  }
}
