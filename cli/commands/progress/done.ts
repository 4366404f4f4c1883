/** `companion progress done REQUEST_ID`. */
import { progressShow } from '../../../server/registry/capabilities/progress.show.ts';
import { type Command, defineCommand } from '../../command.ts';
import { PROGRESS_OPTIONS, progressFields } from './fields.ts';

export const progressDone: Command = defineCommand({
  takes: ['REQUEST_ID'],
  summary: 'End a progress card well.',
  about: { capabilities: [progressShow.id] },
  output: 'plain',
  options: PROGRESS_OPTIONS,
  examples: ['companion progress done "$id" --message "all copied"'],
  run: async ({ words, values, connect }) => {
    const card = await (await connect()).resumeProgress(words[0]!);
    return { json: await card.done(progressFields(values)), plain: null, error: null };
  },
});
