/** What a command does with packs: loads their code, and tells its refusals as errors of the command line. */
import type { PackErrorCode } from '../../server/packs/types.ts';
import { CompanionError } from '../companion-error.ts';
import { loadPacks } from './load.ts';
import { isPackError } from './refusal.ts';

const CODES: Readonly<Record<PackErrorCode, string>> = {
  E_INVALID_INPUT: 'INVALID_PARAMS',
  E_NOT_FOUND: 'NOT_FOUND',
  E_NETWORK: 'REFUSED',
  E_DISK_FULL: 'REFUSED',
  E_PERMISSION: 'REFUSED',
  E_CANCELLED: 'INTERRUPTED',
  E_INTERNAL: 'INTERNAL_ERROR',
};

/** Hands `work` the code for packs. A PackError it throws comes out as a CompanionError with the same words. */
export async function withPacks<Result>(
  work: (packs: Awaited<ReturnType<typeof loadPacks>>) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(await loadPacks());
  } catch (thrown) {
    if (!isPackError(thrown)) throw thrown;
    const { code, message, hint } = thrown;
    throw new CompanionError(CODES[code], { message, details: { code, ...(hint !== null && { hint }) } });
  }
}
