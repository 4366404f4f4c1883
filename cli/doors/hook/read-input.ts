/** Reads a hook's standard input to its end and keeps a bounded part of it: who writes must never find the pipe broken. */
import { isUtf8 } from 'node:buffer';

/** The text of `stream`; null when it has more than `maxBytes` or is no text. */
export async function readInput(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  return bytes <= maxBytes && isUtf8(whole) ? whole.toString('utf8') : null;
}
