/** `companion capabilities describe ID`. */
import { defineCommand, jsonAnswer } from '../../command.ts';

export const capabilitiesDescribe = defineCommand({
  takes: ['CAPABILITY'],
  summary: null,
  about: { method: 'capabilities.describe' },
  output: 'json',
  options: {},
  examples: ['companion capabilities describe interaction.choose --json'],
  run: async ({ words, connect }) =>
    jsonAnswer(await (await connect()).call('capabilities.describe', { id: words[0]! })),
});
