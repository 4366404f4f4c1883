/** Turns what goes wrong below into refusals of the library: PackError with a code and words for the user. */
import { CODES } from './system-error.ts';
import { PackError } from './types.ts';

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'the system does not allow it',
  EROFS: 'the file system is read-only',
  ENOENT: 'is not there',
};

/** The system's own name of an error, such as `ENOENT`; undefined: it has none. */
export const codeOf = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

/** `error` as the library tells it; a PackError stays as it is. `path`: what was being worked on, named unless the error names a file itself. */
export function asPackError(error: unknown, path: string): PackError {
  if (error instanceof PackError) return error;
  const code = codeOf(error);
  const file = (error as { readonly path?: unknown } | null)?.path;
  const named = typeof file === 'string' ? file : path;
  if (code === undefined)
    return new PackError('E_INTERNAL', `${named}: ${error instanceof Error ? error.message : 'unknown error'}`);
  return new PackError(CODES[code] ?? 'E_INTERNAL', `${named}: ${WORDS[code] ?? code}`);
}

/** Ends a step whose signal was aborted: E_CANCELLED, or the PackError it was aborted with. */
export function assertGoing(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw signal.reason instanceof PackError ? signal.reason : new PackError('E_CANCELLED', 'Cancelled.');
}

/** Runs `work`; whatever it throws comes out as a PackError, an abort of `signal` as what assertGoing says. */
export async function refusing<Result>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PackError)) assertGoing(signal);
    throw asPackError(error, path);
  }
}
