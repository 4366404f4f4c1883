/** Reads one body and not a byte more than may be kept; what comes after the limit is thrown away unread. */
import type { IncomingMessage } from 'node:http';

/** Calls `done` once: with the body, with null as soon as it is known to be too large, or never when the connection breaks. */
export function readBody(request: IncomingMessage, maxBytes: number, done: (body: Buffer | null) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > maxBytes) refuse();
    else chunks.push(chunk);
  };
  const onEnd = (): void => done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes));
  const refuse = (): void => {
    request.off('data', onData).off('end', onEnd);
    // Read on without keeping, so that the sender gets to read the refusal instead of a broken pipe.
    request.resume();
    done(null);
  };
  if (Number(request.headers['content-length']) > maxBytes) refuse();
  else request.on('data', onData).on('end', onEnd);
}
