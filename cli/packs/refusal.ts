/** What a refusal of the library of packs is on the command line. */
import type { PackError, PackErrorCode } from '../../server/packs/types.ts';
import { CompanionError, usageError } from '../companion-error.ts';

/** Known by its name: the library comes in a bundle of its own, and so does its class. */
export const isPackError = (thrown: unknown): thrown is PackError =>
  thrown instanceof Error && thrown.name === 'PackError';

/** A refusal of what was asked for is the caller's to mend, the rest is the machine's. */
export const refusal = (code: PackErrorCode, message: string): CompanionError =>
  code === 'E_INVALID_INPUT' || code === 'E_NOT_FOUND'
    ? usageError(message)
    : new CompanionError('REFUSED', { message });

/** A refusal of the library with its hint; whatever else was thrown stays what it is. */
export function toRefusal(thrown: unknown): unknown {
  if (!isPackError(thrown)) return thrown;
  const { code, hint } = thrown;
  const message = hint === null ? thrown.message : `${thrown.message.replace(/\.$/, '')}; ${hint}.`;
  return refusal(code, message);
}
