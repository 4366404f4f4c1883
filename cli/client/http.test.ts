import { describe, expect, it } from 'vitest';
import { type HttpResponse, ResponseReader, writeRequest } from './http.ts';

/** Feeds `text` in pieces of `size` bytes and returns every answer but null. */
function readInPieces(text: string, size: number): HttpResponse[] {
  const bytes = Buffer.from(text);
  const reader = new ResponseReader();
  const answers: HttpResponse[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const answer = reader.push(bytes.subarray(at, at + size));
    if (answer !== null) answers.push(answer);
  }
  return answers;
}

const SIZED = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"a":"é"}\n';
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n4\r\n{"a"\r\n6;x=1\r\n:"é"}\r\n0\r\n\r\n';

describe('ResponseReader', () => {
  it.each([1, 2, 3, 7, 64, 4096])('reads a body of a given length cut into pieces of %i bytes', (size) => {
    expect(readInPieces(SIZED, size)).toEqual([{ status: 200, body: '{"a":"é"}\n', closes: false }]);
  });

  it.each([1, 2, 3, 7, 64, 4096])('reads a chunked body cut into pieces of %i bytes', (size) => {
    expect(readInPieces(CHUNKED, size)).toEqual([{ status: 200, body: '{"a":"é"}', closes: true }]);
  });

  it('reads chunks that are followed by trailers', () => {
    const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Sum: 1\r\n\r\n';
    expect(readInPieces(text, 5)).toEqual([{ status: 200, body: '{}', closes: false }]);
  });

  it('passes over an interim answer', () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\n${SIZED}`;
    expect(readInPieces(text, 9)).toEqual([{ status: 200, body: '{"a":"é"}\n', closes: false }]);
  });

  it('reads an answer without content', () => {
    expect(readInPieces('HTTP/1.1 204 No Content\r\n\r\n', 4)).toEqual([{ status: 204, body: '', closes: false }]);
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['no length', 'HTTP/1.1 200 OK\r\n\r\n{}'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['a header without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['a chunk size that is no number', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n'],
    ['a second answer', `${SIZED}${SIZED}`],
    ['a header without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`],
  ])('refuses %s', (_what, text) => {
    expect(() => readInPieces(text, 100_000)).toThrow();
  });
});

describe('writeRequest', () => {
  it('counts bytes, not characters, and names the protocol version and the key', () => {
    expect(writeRequest('{"a":"é"}', 'cmp_x')).toBe(
      'POST /rpc HTTP/1.1\r\nhost: companion\r\ncontent-type: application/json\r\ncompanion-protocol: 0.1\r\n' +
        'authorization: Bearer cmp_x\r\ncontent-length: 10\r\n\r\n{"a":"é"}',
    );
  });

  it('sends no authorization when there is no key', () => {
    expect(writeRequest('{}', null)).not.toContain('authorization');
  });
});
