/** The last bytes of an output, and as few of them as are worth showing. Held in memory and nowhere else. */

const KEPT_BYTES = 16_384;
/** Lines that are shown of it. */
const MAX_LINES = 40;

export class Tail {
  readonly #ring = Buffer.alloc(KEPT_BYTES);
  #at = 0;
  #total = 0;

  /** Keeps no reference to `bytes`. */
  push(bytes: Buffer): void {
    const last = bytes.subarray(-KEPT_BYTES);
    const untilEnd = last.copy(this.#ring, this.#at);
    last.copy(this.#ring, 0, untilEnd);
    this.#at = (this.#at + last.length) % KEPT_BYTES;
    this.#total += bytes.length;
  }

  /** Its last lines, the first of them whole. A line that was written over, as progress bars do it, is what it became last. */
  text(): string {
    const isFull = this.#total > KEPT_BYTES;
    const bytes = isFull
      ? Buffer.concat([this.#ring.subarray(this.#at), this.#ring.subarray(0, this.#at)])
      : this.#ring.subarray(0, this.#at);
    const lines = bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd().split('\n');
    // What is left of the oldest line may begin in the middle of a letter.
    const whole = isFull && lines.length > 1 ? lines.slice(1) : lines;
    return whole
      .slice(-MAX_LINES)
      .map((line) => line.slice(line.lastIndexOf('\r') + 1))
      .join('\n');
  }
}
