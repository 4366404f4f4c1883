/** Stands before the SDK and answers what is no message at all, which the SDK drops without a word; passes on the rest, line by line. */
import { Transform } from 'node:stream';
import { ProtocolErrorCode, parseJSONRPCMessage } from '@modelcontextprotocol/server';

/** Far more than the host takes in one call. */
const MAX_LINE_BYTES = 1_048_576;
const NEWLINE = 0x0a;

/** The ID of what was meant as a request, so that its caller does not wait for ever. */
function idOf(value: unknown): string | number | null {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The error that answers `line`; null for a message of JSON-RPC 2.0 and for an empty line. */
export function refusalOf(line: string): object | null {
  if (line.trim() === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { jsonrpc: '2.0', id: null, error: { code: ProtocolErrorCode.ParseError, message: 'This is not JSON.' } };
  }
  try {
    parseJSONRPCMessage(value);
    return null;
  } catch {
    const message = 'This is no message of JSON-RPC 2.0; one object a line, no batches.';
    return { jsonrpc: '2.0', id: idOf(value), error: { code: ProtocolErrorCode.InvalidRequest, message } };
  }
}

const TOO_LONG = {
  jsonrpc: '2.0',
  id: null,
  error: { code: ProtocolErrorCode.InvalidRequest, message: `A line may have ${MAX_LINE_BYTES} bytes.` },
};

/** A stream that lets only messages through and hands the answers to everything else to `answer`. */
export function makeLineGate(answer: (refusal: object) => void): Transform {
  let parts: Buffer[] = [];
  let bytes = 0;
  const endLine = (gate: Transform): void => {
    const line = Buffer.concat(parts).toString('utf8');
    const tooLong = bytes > MAX_LINE_BYTES;
    parts = [];
    bytes = 0;
    const refusal = tooLong ? TOO_LONG : refusalOf(line);
    if (refusal !== null) answer(refusal);
    else if (line.trim() !== '') gate.push(`${line}\n`);
  };
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    // Of a line that is too long only its length is kept.
    if (bytes > MAX_LINE_BYTES) parts = [];
    else if (chunk.length > 0) parts.push(chunk);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at));
        endLine(this);
        from = at + 1;
      }
      take(chunk.subarray(from));
      done();
    },
    flush(done) {
      // A last line without its end was never sent whole; if it is one all the same, nobody is left to hear the answer.
      done();
    },
  });
}
