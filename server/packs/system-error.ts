/** Turns what the operating system refuses into the words of the library. */
import { PackError, type PackErrorCode } from './types.ts';

/** The library's code for one of the system's, and its words; what is not here is E_INTERNAL, and called as the system calls it. */
const KNOWN: Readonly<Record<string, { readonly code: PackErrorCode; readonly words: string }>> = {
  ENOSPC: { code: 'E_DISK_FULL', words: 'the disk is full' },
  EDQUOT: { code: 'E_DISK_FULL', words: 'the disk quota is used up' },
  EACCES: { code: 'E_PERMISSION', words: 'permission denied' },
  EPERM: { code: 'E_PERMISSION', words: 'the system does not allow it' },
  EROFS: { code: 'E_PERMISSION', words: 'the file system is read-only' },
  ENOENT: { code: 'E_NOT_FOUND', words: 'it is not there' },
  ABORT_ERR: { code: 'E_CANCELLED', words: 'cancelled' },
};

/** The system's own name of an error, such as `ENOENT`; undefined: it has none. */
export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

/** `what` is what was to be done, such as `sheet.png cannot be read`, or a path. A PackError stays as it is. */
export function toPackError(error: unknown, what: string): PackError {
  if (error instanceof PackError) return error;
  const name = codeOf(error) ?? 'unknown error';
  const { code, words } = KNOWN[name] ?? { code: 'E_INTERNAL', words: name };
  return new PackError(code, `${what}: ${words}`);
}

/** A refusal of what a pack holds. */
export const refuse = (reason: string, hint: string | null = null): PackError =>
  new PackError('E_INVALID_INPUT', reason, hint);
