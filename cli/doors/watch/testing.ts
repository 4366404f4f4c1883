/** For tests only: a companion without a process. Keeps what it is asked; the test plays the user. */
import type { Snapshot } from '../../../server/protocol/snapshot.ts';
import { isTerminal } from '../../../server/protocol/status.ts';
import { snapshot } from '../../client/fake-host.ts';
import { Progress } from '../../client/progress.ts';
import { CompanionError } from '../../companion-error.ts';
import { settle } from '../../interface/testing.ts';
import type { Companion } from './companion.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface FakeRequest {
  readonly capability: string;
  readonly params: Fields;
  readonly updates: readonly Fields[];
  snapshot(): Snapshot;
  /** Changes it as the host would, and tells who waits. */
  change(fields: Partial<Snapshot>): Promise<void>;
  /** The user presses a button of the card. */
  control(action: 'pause' | 'resume' | 'cancel'): Promise<void>;
  /** The user, or the host, ends it. */
  end(
    status: 'completed' | 'cancelled' | 'expired' | 'failed',
    reason: Snapshot['reason'],
    result?: Snapshot['result'],
  ): Promise<void>;
}

export interface FakeCompanion extends Companion {
  readonly requests: readonly FakeRequest[];
  of(capability: string): readonly FakeRequest[];
  /** Calls fail with this from now on; null: no more. */
  fail(error: CompanionError | null): void;
  /** How often it was called at all. */
  calls(): number;
}

export function fakeCompanion(): FakeCompanion {
  const requests: FakeRequest[] = [];
  const state = new Map<string, { snapshot: Snapshot; wake: Set<() => void>; updates: Fields[] }>();
  let failure: CompanionError | null = null;
  let calls = 0;
  const call = async (): Promise<void> => {
    calls += 1;
    await settle();
    if (failure !== null) throw failure;
  };
  const stateOf = (requestId: string) => state.get(requestId)!;
  const change = async (requestId: string, fields: Partial<Snapshot>): Promise<void> => {
    const entry = stateOf(requestId);
    if (isTerminal(entry.snapshot.status)) return;
    entry.snapshot = { ...entry.snapshot, ...fields, revision: entry.snapshot.revision + 1 };
    for (const wake of entry.wake) wake();
    await settle();
  };
  const create: Companion['create'] = async ({ capability, params }) => {
    await call();
    const requestId = `r${requests.length + 1}` as Snapshot['requestId'];
    const updates: Fields[] = [];
    state.set(requestId, {
      snapshot: snapshot({ requestId, capability, status: 'running' }),
      wake: new Set(),
      updates,
    });
    requests.push({
      capability,
      params,
      updates,
      snapshot: () => stateOf(requestId).snapshot,
      change: (fields) => change(requestId, fields),
      control: (action) => {
        const seq = (stateOf(requestId).snapshot.control?.seq ?? 0) + 1;
        return change(requestId, { control: { action, seq, at: '' } as unknown as Snapshot['control'] });
      },
      end: (status, reason, result = null) => change(requestId, { status, reason, result }),
    });
    return stateOf(requestId).snapshot;
  };
  const wait: Companion['wait'] = async (requestId, { afterRevision = 0, signal } = {}) => {
    await call();
    const entry = stateOf(requestId);
    while (entry.snapshot.revision <= afterRevision && !isTerminal(entry.snapshot.status)) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve) => {
        entry.wake.add(resolve);
        if (signal) signal.onabort = () => resolve();
      });
      signal?.throwIfAborted();
    }
    return { ...entry.snapshot, unchanged: false };
  };
  const update: Companion['update'] = async ({ requestId, expectedRevision, params }) => {
    await call();
    const { snapshot: now, updates } = stateOf(requestId);
    if (now.revision !== expectedRevision || isTerminal(now.status)) {
      const details = { expected: expectedRevision, actual: now.revision, status: now.status };
      throw new CompanionError('REVISION_CONFLICT', { details });
    }
    updates.push(params as Fields);
    const { done, failed } = params as Fields;
    const status = done ? 'completed' : failed === undefined ? now.status : 'failed';
    await change(requestId, { status });
    return stateOf(requestId).snapshot;
  };
  const companion: FakeCompanion = {
    requests,
    of: (capability) => requests.filter((request) => request.capability === capability),
    fail: (error) => {
      failure = error;
    },
    calls: () => calls,
    create,
    wait,
    update,
    get: async (requestId) => stateOf(requestId).snapshot,
    cancel: async (requestId, reason = 'client_cancelled') => {
      await call();
      await change(requestId, { status: 'cancelled', reason });
      return stateOf(requestId).snapshot;
    },
    waitUntilEnd: async (requestId, { signal } = {}) => {
      for (let afterRevision = 0; ; ) {
        const now = await wait(requestId, { afterRevision, ...(signal && { signal }) });
        if (isTerminal(now.status)) return now;
        afterRevision = now.revision;
      }
    },
    notify: (text, { title, tone } = {}) => create({ capability: 'notice.show', params: { text, title, tone } }),
    progress: async (title, { percent = null, message, phase, tone, controls } = {}) =>
      new Progress(
        companion,
        await create({ capability: 'progress.show', params: { title, percent, message, phase, tone, controls } }),
      ),
  };
  return companion;
}
