/** `companion requests create --file FILE`: any capability, by its parameters. */
import type { Params } from '../../client/options.ts';
import { defineCommand } from '../../command.ts';
import { answerRequest, WAIT_OPTION } from '../../request.ts';
import { FILE_OPTION, readParams } from './input.ts';

export const requestsCreate = defineCommand({
  takes: [],
  summary: null,
  about: { method: 'requests.create' },
  output: 'json',
  options: { ...FILE_OPTION, ...WAIT_OPTION },
  examples: [
    'companion requests create --file request.json --json',
    `echo '{"capability":"notice.show","params":{"text":"Hello"}}' | companion requests create --file -`,
  ],
  run: async (context) => {
    const params = (await readParams(context.io, context.values.file)) as unknown as Params<'requests.create'>;
    const client = await context.connect();
    const accepted = await client.create(params);
    return answerRequest(context, client, accepted, {
      limit: context.values.wait,
      orphan: false,
      plain: JSON.stringify,
    });
  },
});
