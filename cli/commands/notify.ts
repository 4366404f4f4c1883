/** `companion notify TEXT`. */
import { noticeShow } from '../../server/registry/capabilities/notice.show.ts';
import { known } from '../client/known.ts';
import { defineCommand } from '../command.ts';
import { answerRequest, REQUEST_OPTIONS, requestOptions, silent } from '../request.ts';
import { TONE_OPTION } from './tone.ts';

export const notify = defineCommand({
  takes: ['TEXT'],
  summary: 'Show a short text.',
  about: { capabilities: [noticeShow.id] },
  output: 'plain',
  options: {
    title: { kind: 'text', value: 'T', help: 'a line above the text' },
    ...TONE_OPTION,
    duration: { kind: 'duration', value: 'DUR', help: 'how long it is shown' },
    ...REQUEST_OPTIONS,
  },
  examples: ['companion notify "The build is done." --tone success'],
  run: async (context) => {
    const { words, values } = context;
    const client = await context.connect();
    const params = known({ text: words[0], title: values.title, tone: values.tone, durationMs: values.duration });
    const accepted = await client.create({ capability: noticeShow.id, params, ...requestOptions(values) });
    return answerRequest(context, client, accepted, { limit: values.wait, orphan: false, plain: silent });
  },
});
