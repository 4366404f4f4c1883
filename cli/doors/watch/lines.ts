/** Cuts bytes into lines as they pass. Keeps the beginning of one unfinished line a stream and nothing else. */
import type { Line } from './adapter.ts';

const LINE_BREAK = 10;
const CARRIAGE_RETURN = 13;
/** What is kept of one line; an agent's line holds whole files now and then. */
export const MAX_LINE_BYTES = 1_048_576;
const FIRST_BYTES = 4_096;
/** Room beyond this is given back after the line that needed it. */
const ROOMY_BYTES = 65_536;

/** Takes the bytes of one stream in order and calls `onLine` for each line that has ended. */
export class LineCutter {
  readonly #stream: Line['stream'];
  readonly #onLine: (line: Line) => void;
  /** The unfinished line is its first `#keptBytes`. */
  #kept = Buffer.alloc(FIRST_BYTES);
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
      if (this.#keptBytes === 0 && !this.#isCut) this.#say(bytes.subarray(at, end));
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
    if (this.#keptBytes > 0 || this.#isCut) this.#flush();
  }

  #keep(bytes: Buffer): void {
    const takenBytes = Math.min(bytes.length, MAX_LINE_BYTES - this.#keptBytes);
    if (takenBytes < bytes.length) this.#isCut = true;
    const neededBytes = this.#keptBytes + takenBytes;
    if (neededBytes > this.#kept.length) {
      const roomier = Buffer.alloc(Math.min(MAX_LINE_BYTES, Math.max(neededBytes, 2 * this.#kept.length)));
      this.#kept.copy(roomier, 0, 0, this.#keptBytes);
      this.#kept = roomier;
    }
    bytes.copy(this.#kept, this.#keptBytes, 0, takenBytes);
    this.#keptBytes = neededBytes;
  }

  #flush(): void {
    const line = this.#kept.subarray(0, this.#keptBytes);
    const isCut = this.#isCut;
    this.#keptBytes = 0;
    this.#isCut = false;
    this.#say(line, isCut);
    if (this.#kept.length > ROOMY_BYTES) this.#kept = Buffer.alloc(FIRST_BYTES);
  }

  #say(bytes: Buffer, isCut = bytes.length > MAX_LINE_BYTES): void {
    const whole = bytes.at(-1) === CARRIAGE_RETURN && !isCut ? bytes.subarray(0, -1) : bytes;
    const text = whole.toString('utf8', 0, Math.min(whole.length, MAX_LINE_BYTES));
    this.#onLine({ text, stream: this.#stream, cut: isCut });
  }
}
