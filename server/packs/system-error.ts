/** Turns what the operating system refuses into the words of the library. */
import { PackError, type PackErrorCode } from './types.ts';

/** The library's code for one of the system's; what is not here is E_INTERNAL. */
export const CODES: Readonly<Record<string, PackErrorCode>> = {
  ENOSPC: 'E_DISK_FULL',
  EDQUOT: 'E_DISK_FULL',
  EACCES: 'E_PERMISSION',
  EPERM: 'E_PERMISSION',
  EROFS: 'E_PERMISSION',
  ENOENT: 'E_NOT_FOUND',
  ABORT_ERR: 'E_CANCELLED',
};

/** `what` is what was to be done, such as `sheet.png cannot be read`. A PackError stays as it is. */
export function toPackError(error: unknown, what: string): PackError {
  if (error instanceof PackError) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return new PackError((code !== undefined && CODES[code]) || 'E_INTERNAL', `${what} (${code ?? 'unknown error'})`);
}

/** A refusal of what a pack holds. */
export const refuse = (reason: string, hint: string | null = null): PackError =>
  new PackError('E_INVALID_INPUT', reason, hint);
