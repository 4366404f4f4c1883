/** The closed table of everything that can be refused (spec §6), from which the type, the CLI exit code and the OpenRPC errors come. */

interface ErrorRow {
  /** JSON-RPC error number. */
  readonly rpcCode: number;
  readonly retryable: boolean;
  /** Exit code of the CLI, spec §6. */
  readonly exitCode: 2 | 3 | 4 | 5 | 6 | 7;
  readonly message: string;
}

export const ERRORS = {
  PARSE_ERROR: { rpcCode: -32700, retryable: false, exitCode: 2, message: 'The body is not JSON.' },
  INVALID_REQUEST: { rpcCode: -32600, retryable: false, exitCode: 2, message: 'This is not a valid JSON-RPC request.' },
  METHOD_NOT_FOUND: { rpcCode: -32601, retryable: false, exitCode: 2, message: 'There is no such method.' },
  INVALID_PARAMS: { rpcCode: -32602, retryable: false, exitCode: 2, message: 'The parameters are not valid.' },
  INTERNAL_ERROR: {
    rpcCode: -32603,
    retryable: true,
    exitCode: 5,
    message: 'The companion made a mistake of its own.',
  },
  UNAUTHENTICATED: { rpcCode: -32001, retryable: false, exitCode: 3, message: 'A valid key is needed.' },
  FORBIDDEN: { rpcCode: -32002, retryable: false, exitCode: 3, message: 'This key does not have the scope for that.' },
  NOT_FOUND: { rpcCode: -32003, retryable: false, exitCode: 5, message: 'There is nothing of that name for you.' },
  RESULT_EXPIRED: { rpcCode: -32004, retryable: false, exitCode: 5, message: 'The result is no longer kept.' },
  QUEUE_FULL: { rpcCode: -32005, retryable: true, exitCode: 5, message: 'The queue is full.' },
  RATE_LIMITED: { rpcCode: -32006, retryable: true, exitCode: 5, message: 'Too many calls in a short time.' },
  RUNTIME_UNAVAILABLE: {
    rpcCode: -32007,
    retryable: true,
    exitCode: 5,
    message: 'The companion takes no new requests now.',
  },
  REVISION_CONFLICT: {
    rpcCode: -32008,
    retryable: true,
    exitCode: 5,
    message: 'The request has changed in the meantime.',
  },
  IDEMPOTENCY_CONFLICT: {
    rpcCode: -32009,
    retryable: false,
    exitCode: 5,
    message: 'This idempotency key belongs to a request with other parameters.',
  },
  UNSUPPORTED_CAPABILITY: {
    rpcCode: -32010,
    retryable: false,
    exitCode: 2,
    message: 'This capability is not available.',
  },
  UNSUPPORTED_STYLE: { rpcCode: -32011, retryable: false, exitCode: 2, message: 'This style is not available here.' },
  UNSUPPORTED_PROTOCOL_VERSION: {
    rpcCode: -32012,
    retryable: false,
    exitCode: 4,
    message: 'No protocol version in common; name one in the Companion-Protocol header.',
  },
  PAYLOAD_TOO_LARGE: { rpcCode: -32013, retryable: false, exitCode: 2, message: 'The message is too large.' },
  PAIRING_DENIED: { rpcCode: -32014, retryable: false, exitCode: 3, message: 'The user denied the pairing.' },
  PAIRING_EXPIRED: {
    rpcCode: -32015,
    retryable: false,
    exitCode: 3,
    message: 'The pairing was not confirmed in time.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** Numbers, IDs and field paths only; never user content or keys. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** The one way to refuse. `details` hold numbers, IDs and field paths, never user content or keys. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  constructor(code: ErrorCode, details?: ErrorDetails) {
    super(ERRORS[code].message);
    this.code = code;
    this.details = details;
  }
}

/** INVALID_PARAMS about one place (JSON Pointer) and the rule it breaks; several places are `faults` of the same shape. */
export const invalidParams = (path: string, rule: string): ProtocolError =>
  new ProtocolError('INVALID_PARAMS', { faults: [{ path, rule }] });

/** Marks a branch that the types say cannot be reached. */
export function assertNever(value: never): never {
  throw new Error(`unreachable: ${typeof value}`);
}
