/** Ends the reading of a foreign pack. */
import { refuse } from '../system-error.ts';

/** Throws E_INVALID_INPUT with words for the user, who sees nothing else: name the file and the reason. */
export function giveUp(reason: string, hint: string | null = null): never {
  throw refuse(reason, hint);
}
