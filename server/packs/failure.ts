/** Turns what goes wrong below into refusals of the library: PackError with a code and words for the user. */
import { codeOf, toPackError } from './system-error.ts';
import { PackError } from './types.ts';

/** The same as toPackError, for a step on many files. `path`: what was being worked on, named unless the error names a file itself. */
export function asPackError(error: unknown, path: string): PackError {
  const file = (error as { readonly path?: unknown } | null)?.path;
  const named = typeof file === 'string' ? file : path;
  // What is no refusal of the system's is a bug, and its own words are all there is to find it by.
  const isBug = error instanceof Error && !(error instanceof PackError) && codeOf(error) === undefined;
  return isBug ? new PackError('E_INTERNAL', `${named}: ${error.message}`) : toPackError(error, named);
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
