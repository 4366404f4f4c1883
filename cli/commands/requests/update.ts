/** `companion requests update REQUEST_ID --file FILE`. */

import { known } from '../../client/known.ts';
import type { Params } from '../../client/options.ts';
import { defineCommand, jsonAnswer } from '../../command.ts';
import { FILE_OPTION, readParams } from './input.ts';

export const requestsUpdate = defineCommand({
  takes: ['REQUEST_ID'],
  summary: null,
  about: { method: 'requests.update' },
  output: 'json',
  options: {
    ...FILE_OPTION,
    'expected-revision': { kind: 'number', value: 'N', help: 'instead of `expectedRevision` in the file' },
  },
  examples: [
    `echo '{"expectedRevision":2,"params":{"percent":50}}' | companion requests update REQUEST_ID --file -`,
    `echo '{"params":{"done":true}}' | companion requests update REQUEST_ID --expected-revision 3 --file -`,
  ],
  run: async ({ io, words, values, connect }) => {
    const given = known({ requestId: words[0]!, expectedRevision: values['expected-revision'] });
    const params = { ...(await readParams(io, values.file)), ...given };
    return jsonAnswer(await (await connect()).update(params as unknown as Params<'requests.update'>));
  },
});
