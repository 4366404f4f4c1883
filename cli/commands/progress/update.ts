/** `companion progress update REQUEST_ID`: prints what the user last pressed, if anything. */
import { progressShow } from '../../../server/registry/capabilities/progress.show.ts';
import { known } from '../../client/known.ts';
import { defineCommand } from '../../command.ts';
import { answerRequest, WAIT_OPTION } from '../../request.ts';
import { PROGRESS_OPTIONS, pressed, progressFields } from './fields.ts';

export const progressUpdate = defineCommand({
  takes: ['REQUEST_ID'],
  summary: 'Change a progress card; prints what the user last pressed on it, if anything.',
  about: { capabilities: [progressShow.id] },
  output: 'plain',
  options: {
    ...PROGRESS_OPTIONS,
    paused: { kind: 'flag', value: '', help: 'it has paused' },
    resumed: { kind: 'flag', value: '', help: 'it goes on' },
    ...WAIT_OPTION,
  },
  examples: ['companion progress update "$id" --percent 40 --message "file 4 of 10"'],
  run: async (context) => {
    const { words, values } = context;
    const paused = values.paused ? true : values.resumed ? false : undefined;
    const client = await context.connect();
    const card = await client.resumeProgress(words[0]!);
    const updated = await card.update({ ...progressFields(values), ...known({ paused }) });
    return answerRequest(context, client, updated, { limit: values.wait, orphan: false, plain: pressed });
  },
});
