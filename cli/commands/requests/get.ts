/** `companion requests get REQUEST_ID`: reading succeeds whatever the request's status. */
import { defineCommand, jsonAnswer } from '../../command.ts';

export const requestsGet = defineCommand({
  takes: ['REQUEST_ID'],
  summary: null,
  about: { method: 'requests.get' },
  output: 'json',
  options: {},
  examples: ['companion requests get REQUEST_ID --json'],
  run: async ({ words, connect }) => jsonAnswer(await (await connect()).get(words[0]!)),
});
