/** `companion progress start TITLE`: prints the request ID that the other progress verbs take. */
import { progressShow } from '../../../server/registry/capabilities/progress.show.ts';
import { known } from '../../client/known.ts';
import { defineCommand } from '../../command.ts';
import { answerRequest, REQUEST_OPTIONS, requestOptions } from '../../request.ts';
import { PROGRESS_OPTIONS, progressFields } from './fields.ts';

export const progressStart = defineCommand({
  takes: ['TITLE'],
  summary: 'Put up a progress card and print its request ID.',
  about: { capabilities: [progressShow.id] },
  output: 'plain',
  options: {
    ...PROGRESS_OPTIONS,
    control: { kind: 'list', value: 'pause|cancel', help: 'a button for the user; once for each' },
    ...REQUEST_OPTIONS,
  },
  examples: ['id=$(companion progress start "Copying" --percent 0 --control cancel)'],
  run: async (context) => {
    const { words, values } = context;
    const client = await context.connect();
    const fields = {
      title: words[0],
      percent: null,
      ...progressFields(values),
      ...known({ controls: values.control }),
    };
    const request = requestOptions(values);
    const accepted = await client.create({ capability: progressShow.id, params: fields, ...request });
    const plain = () => accepted.requestId;
    return answerRequest(context, client, accepted, { limit: values.wait, orphan: false, plain });
  },
});
