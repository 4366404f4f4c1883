/** Keeps the IDs of this program's own characters to them: a pack that had one would be installed and never be shown. */
import { PackError } from './types.ts';

const OWN = /^builtin\./;

/** Error: E_INVALID_INPUT when `id` is one that only characters of this program have. */
export function assertFreeId(id: string): void {
  if (!OWN.test(id)) return;
  throw new PackError(
    'E_INVALID_INPUT',
    `${id} is an ID of a character that comes with the program`,
    'those that begin with builtin. are its own; give the pack another one',
  );
}
