/** Exit codes and the errors only this side of the socket knows; codes of the host bring their own exit code (spec §6, R5). */
import { ERRORS, type ErrorCode } from '../server/protocol/errors.ts';

export const EXIT = {
  ok: 0,
  /** The user said no, where that is what the exit code tells. */
  no: 1,
  /** The call itself is wrong: parameters, options, an ambiguous profile. */
  usage: 2,
  /** Authentication or permission. */
  denied: 3,
  unreachable: 4,
  failed: 5,
  /** The request was cancelled or has expired. */
  cancelled: 6,
  /** This wait is over, the request goes on. */
  waitTimeout: 7,
  interrupted: 130,
} as const;

/** What each tells, in words for help and the man page. */
const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  no: 'answered no',
  usage: 'wrong call',
  denied: 'no key or not allowed',
  unreachable: 'no companion reached',
  failed: 'failed or refused',
  cancelled: 'cancelled or expired',
  waitTimeout: 'the wait is over, the request goes on',
  interrupted: 'interrupted',
};

/** Every exit code with its meaning, smallest first. */
export const EXIT_LIST: readonly (readonly [code: number, meaning: string])[] = (
  Object.keys(EXIT) as (keyof typeof EXIT)[]
).map((name) => [EXIT[name], EXIT_MEANINGS[name]]);

export const CLI_ERRORS = {
  UNREACHABLE: { retryable: true, exitCode: EXIT.unreachable, message: 'No companion answers on its socket.' },
  CREDENTIAL_MISSING: {
    retryable: false,
    exitCode: EXIT.denied,
    message:
      'There is no such credential profile; pair first: companion pair --name NAME --scopes discover,animate,notify,interact.',
  },
  CREDENTIAL_UNSAFE: {
    retryable: false,
    exitCode: EXIT.denied,
    message: 'Other users could read or replace this; nothing was read from it and no key was sent.',
  },
  PROFILE_AMBIGUOUS: {
    retryable: false,
    exitCode: EXIT.usage,
    message: 'There are several credential profiles; name one with --credential-profile or COMPANION_PROFILE.',
  },
  ALREADY_RUNNING: { retryable: false, exitCode: EXIT.failed, message: 'A companion is already running.' },
  REFUSED: { retryable: false, exitCode: EXIT.failed, message: 'This was refused, and nothing was changed.' },
  START_FAILED: {
    retryable: false,
    exitCode: EXIT.failed,
    message: 'The companion did not start; companion doctor may know why.',
  },
  REQUEST_FAILED: { retryable: false, exitCode: EXIT.failed, message: 'The request failed.' },
  REQUEST_CANCELLED: { retryable: false, exitCode: EXIT.cancelled, message: 'The request was cancelled.' },
  REQUEST_EXPIRED: { retryable: false, exitCode: EXIT.cancelled, message: 'The request expired.' },
  WAIT_TIMEOUT: {
    retryable: true,
    exitCode: EXIT.waitTimeout,
    message: 'The time to wait is over; the request goes on.',
  },
  INTERRUPTED: { retryable: false, exitCode: EXIT.interrupted, message: 'Interrupted.' },
} as const;

export type CliErrorCode = keyof typeof CLI_ERRORS;

/** What is known here about a code; undefined for one that only a newer host knows. */
export function rowOf(code: string): { retryable: boolean; exitCode: number; message: string } | undefined {
  if (Object.hasOwn(ERRORS, code)) return ERRORS[code as ErrorCode];
  return Object.hasOwn(CLI_ERRORS, code) ? CLI_ERRORS[code as CliErrorCode] : undefined;
}
