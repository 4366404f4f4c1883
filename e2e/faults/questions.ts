/** Short ways to say what many tests send. */

import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { until } from '../harness.ts';
import type { Caller } from './caller.ts';

/** The parameters of a question with the options `yes` and `no`. */
export const question = (title: string, more: object = {}) => ({
  capability: 'interaction.choose',
  params: {
    title,
    options: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No' },
    ],
  },
  ...more,
});

export const ask = (caller: Caller, title: string, more: object = {}): Promise<Snapshot> =>
  caller.call('requests.create', question(title, more));

export const get = (caller: Caller, requestId: string): Promise<Snapshot> => caller.call('requests.get', { requestId });

/** Looks until the request has one of these statuses; the snapshot with it. */
export const reach = (caller: Caller, requestId: string, ...statuses: readonly string[]): Promise<Snapshot> =>
  until(`${requestId} is ${statuses.join(' or ')}`, async () => {
    const snapshot = await get(caller, requestId);
    return statuses.includes(snapshot.status) && snapshot;
  });

/** Looks until it has ended, however. */
export const reachEnd = (caller: Caller, requestId: string): Promise<Snapshot> =>
  reach(caller, requestId, 'completed', 'cancelled', 'expired', 'failed');

/** Waits on the host until the request has ended. */
export async function waitForEnd(caller: Caller, requestId: string): Promise<Snapshot> {
  for (let afterRevision = 0; ; ) {
    const { unchanged: _, ...snapshot } = await caller.call<Snapshot & { unchanged: boolean }>('requests.wait', {
      requestId,
      afterRevision,
      waitMs: 60_000,
    });
    if (snapshot.endedAt !== null) return snapshot;
    afterRevision = snapshot.revision;
  }
}
