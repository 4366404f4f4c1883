/** JSON-RPC answers: one shape for every error, taken from the table (R1, spec §6). */
import { ERRORS, type ErrorCode, ProtocolError } from '../protocol/errors.ts';

export type RpcId = string | number | null;

export interface ErrorAnswer {
  jsonrpc: '2.0';
  id: RpcId;
  error: {
    code: number;
    message: string;
    data: { code: ErrorCode; retryable: boolean; details?: Readonly<Record<string, unknown>> };
  };
}

/** The answer that refuses call `id` with `error`; what is not a ProtocolError shows as INTERNAL_ERROR and nothing more. */
export function toErrorAnswer(id: RpcId, error: unknown): ErrorAnswer {
  const refusal = error instanceof ProtocolError ? error : new ProtocolError('INTERNAL_ERROR');
  const { rpcCode, retryable, message } = ERRORS[refusal.code];
  const { code, details } = refusal;
  return {
    jsonrpc: '2.0',
    id,
    error: { code: rpcCode, message, data: details === undefined ? { code, retryable } : { code, retryable, details } },
  };
}

/** The JSON text of `answer`; a result that has none is a mistake of the host's own. */
export function toText(answer: object): string {
  try {
    return JSON.stringify(answer);
  } catch {
    return JSON.stringify(toErrorAnswer((answer as { id?: RpcId }).id ?? null, undefined));
  }
}
