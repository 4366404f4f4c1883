/** The one error that client and CLI throw: a stable code, a readable message, whether to try again, and details (spec §6). */
import type { ErrorCode } from '../server/protocol/errors.ts';
import { type CliErrorCode, EXIT, rowOf } from './exit-codes.ts';

interface Said {
  /** Replaces the message of the table. Never holds a key or the content of a request. */
  readonly message?: string;
  readonly retryable?: boolean;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** The program is built as several files, each with a class of its own: what is one of these is told by this mark. */
const MARK = Symbol.for('companion.error');

/** `code` is from the error table of the protocol, or one of those only this side knows (UNREACHABLE, CREDENTIAL_MISSING, …). */
export class CompanionError extends Error {
  override readonly name = 'CompanionError';
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && MARK in value;
  }
  readonly code: string;
  readonly retryable: boolean;
  readonly exitCode: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  constructor(code: ErrorCode | CliErrorCode | (string & {}), { message, retryable, details }: Said = {}) {
    const row = rowOf(code);
    super(message ?? row?.message ?? code);
    Object.defineProperty(this, MARK, { value: true });
    this.code = code;
    this.retryable = retryable ?? row?.retryable ?? false;
    this.exitCode = row?.exitCode ?? EXIT.failed;
    this.details = details;
  }

  /** `{ error: { code, message, retryable, details? } }`, as the CLI prints it. */
  toJSON(): object {
    const { code, message, retryable, details } = this;
    return { error: { code, message, retryable, ...(details && { details }) } };
  }
}

/** The command line itself is wrong: INVALID_PARAMS with a text that says what. Exit 2. */
export const usageError = (message: string, details?: Readonly<Record<string, unknown>>): CompanionError =>
  new CompanionError('INVALID_PARAMS', { message, details });
