/** Asks all indexes what they offer, and tells which could not be asked. */
import { type OfferedPack, PackError } from '../../../server/packs/types.ts';
import type { Conversation, World } from '../define.ts';

/**
 * What can be had. An index that cannot be read is a warning as long as another can; else its error, E_NETWORK or
 * E_INVALID_INPUT. No indexes offer nothing.
 */
export async function readOffers(conversation: Conversation, world: World): Promise<readonly OfferedPack[]> {
  const { offered, failed } = await world.library().offers(conversation.signal);
  const [first] = failed;
  if (first !== undefined && failed.length === world.library().indexes().length) {
    throw new PackError(first.error.code, `index ${first.index.name}: ${first.error.message}`, first.error.hint);
  }
  for (const { index, error } of failed) {
    conversation.log('warn', `index ${index.name} is left out: ${error.code}: ${error.message}`);
  }
  return offered;
}
