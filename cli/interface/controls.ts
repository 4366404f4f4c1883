/** What comes in on standard input: bytes to lines, lines to control messages. Nothing that arrives can break a session. */
import { isObject } from '../../server/protocol/json-object.ts';

/** Longer lines are dropped, so that no writer can fill the memory. */
export const MAX_LINE_BYTES = 65_536;
const MAX_NAME_LENGTH = 64;

/** Cuts bytes into lines; null stands for one that was too long. */
export class LineReader {
  #parts: Buffer[] = [];
  #length = 0;

  /** Every line that `chunk` completes. */
  push(chunk: Buffer): (string | null)[] {
    const lines: (string | null)[] = [];
    let from = 0;
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, to));
      lines.push(this.#take());
      from = to + 1;
    }
    this.#keep(chunk.subarray(from));
    return lines;
  }

  /** What is left without a line break when the input ends. */
  end(): (string | null)[] {
    return this.#length === 0 ? [] : [this.#take()];
  }

  #keep(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > MAX_LINE_BYTES) this.#parts = [];
    // A copy: the rest of the chunk need not stay in memory for it.
    else if (part.length > 0) this.#parts.push(Buffer.from(part));
  }

  #take(): string | null {
    const line = this.#length > MAX_LINE_BYTES ? null : Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}

export type Control =
  | { readonly action: 'cancel' | 'pause' | 'resume' }
  | { readonly action: 'prompt-reply'; readonly id: string; readonly value: string };

export type ReadControl =
  | { readonly control: Control }
  /** What is wrong with the line, for a warning. */
  | { readonly junk: string };

/** Short and without control characters: it is repeated to whoever reads the warnings. */
const nameable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').slice(0, MAX_NAME_LENGTH);

/** The control message on a line; null for an empty line. */
export function readControl(line: string | null): ReadControl | null {
  if (line === null) return { junk: `a stdin line of more than ${MAX_LINE_BYTES} bytes was dropped` };
  if (line.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { junk: 'a stdin line is not JSON' };
  }
  if (!isObject(value)) {
    return { junk: 'a stdin line is not a JSON object' };
  }
  const { action, id, value: reply } = value;
  if (typeof action !== 'string') return { junk: 'a stdin line has no action that is a string' };
  switch (action) {
    case 'cancel':
    case 'pause':
    case 'resume':
      return { control: { action } };
    case 'prompt-reply':
      return typeof id === 'string' && typeof reply === 'string'
        ? { control: { action, id, value: reply } }
        : { junk: 'prompt-reply needs an id and a value that are strings' };
    default:
      return { junk: `unknown stdin action: ${nameable(action)}` };
  }
}
