/** A process that is meant to be killed: commits without end, and names each request only after it has been told that it is stored. */
import { writeSync } from 'node:fs';
import { type ClientId, newRequestId, newRuntimeInstanceId } from '../protocol/ids.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { RequestRecord } from '../protocol/snapshot.ts';
import { openStore } from './open.ts';
import { openSecret } from './secret.ts';

const [folder = '', migrations = ''] = process.argv.slice(2);
const clientId = 'alice' as ClientId;
const { store } = openStore({
  folder,
  migrations,
  secret: openSecret(folder),
  limits: LIMITS,
  now: () => ({ wallMs: Date.now(), monoMs: performance.now() }),
  log: () => {},
  isListed: () => true,
});

const queued = (nowMs: number): RequestRecord => ({
  requestId: newRequestId(nowMs),
  clientId,
  runtimeInstanceId: newRuntimeInstanceId(),
  capability: 'interaction.test',
  capabilityVersion: '0.1.0',
  taskId: null,
  params: { title: 'x'.repeat(3000) },
  status: 'queued',
  revision: 1,
  reason: null,
  createdAt: nowMs,
  deadlineAt: nowMs,
  displayedAt: null,
  endedAt: null,
  retainedUntil: null,
  resolvedCapability: 'interaction.test',
  resolvedStyle: 'plain',
  resolvedCharacter: 'builtin.test',
  substituteReason: null,
  control: null,
  failure: null,
  result: null,
});

for (;;) {
  const record = queued(Date.now());
  const { requestId } = record;
  store.commit([{ kind: 'insert', record, idempotency: { clientId, key: requestId, requestId, digest: '' } }], false);
  writeSync(1, `queued ${requestId}\n`);
  const done: RequestRecord = {
    ...record,
    status: 'completed',
    reason: 'user_answered',
    revision: 2,
    result: requestId,
  };
  store.commit([{ kind: 'update', record: done, fromRevision: 1 }], true);
  writeSync(1, `completed ${requestId}\n`);
}
