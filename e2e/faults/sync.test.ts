import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { until } from '../harness.ts';
import { type Caller, createCaller, Refused } from './caller.ts';
import { accepts, answers, describeHost, endAll, kill, socketOf, startHostProcess, startServe } from './processes.ts';
import { ask, get, question, reach, reachEnd, waitForEnd } from './questions.ts';
import { type Home, removeHome, seedHome } from './seed.ts';
import { canTrace, type Trace, trace } from './trace.ts';
import { optionOf } from './user.ts';

// A killed process cannot show a missing sync, because the kernel keeps what was written: only the order of the system calls can.
// The homes are seeded by another process, so every host here opens a database that has been opened before.
const homes: Home[] = [];
afterEach(async () => {
  await endAll();
  for (const home of homes.splice(0)) removeHome(home);
});

function newHome(config: object = {}, ...names: readonly string[]): Home {
  const home = seedHome(['first', ...names], config);
  homes.push(home);
  return home;
}

const WRITES = '-e trace=pwrite64,pwritev,fsync,fdatasync,write,writev,sendto,sendmsg'.split(' ');
const LONG = { timeout: 180_000 };

interface Counts {
  answers: number;
  logWrites: number;
  syncs: number;
  /** Answers that went out while something written to the log was not synced yet. */
  early: number;
}

function countCalls(calls: readonly string[]): Counts {
  const counts = { answers: 0, logWrites: 0, syncs: 0, early: 0 };
  let unsynced = false;
  for (const call of calls) {
    if (/^pwritev?(64)?\(\d+<[^>]*companion\.db-wal>/.test(call)) {
      counts.logWrites += 1;
      unsynced = true;
    } else if (/^f(data)?sync\(\d+<[^>]*companion\.db-wal>\)\s+= 0/.test(call)) {
      counts.syncs += 1;
      unsynced = false;
    } else if (/^(write|writev|sendto|sendmsg)\(\d+<(UNIX|socket)[^>]*>.*HTTP\/1\.1 200/.test(call)) {
      counts.answers += 1;
      if (unsynced) counts.early += 1;
    }
  }
  return counts;
}

describe.skipIf(!canTrace())('an answer and the disk', LONG, () => {
  it('come in this order: written, synced, answered; for create, update, cancel, answer and revoke', async () => {
    const home = newHome({}, 'second', 'third');
    const host = await startHostProcess(home.env);
    await host.answerAll('yes');
    const [first, second, third] = home.keys.map((key) => createCaller(host.socketPath, key)) as [
      Caller,
      Caller,
      Caller,
    ];
    const watching = await trace(host.pid, ...WRITES);
    let writes = 0;
    for (let turn = 0; turn < 12; turn += 1) {
      const { requestId, revision } = await first.call('requests.create', {
        capability: 'progress.show',
        params: { title: 'Copying', percent: turn },
      });
      // Its painting may come first; then the update is refused, and a refusal is an answer too.
      await first
        .call('requests.update', { requestId, expectedRevision: revision, params: { message: 'more' } })
        .catch((error: unknown) => expect(error).toBeInstanceOf(Refused));
      await first.call('requests.cancel', { requestId });
      const asked = await ask(second, 'Answered by the page?');
      expect((await waitForEnd(second, asked.requestId)).reason).toBe('user_answered');
      writes += 4;
    }
    // At the same time too, where several share one commit.
    await Promise.all(Array.from({ length: 6 }, () => ask(third, 'Together?').catch(() => null)));
    await third.call('auth.revokeSelf');
    await watching.stop();
    const counts = countCalls(watching.calls());
    expect(counts.answers).toBeGreaterThan(writes);
    expect(counts.logWrites).toBeGreaterThan(writes);
    expect(counts.syncs).toBeGreaterThanOrEqual(writes);
    expect(counts.early).toBe(0);
    for (const caller of [first, second, third]) caller.close();
  });
});

const breakSync = (pid: number, when: string): Promise<Trace> =>
  trace(pid, '-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:error=EIO:when=${when}`);

/** The snapshot, or the refusal's details. */
async function attempt(call: Promise<Snapshot>): Promise<Snapshot | Refused> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

describe.skipIf(!canTrace())('a sync that fails', LONG, () => {
  it('acknowledges nothing, whichever it is; the host recovers in place and loses nothing it had said', async () => {
    const home = newHome();
    const host = await startHostProcess(home.env);
    const caller = createCaller(host.socketPath, home.keys[0]!);
    const kept = await ask(caller, 'Answered before?');
    await host.press(optionOf(kept.requestId, 'yes'));
    const keptEnd = JSON.stringify(await reachEnd(caller, kept.requestId));

    // A question's life is three commits: accepted, painted, answered.
    for (const which of [1, 2, 3]) {
      const before = (await describeHost(host.socketPath))?.runtimeInstanceId;
      const breaking = await breakSync(host.pid, String(which));
      const params = question(`Sync ${which} fails?`, { idempotencyKey: `sync ${which}` });
      const created = await attempt(caller.call('requests.create', params));
      if (created instanceof Refused) {
        expect(which).toBe(1);
        expect([created.code, created.details.reason]).toEqual(['RUNTIME_UNAVAILABLE', 'storage']);
      } else {
        expect(which).not.toBe(1);
        const shown = await reach(caller, created.requestId, 'awaiting_user', 'failed');
        if (which === 3 && shown.status === 'awaiting_user') {
          await host.press(optionOf(created.requestId, 'yes'));
          // Not stored for certain, so never a lie: either the start found the answer in its log, or the request has failed.
          const end = await reachEnd(caller, created.requestId);
          expect([end.reason, end.result]).toBeOneOf([
            ['runtime_restarted', null],
            ['user_answered', { selectedId: 'yes' }],
          ]);
        }
      }
      await until('it is another instance', async () => {
        const now = (await describeHost(host.socketPath))?.runtimeInstanceId;
        return now !== undefined && now !== before;
      });
      await breaking.stop();
      expect(breaking.calls().filter((call) => call.includes('EIO'))).toHaveLength(1);

      // Under its key there is one request, however often it is sent.
      const again = await caller.call('requests.create', params);
      if (!(created instanceof Refused)) expect(again.requestId).toBe(created.requestId);
      expect((await caller.call('requests.create', params)).requestId).toBe(again.requestId);
      if (again.endedAt === null) await caller.call('requests.cancel', { requestId: again.requestId });
      else expect(again.reason).toBeOneOf(['runtime_restarted', 'user_answered']);
      expect(JSON.stringify(await get(caller, kept.requestId))).toBe(keptEnd);
    }
    // And it works as before.
    const next = await ask(caller, 'Still at work?');
    await host.press(optionOf(next.requestId, 'no'));
    expect((await reachEnd(caller, next.requestId)).result).toEqual({ selectedId: 'no' });
    expect(readdirSync(home.stateFolder).filter((name) => name.includes('set-aside'))).toEqual([]);
    caller.close();
  });

  it('and goes on failing ends the host with exit 5; started again it has everything it had acknowledged', async () => {
    const home = newHome();
    const socketPath = socketOf(home.env);
    const first = startServe(home.env);
    await accepts(first, socketPath);
    let caller = createCaller(socketPath, home.keys[0]!);
    const params = question('Accepted?', { idempotencyKey: 'accepted' });
    const accepted = await caller.call('requests.create', params);
    await reach(caller, accepted.requestId, 'awaiting_user');
    const breaking = await breakSync(first.pid, '1+');
    const refused = await attempt(ask(caller, 'Never acknowledged?', { idempotencyKey: 'refused' })).catch(() => null);
    if (refused !== null) expect(refused).toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    expect(await first.ended).toBe(5);
    await breaking.stop();
    caller.close();

    const second = startServe(home.env);
    await answers(second, socketPath);
    caller = createCaller(socketPath, home.keys[0]!);
    expect(await get(caller, accepted.requestId)).toMatchObject({ status: 'failed', reason: 'runtime_restarted' });
    await accepts(second, socketPath);
    const retried = await ask(caller, 'Never acknowledged?', { idempotencyKey: 'refused' });
    expect(await ask(caller, 'Never acknowledged?', { idempotencyKey: 'refused' })).toMatchObject({
      requestId: retried.requestId,
    });
    expect(readdirSync(home.stateFolder).filter((name) => name.includes('set-aside'))).toEqual([]);
    caller.close();
    await kill(second);
  });
});
