/** A capability of the companion's own protocol as one of the NDJSON interface: one request over the socket, followed to its end (R10). */
import type { AnyCapability } from '../../../server/registry/define.ts';
import type { AnyNdjsonCapability } from '../define.ts';
import { runRequest } from './run-request.ts';

/** `contract` with its own schemas. Pausing is not for the asker of a card, and a cancel waits until the host has taken it back. */
export const requestCapability = ({ id, description, input, output }: AnyCapability): AnyNdjsonCapability => ({
  name: id,
  description: `${description} Goes to the running companion with a paired program's key.`,
  destructive: false,
  pausable: false,
  droppable: false,
  inputSchema: input,
  outputSchema: output,
  run: (params, conversation, world) => runRequest(id, params, conversation, world),
});
