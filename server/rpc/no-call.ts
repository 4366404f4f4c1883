/** What is said to requests that never became a call: an HTTP status, and the same error body as everywhere (R1). */
import { type ErrorCode, ProtocolError } from '../protocol/errors.ts';
import { toErrorAnswer } from './answer.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** R1's statuses, each with the code in its body; 400 is for what is not HTTP at all. */
const NO_CALL = {
  400: { code: 'INVALID_REQUEST', phrase: 'Bad Request' },
  403: { code: 'FORBIDDEN', phrase: 'Forbidden' },
  404: { code: 'NOT_FOUND', phrase: 'Not Found' },
  405: { code: 'INVALID_REQUEST', phrase: 'Method Not Allowed' },
  408: { code: 'INVALID_REQUEST', phrase: 'Request Timeout' },
  413: { code: 'PAYLOAD_TOO_LARGE', phrase: 'Payload Too Large' },
  415: { code: 'INVALID_REQUEST', phrase: 'Unsupported Media Type' },
} as const satisfies Record<number, { code: ErrorCode; phrase: string }>;
export type NoCallStatus = keyof typeof NO_CALL;

/** The body that goes with `status`, as JSON text. */
export const noCallBody = (status: NoCallStatus): string =>
  JSON.stringify(toErrorAnswer(null, new ProtocolError(NO_CALL[status].code, { httpStatus: status })));

/** The whole answer as it goes over the wire, for connections that have no response object (any more). */
export function noCallMessage(status: NoCallStatus): string {
  const body = noCallBody(status);
  return [
    `HTTP/1.1 ${status} ${NO_CALL[status].phrase}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
