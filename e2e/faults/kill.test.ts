import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { findChromium } from '../../server/window/find-chromium.ts';
import { until } from '../harness.ts';
import { type Caller, createCaller, Refused } from './caller.ts';
import { answers, endAll, kill, socketOf, startHostProcess, startServe } from './processes.ts';
import { get, question, waitForEnd } from './questions.ts';
import { type Home, removeHome, seedHome } from './seed.ts';

// A host may die at any instant. Whatever it has said by then is true afterwards: nothing accepted is lost, no end is undone.
const KILLS = Number(process.env.COMPANION_KILLS ?? 6);
/** The longest that the host works before it is killed. */
const WORK_MS = 700;
const CHROMIUM = findChromium(null, process.env);
const BUSY = { createsPerSecond: 1_000, createBurst: 1_000, updatesPerSecond: 1_000, updateBurst: 1_000 };

/** One request the host has told of. */
interface Told {
  readonly client: number;
  readonly params: object;
  readonly requestId: string;
  /** The newest revision it has answered with. */
  revision: number;
  /** The end as it was read, if it was. */
  end: string | null;
}

let home: Home;
let socketPath: string;
const told: Told[] = [];
const revoked = new Set<number>();
/** Clients 0, 1 and 2 work; the others give their key back, one in each round. */
const WORKERS = 3;

beforeAll(() => {
  const names = Array.from({ length: WORKERS + KILLS }, (_, index) => `client ${index}`);
  // Without a browser, unless one is named: the checks at the end need none.
  home = seedHome(names, { chromium: 'none', limits: BUSY });
  socketPath = socketOf(home.env);
});
afterAll(async () => {
  await endAll();
  removeHome(home);
});

const callerOf = (client: number): Caller => createCaller(socketPath, home.keys[client]!);

/** The end of a call that was cut off is nobody's knowledge; a refusal would be a finding. */
function assertCut(error: unknown): void {
  if (error instanceof Refused) throw error;
}

const note = (entry: Told, snapshot: Snapshot): void => {
  entry.revision = Math.max(entry.revision, snapshot.revision);
  if (snapshot.endedAt !== null) entry.end = JSON.stringify(snapshot);
};

async function create(caller: Caller, client: number, params: object): Promise<Told> {
  const snapshot = await caller.call('requests.create', params);
  const entry = { client, params, requestId: snapshot.requestId, revision: snapshot.revision, end: null };
  told.push(entry);
  return entry;
}

/** What each worker does over and over: ask and be answered, ask and cancel, show progress and finish it. */
const WORK = [
  async (caller: Caller, client: number, key: string): Promise<void> => {
    const entry = await create(caller, client, question('Answered?', { idempotencyKey: key }));
    note(entry, await waitForEnd(caller, entry.requestId));
  },
  async (caller: Caller, client: number, key: string): Promise<void> => {
    const entry = await create(caller, client, question('Cancelled?', { idempotencyKey: key }));
    note(entry, await caller.call('requests.cancel', { requestId: entry.requestId }));
  },
  async (caller: Caller, client: number, key: string): Promise<void> => {
    const params = { capability: 'progress.show', params: { title: 'Copying', percent: 0 }, idempotencyKey: key };
    const entry = await create(caller, client, params);
    const { requestId } = entry;
    for (const change of [{ percent: 50 }, { done: true }]) {
      const { revision } = await get(caller, requestId);
      try {
        note(entry, await caller.call('requests.update', { requestId, expectedRevision: revision, params: change }));
      } catch (error) {
        // It was painted in between, which is a revision of its own; the next round looks again.
        if (!(error instanceof Refused && error.code === 'REVISION_CONFLICT')) throw error;
      }
    }
  },
];

async function work(client: number, round: number, isOver: () => boolean): Promise<number> {
  const caller = callerOf(client);
  let done = 0;
  try {
    for (; !isOver(); done += 1) await WORK[client % WORK.length]!(caller, client, `${round}-${done}`);
  } catch (error) {
    assertCut(error);
  } finally {
    caller.close();
  }
  return done;
}

async function giveKeyBack(client: number): Promise<void> {
  const caller = callerOf(client);
  try {
    await caller.call('auth.revokeSelf');
    revoked.add(client);
  } catch (error) {
    assertCut(error);
  } finally {
    caller.close();
  }
}

/** Everything the host has told of `entries` must still be so. */
async function audit(entries: readonly Told[]): Promise<void> {
  const callers = Array.from({ length: WORKERS }, (_, client) => callerOf(client));
  for (const { client, params, requestId, revision, end } of entries) {
    const caller = callers[client]!;
    const now = await get(caller, requestId);
    expect(now.endedAt).not.toBeNull();
    expect(now.revision).toBeGreaterThanOrEqual(revision);
    if (end === null) {
      expect([now.status, now.reason]).toBeOneOf([
        ['failed', 'runtime_restarted'],
        ['completed', 'user_answered'],
        ['completed', 'owner_completed'],
        ['cancelled', 'client_cancelled'],
      ]);
    } else {
      expect(JSON.stringify(now)).toBe(end);
    }
    expect(now.result).toEqual(now.reason === 'user_answered' ? { selectedId: 'yes' } : null);
    expect(JSON.stringify(await caller.call('requests.create', params))).toBe(JSON.stringify(now));
  }
  for (const caller of callers) caller.close();
  for (const client of revoked) {
    const caller = callerOf(client);
    expect(await caller.refusal('requests.get', { requestId: 'any' })).toBe('UNAUTHENTICATED');
    caller.close();
  }
}

/** Kills a host that is only just starting, `afterMs` after its process began. */
async function killWhileStarting(afterMs: number): Promise<void> {
  const host = startServe(home.env);
  const startedAt = performance.now();
  await until('the moment has come', () => performance.now() - startedAt > afterMs);
  await kill(host);
}

describe.skipIf(CHROMIUM === null)(
  'a host that is killed again and again',
  { timeout: 60_000 + KILLS * 30_000 },
  () => {
    it('has lost nothing it had acknowledged, and undone no end', async () => {
      for (let round = 0; round < KILLS; round += 1) {
        const host = await startHostProcess(home.env, { chromium: CHROMIUM ?? '' });
        await audit(told.slice(-20));
        await host.answerAll('yes');
        let over = false;
        const working = Promise.all([
          ...[0, 1, 2].map((client) => work(client, round, () => over)),
          giveKeyBack(WORKERS + round),
        ]);
        const startedAt = performance.now();
        // Spread over the working time, each round at another point of it.
        const killAtMs = (WORK_MS * (((round * 5) % KILLS) + Math.random())) / KILLS;
        await until('the moment has come', () => performance.now() - startedAt > killAtMs);
        await kill(host);
        over = true;
        await working;
        if (round % 2 === 1) await killWhileStarting(100 + Math.random() * 500);
      }
      const host = startServe(home.env);
      await answers(host, socketPath);
      await audit(told);
      expect(told.length).toBeGreaterThan(KILLS);
      expect(told.some(({ end }) => end?.includes('user_answered'))).toBe(true);
      await kill(host);
      auditTables();
    });
  },
);

/** No request without its idempotency record, and no record without its request. */
function auditTables(): void {
  expect(readdirSync(home.stateFolder).filter((name) => name.includes('set-aside'))).toEqual([]);
  const db = new Database(join(home.stateFolder, 'companion.db'));
  const count = (sql: string): unknown => db.prepare(sql).pluck().get();
  expect(count('PRAGMA integrity_check')).toBe('ok');
  expect(count('SELECT count(*) FROM requests')).toBeGreaterThanOrEqual(
    new Set(told.map(({ requestId }) => requestId)).size,
  );
  expect(
    count(
      'SELECT count(*) FROM requests WHERE NOT EXISTS (SELECT 1 FROM idempotency WHERE idempotency.request_id = requests.request_id)',
    ),
  ).toBe(0);
  expect(
    count(
      'SELECT count(*) FROM idempotency WHERE NOT EXISTS (SELECT 1 FROM requests WHERE idempotency.request_id = requests.request_id)',
    ),
  ).toBe(0);
  db.close();
}
