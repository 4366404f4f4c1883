import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClientId, newRequestId, newRuntimeInstanceId } from '../../server/protocol/ids.ts';
import type { RequestRecord } from '../../server/protocol/snapshot.ts';
import { createCaller, Refused } from './caller.ts';
import { answers, endAll, socketOf, startServe } from './processes.ts';
import { get } from './questions.ts';
import { type Home, removeHome, seedHome } from './seed.ts';

// A database is only believed as far as it can be checked: a file that is not ours or not whole is set aside and kept, a row
// that was changed is never shown as somebody's answer.
const homes: Home[] = [];
afterEach(async () => {
  await endAll();
  for (const home of homes.splice(0)) removeHome(home);
});

const PAGE_BYTES = 4_096;

function answered(index: number, clientId: ClientId): RequestRecord {
  const at = Date.now();
  return {
    requestId: newRequestId(at),
    clientId,
    runtimeInstanceId: newRuntimeInstanceId(),
    capability: 'interaction.ask',
    capabilityVersion: '0.1.0',
    taskId: null,
    params: { title: `Question ${index}` },
    status: 'completed',
    revision: 4,
    reason: 'user_answered',
    createdAt: at,
    deadlineAt: at + 60_000,
    displayedAt: at,
    endedAt: at,
    retainedUntil: at + 86_400_000,
    resolvedCapability: 'interaction.ask',
    resolvedStyle: 'plain',
    resolvedCharacter: 'builtin.nib',
    substituteReason: null,
    control: null,
    failure: null,
    result: { text: markOf(index) },
  };
}

/** A text that stands in exactly one place of the file. */
const markOf = (index: number): string => `mark-${String(index).padStart(4, '0')}-${'abcdefgh'.repeat(8)}`;

function homeWithAnswers(count: number): { home: Home; path: string; requestIds: string[] } {
  const records: RequestRecord[] = [];
  const home = seedHome(['first'], { chromium: 'none' }, (clientId) => {
    for (let index = 0; index < count; index += 1) records.push(answered(index, clientId));
    return records;
  });
  homes.push(home);
  return {
    home,
    path: join(home.stateFolder, 'companion.db'),
    requestIds: records.map(({ requestId }) => requestId),
  };
}

describe('a database that cannot be used', { timeout: 120_000 }, () => {
  it.each<[string, (path: string) => void]>([
    ['holds something else', (path) => writeFileSync(path, randomBytes(20_000))],
    ['is empty', (path) => truncateSync(path, 0)],
    ['was cut off', (path) => truncateSync(path, 2 * PAGE_BYTES + 100)],
    [
      'has lost pages',
      (path) => {
        const bytes = readFileSync(path);
        writeFileSync(path, bytes.fill(0, PAGE_BYTES, bytes.length));
      },
    ],
    [
      'belongs to another program',
      (path) => {
        rmSync(path);
        const db = new Database(path);
        db.exec('CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES (1)');
        db.close();
      },
    ],
  ])('because it %s is set aside byte for byte, and the host says since when it remembers', async (_what, spoil) => {
    const { home, path, requestIds } = homeWithAnswers(20);
    const socketPath = socketOf(home.env);
    spoil(path);
    const spoilt = readFileSync(path);
    const spoiltAt = Date.now();

    const host = startServe(home.env);
    const now = await answers(host, socketPath);
    expect(Date.parse(now.storageSince)).toBeGreaterThanOrEqual(spoiltAt);
    const [kept, ...others] = readdirSync(home.stateFolder).filter((name) => /set-aside-[^.]*$/.test(name));
    expect(others.filter((name) => !/-(wal|shm)$/.test(name))).toEqual([]);
    expect(readFileSync(join(home.stateFolder, kept ?? '')).equals(spoilt)).toBe(true);
    const stranger = createCaller(socketPath, home.keys[0]!);
    expect(await stranger.refusal('requests.get', { requestId: requestIds[0]! })).toBe('UNAUTHENTICATED');
    stranger.close();
    expect(host.err()).toMatch(/kept as companion\.db\.set-aside/);
  });
});

describe('a row that was changed', { timeout: 60_000 }, () => {
  it('is reported as damaged and never delivered; its neighbours are read as before', async () => {
    const count = 40;
    const { home, path, requestIds } = homeWithAnswers(count);
    const bytes = readFileSync(path);
    const hit = requestIds.filter((_id, index) => index % 2 === 1);
    for (let index = 1; index < count; index += 2) {
      const place = bytes.indexOf(markOf(index));
      expect(place).toBeGreaterThan(0);
      // One bit each, every time another one.
      bytes[place + 10 + index] = bytes[place + 10 + index]! ^ (1 << (index % 5));
    }
    writeFileSync(path, bytes);
    const spoiltAt = Date.now();

    const socketPath = socketOf(home.env);
    const { storageSince } = await answers(startServe(home.env), socketPath);
    expect(Date.parse(storageSince)).toBeLessThan(spoiltAt);
    const caller = createCaller(socketPath, home.keys[0]!);
    for (const [index, requestId] of requestIds.entries()) {
      const read = await get(caller, requestId).catch((error: unknown) => error);
      if (!hit.includes(requestId))
        expect(read).toMatchObject({ status: 'completed', result: { text: markOf(index) } });
      else {
        expect(read).toBeInstanceOf(Refused);
        expect(read).toMatchObject({ code: 'RESULT_EXPIRED', details: { reason: 'damaged' } });
      }
    }
    caller.close();
  });
});
