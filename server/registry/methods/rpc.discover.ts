/** The OpenRPC document of these methods. R1. */
import { defineMethod } from '../define.ts';
import { NO_PARAMS } from '../schema.ts';

export const rpcDiscover = defineMethod({
  name: 'rpc.discover',
  description: 'The OpenRPC document of this interface. What the figure can do is told by capabilities.list.',
  params: NO_PARAMS,
  result: { type: 'object', required: ['openrpc', 'info', 'methods'] },
  needs: 'nothing',
  waits: false,
  errors: [],
  examples: { valid: [{}], invalid: [{ version: 1 }] },
});
