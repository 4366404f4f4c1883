/** Tells a person in words what went wrong. */
import { CompanionError } from './companion-error.ts';
import type { Io } from './io.ts';

/** Readable and still with its code, so that nobody has to guess from the words. */
export function errorLine({ code, message, details }: CompanionError): string {
  return `companion: ${code}: ${message}${details ? ` ${JSON.stringify(details)}` : ''}\n`;
}

/** Whatever else is thrown is a mistake of this program, and may hold anything: only its kind is told. */
export const toCompanionError = (thrown: unknown): CompanionError =>
  thrown instanceof CompanionError
    ? thrown
    : new CompanionError('INTERNAL_ERROR', {
        message: 'This command made a mistake of its own.',
        details: { kind: thrown instanceof Error ? thrown.name : typeof thrown },
      });

/** What went wrong, and what to do about it. */
export async function explain(io: Io, error: CompanionError): Promise<void> {
  io.err(errorLine(error));
  const { adviceFor } = await import('./advice.ts');
  const advice = await adviceFor(error, io.env);
  if (advice !== null) io.err(`${advice}\n`);
}
