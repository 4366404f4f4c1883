/** `companion requests wait REQUEST_ID`: for its end, or with --after-revision for its next change (R9, A191). */
import { isTerminal } from '../../../server/protocol/status.ts';
import { known } from '../../client/known.ts';
import { defineCommand } from '../../command.ts';
import { errorOfEnd } from '../../request.ts';

export const requestsWait = defineCommand({
  takes: ['REQUEST_ID'],
  summary: 'Wait until the request ends, or with --after-revision until it passes that revision.',
  about: { method: 'requests.wait' },
  output: 'json',
  options: {
    'after-revision': { kind: 'number', value: 'N', help: 'wait only until the request passes this revision' },
    'wait-ms': { kind: 'number', value: 'N', help: 'at most N milliseconds; without it, as long as it takes' },
    wait: { kind: 'maybeDuration', value: 'DUR', help: 'the same as a duration, such as --wait=30s' },
  },
  examples: [
    'companion requests wait REQUEST_ID --json',
    'companion requests wait REQUEST_ID --after-revision 3 --wait-ms 30000 --json',
  ],
  run: async ({ words, values, connect, interruption }) => {
    const afterRevision = values['after-revision'];
    const limitMs = values['wait-ms'] ?? (values.wait === true ? undefined : values.wait);
    const client = await connect();
    const [requestId, signal] = [words[0]!, interruption()];
    if (afterRevision === undefined) {
      const last = await client.waitUntilEnd(requestId, { signal, ...known({ timeoutMs: limitMs }) });
      return { json: last, plain: JSON.stringify(last), error: errorOfEnd(last) };
    }
    const next = await client.wait(requestId, { signal, afterRevision, ...known({ waitMs: limitMs }) });
    const changed = !next.unchanged && !isTerminal(next.status);
    return { json: next, plain: JSON.stringify(next), error: changed ? null : errorOfEnd(next) };
  },
});
