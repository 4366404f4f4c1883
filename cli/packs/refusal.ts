/** What a refusal of the library of packs is on the command line. */
import type { PackError } from '../../server/packs/types.ts';
import { CompanionError, usageError } from '../companion-error.ts';

/** The library comes in a bundle of its own, and so does its class. */
const isPackError = (thrown: unknown): thrown is PackError => thrown instanceof Error && thrown.name === 'PackError';

/** A refusal of what was asked for is the caller's to mend, the rest is the machine's; whatever else was thrown stays what it is. */
export function toRefusal(thrown: unknown): unknown {
  if (!isPackError(thrown)) return thrown;
  const { code, hint } = thrown;
  const message = hint === null ? thrown.message : `${thrown.message.replace(/\.$/, '')}; ${hint}.`;
  return code === 'E_INVALID_INPUT' || code === 'E_NOT_FOUND'
    ? usageError(message)
    : new CompanionError('REFUSED', { message });
}
