/** `companion requests cancel REQUEST_ID`. */
import { defineCommand, jsonAnswer } from '../../command.ts';

export const requestsCancel = defineCommand({
  takes: ['REQUEST_ID'],
  summary: null,
  about: { method: 'requests.cancel' },
  output: 'json',
  options: { reason: { kind: 'text', value: 'client_cancelled|superseded', help: 'why; client_cancelled without it' } },
  examples: ['companion requests cancel REQUEST_ID --json'],
  run: async ({ words, values, connect }) => {
    // The host knows the reasons there are.
    const reason = values.reason as 'client_cancelled' | 'superseded' | undefined;
    return jsonAnswer(await (await connect()).cancel(words[0]!, reason));
  },
});
