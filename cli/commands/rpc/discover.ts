/** `companion rpc discover`: the same for everybody, so no key is sent. */
import { defineCommand, jsonAnswer } from '../../command.ts';

export const rpcDiscover = defineCommand({
  takes: [],
  summary: null,
  about: { method: 'rpc.discover' },
  output: 'json',
  options: {},
  examples: ['companion rpc discover > openrpc.json'],
  run: async ({ connect }) => jsonAnswer(await (await connect({ key: null })).call('rpc.discover', {})),
});
