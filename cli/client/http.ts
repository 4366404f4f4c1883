/** As much HTTP/1.1 as one JSON call over a Unix socket needs; `node:http` would cost the CLI half its start (reference: CLI start). */
import { LIMITS } from '../../server/protocol/limits.ts';
import { PROTOCOL_HEADER, PROTOCOL_VERSIONS } from '../../server/protocol/version.ts';

/** The bytes of one `POST /rpc`. `key` must be printable ASCII; null sends none. */
export function writeRequest(body: string, key: string | null): string {
  const authorization = key === null ? '' : `authorization: Bearer ${key}\r\n`;
  return (
    `POST /rpc HTTP/1.1\r\nhost: companion\r\ncontent-type: application/json\r\n` +
    `${PROTOCOL_HEADER}: ${PROTOCOL_VERSIONS[0]}\r\n${authorization}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

export interface HttpResponse {
  readonly status: number;
  readonly body: string;
  /** The server closes the connection after this answer. */
  readonly closes: boolean;
}

interface Head {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
}

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';

function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split(LINE_END);
  const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first);
  if (status === null) throw new Error('not an HTTP answer');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error('malformed HTTP header');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { status: Number(status[1]), headers };
}

/** The chunks of a chunked body and the bytes they took, or null while the last one is not there yet. */
function readChunks(bytes: Buffer): { body: Buffer; length: number } | null {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf(LINE_END, at);
    if (lineEnd === -1) return null;
    const digits = /^([0-9a-f]{1,8})(?:;|$)/i.exec(bytes.toString('latin1', at, lineEnd).trim());
    if (digits === null) throw new Error('malformed HTTP chunk');
    const size = Number.parseInt(digits[1]!, 16);
    const start = lineEnd + LINE_END.length;
    if (size === 0) {
      // Trailers end with an empty line, which is the line end just read when there are none.
      const trailersEnd = bytes.indexOf(HEAD_END, lineEnd);
      return trailersEnd === -1 ? null : { body: Buffer.concat(parts), length: trailersEnd + HEAD_END.length };
    }
    if (bytes.length < start + size + LINE_END.length) return null;
    parts.push(bytes.subarray(start, start + size));
    at = start + size + LINE_END.length;
  }
}

/** Collects the bytes of one answer, however they were cut. One reader per answer. */
export class ResponseReader {
  #bytes: Buffer = Buffer.alloc(0);
  #head: Head | null = null;

  /** Takes what came; returns the answer once it is whole, null before. Throws when it is not HTTP, or more than one answer came. */
  push(chunk: Buffer): HttpResponse | null {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    while (this.#head === null) {
      const end = this.#bytes.indexOf(HEAD_END);
      if (end === -1) {
        if (this.#bytes.length > LIMITS.maxFrameBytes) throw new Error('HTTP header too long');
        return null;
      }
      const head = parseHead(this.#bytes.toString('latin1', 0, end));
      this.#bytes = this.#bytes.subarray(end + HEAD_END.length);
      // 1xx answers only announce the real one.
      if (head.status >= 200) this.#head = head;
    }
    return this.#readBody(this.#head);
  }

  #readBody({ status, headers }: Head): HttpResponse | null {
    const closes = headers.get('connection')?.toLowerCase() === 'close';
    const body = this.#takeBody(status, headers);
    return body === null ? null : { status, body: body.toString('utf8'), closes };
  }

  #takeBody(status: number, headers: ReadonlyMap<string, string>): Buffer | null {
    if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') {
      const read = readChunks(this.#bytes);
      return read && this.#endingAt(read.length, read.body);
    }
    const length = status === 204 ? 0 : Number(headers.get('content-length') ?? Number.NaN);
    if (!Number.isSafeInteger(length) || length < 0) throw new Error('HTTP answer without a length');
    return this.#bytes.length < length ? null : this.#endingAt(length, this.#bytes.subarray(0, length));
  }

  #endingAt(length: number, body: Buffer): Buffer {
    // Nothing was asked for that these bytes could answer.
    if (this.#bytes.length > length) throw new Error('more than one HTTP answer');
    return body;
  }
}
