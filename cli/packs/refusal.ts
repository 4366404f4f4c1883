/** What a refusal of the library of packs is on the command line. */
import type { PackError, PackErrorCode } from '../../server/packs/types.ts';
import { CompanionError } from '../companion-error.ts';

/**
 * What was asked for is the caller's to mend (exit 2), whether it cannot be or is not there; what the machine or the network refuses is
 * not (exit 5). The interface has its own codes and exits.
 */
const CODES: Readonly<Record<PackErrorCode, string>> = {
  E_INVALID_INPUT: 'INVALID_PARAMS',
  E_NOT_FOUND: 'INVALID_PARAMS',
  E_NETWORK: 'REFUSED',
  E_DISK_FULL: 'REFUSED',
  E_PERMISSION: 'REFUSED',
  E_CANCELLED: 'INTERRUPTED',
  E_INTERNAL: 'REFUSED',
};

/** Known by its name: the library comes in a bundle of its own, and so does its class. */
const isPackError = (thrown: unknown): thrown is PackError => thrown instanceof Error && thrown.name === 'PackError';

/** A refusal of the library with its hint; whatever else was thrown stays what it is. */
export function toRefusal(thrown: unknown): unknown {
  if (!isPackError(thrown)) return thrown;
  const { code, hint, message } = thrown;
  const said = message.replace(/\.$/, '');
  return new CompanionError(CODES[code], { message: hint === null ? `${said}.` : `${said}; ${hint}.` });
}
