/** `companion progress fail REQUEST_ID WHY`: says so on the card; saying it succeeds. */
import { progressShow } from '../../../server/registry/capabilities/progress.show.ts';
import { type Command, defineCommand } from '../../command.ts';
import { PROGRESS_OPTIONS, progressFields } from './fields.ts';

export const progressFail: Command = defineCommand({
  takes: ['REQUEST_ID', 'WHY'],
  summary: 'End a progress card with a reason.',
  about: { capabilities: [progressShow.id] },
  output: 'plain',
  options: PROGRESS_OPTIONS,
  examples: ['companion progress fail "$id" "disk full"'],
  run: async ({ words, values, connect }) => {
    const card = await (await connect()).resumeProgress(words[0]!);
    return { json: await card.fail(words[1]!, progressFields(values)), plain: null, error: null };
  },
});
