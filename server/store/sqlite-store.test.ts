import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newRequestId } from '../protocol/ids.ts';
import { LIMITS } from '../protocol/limits.ts';
import { DEFAULT_SETTINGS } from '../protocol/settings.ts';
import type { Status } from '../protocol/status.ts';
import type { Store } from '../protocol/store.ts';
import {
  ALICE,
  answered,
  BOB,
  client,
  createWorld,
  insert,
  keyed,
  record,
  storeAnswered,
  update,
  WALL,
} from './fixture.ts';

const DAY = LIMITS.resultRetentionMs;
const WEEK = LIMITS.tombstoneRetentionMs;

test('what was committed is found, field for field, before and after a restart', () => {
  const world = createWorld();
  const store = world.store();
  const params = { title: 'Ünï 中文 \u2028 "quoted" \\ 😀', deep: [{ a: null }, 1.5, true] };
  const asked = record({ params, taskId: 'task', control: { action: 'pause', seq: 1, at: WALL } });
  store.commit([insert(asked)], false);
  expect(store.find(asked.requestId)).toEqual({ kind: 'found', record: asked });
  const done = answered(asked);
  store.commit([update(done)], true);
  store.close();
  expect(world.store().find(asked.requestId)).toEqual({ kind: 'found', record: done });
});

test('an ID that was never made is not found', () => {
  const store = createWorld().store();
  for (const id of [newRequestId(WALL), '', 'x'.repeat(64), "'; DROP TABLE requests; --"])
    expect(store.find(id)).toEqual({ kind: 'none' });
});

test('an update from another revision undoes the whole commit', () => {
  const store = createWorld().store();
  const asked = record();
  store.commit([insert(asked)], false);
  const other = record();
  const stale = { ...answered(asked), revision: 5 };
  expect(() => store.commit([insert(other, keyed(other, 'k')), update(stale, 4)], true)).toThrow(/not of revision 4/);
  expect(store.find(other.requestId)).toEqual({ kind: 'none' });
  expect(store.findIdempotency(ALICE, 'k')).toBeNull();
  expect(store.find(asked.requestId)).toEqual({ kind: 'found', record: asked });
  store.commit([update(answered(asked))], true);
});

test('an update of a request that is not there is refused, and so is one of an ended one', () => {
  const store = createWorld().store();
  expect(() => store.commit([update(answered(record()))], true)).toThrow(/not of revision 1/);
  const done = storeAnswered(store);
  expect(() => store.commit([update({ ...done, revision: 3, result: null })], true)).toThrow(/ended/);
  expect(store.find(done.requestId)).toEqual({ kind: 'found', record: done });
  expect(store.countKept()).toBe(1);
});

test('an idempotency record is found by its client and key only', () => {
  const store = createWorld().store();
  const asked = record();
  store.commit([insert(asked, keyed(asked, 'k'))], false);
  expect(store.findIdempotency(ALICE, 'k')).toEqual(keyed(asked, 'k'));
  expect(store.findIdempotency(BOB, 'k')).toBeNull();
  expect(store.findIdempotency(ALICE, 'K')).toBeNull();
});

test('at start every unfinished request is failed, and the ended ones stay as they are', () => {
  const world = createWorld();
  const store = world.store();
  const open = (['queued', 'running', 'awaiting_user'] as const).map((status: Status) => record({ status }));
  const done = storeAnswered(store);
  store.commit(
    open.map((asked) => insert(asked, keyed(asked, asked.status))),
    false,
  );
  store.close();
  world.pass(5000);
  const { store: again, interrupted } = world.open();
  expect(interrupted).toBe(3);
  for (const asked of open) {
    expect(again.find(asked.requestId)).toEqual({
      kind: 'found',
      record: {
        ...asked,
        status: 'failed',
        reason: 'runtime_restarted',
        revision: 2,
        endedAt: WALL + 5000,
        retainedUntil: WALL + 5000 + DAY,
      },
    });
    expect(again.findIdempotency(ALICE, asked.status)?.requestId).toBe(asked.requestId);
  }
  expect(again.find(done.requestId)).toEqual({ kind: 'found', record: done });
  expect(again.countKept()).toBe(4);
  again.close();
  expect(world.open().interrupted).toBe(0);
});

test('settings are the defaults at first, then what was stored', () => {
  const world = createWorld();
  const store = world.store();
  expect(store.settings()).toEqual(DEFAULT_SETTINGS);
  expect(store.settings().access).toBe(false);
  const settings = { ...DEFAULT_SETTINGS, access: true, language: 'zh-CN' } as const;
  store.commit([{ kind: 'settings', settings }], true);
  store.close();
  expect(world.store().settings()).toEqual(settings);
});

describe('what the user has missed', () => {
  const suppressed = (clientId = ALICE) => {
    const end = { status: 'cancelled', reason: 'suppressed', endedAt: WALL, retainedUntil: WALL + DAY } as const;
    return insert(record({ clientId, capability: 'notice.test', resolvedCapability: 'notice.test', ...end }));
  };

  test('are the suppressed since they last looked, over a restart and whatever the wall clock does', () => {
    const world = createWorld();
    const store = world.store();
    expect(store.countMissed()).toBe(0);
    storeAnswered(store);
    store.commit([suppressed(), suppressed(BOB)], false);
    expect(store.countMissed()).toBe(2);
    world.pass(1_000);
    store.commit([{ kind: 'looked' }], true);
    expect(store.countMissed()).toBe(0);
    world.pass(1);
    world.clock.wallMs -= 3 * DAY;
    store.commit([suppressed()], false);
    store.close();
    world.pass(5_000);
    expect(world.store().countMissed()).toBe(1);
  });

  test('are no longer those that were erased, nor those of a client that was sent away', () => {
    const store = createWorld().store();
    store.commit([{ kind: 'client', client: client(ALICE, 'a') }, suppressed(), suppressed(), suppressed(BOB)], false);
    store.commit([{ kind: 'revoke', clientId: ALICE }], true);
    expect(store.countMissed()).toBe(1);
    store.commit([{ kind: 'erase', clientId: null }], true);
    expect(store.countMissed()).toBe(0);
  });

  test('are no longer those whose time is over', () => {
    const world = createWorld();
    const store = world.store();
    store.commit([suppressed()], false);
    world.pass(DAY);
    store.sweep(world.clock.wallMs, world.clock.monoMs);
    expect(store.countMissed()).toBe(0);
  });
});

test('clients are stored with their verifier, and stored again when renamed', () => {
  const world = createWorld();
  const store = world.store();
  store.commit([{ kind: 'client', client: client(ALICE, 'alice') }], true);
  store.commit([{ kind: 'client', client: client(BOB, 'bob') }], true);
  store.commit([{ kind: 'client', client: { ...client(BOB, 'bob'), name: 'robert' } }], true);
  store.close();
  const stored = world.store().clients();
  expect(stored).toHaveLength(2);
  expect(stored).toContainEqual(client(ALICE, 'alice'));
  expect(stored).toContainEqual({ ...client(BOB, 'bob'), name: 'robert' });
});

test('a last use is told at once and written with a commit after a minute', () => {
  const world = createWorld();
  const store = world.store();
  store.commit([{ kind: 'client', client: client(ALICE, 'alice') }], true);
  store.touchClient(ALICE, WALL + 1);
  expect(store.clients()[0]?.lastUsedAt).toBe(WALL + 1);
  world.pass(60_000);
  store.commit([insert(record())], false);
  world.crash(store);
  expect(world.store().clients()[0]?.lastUsedAt).toBe(WALL + 1);
});

test('a last use is not lost by closing', () => {
  const world = createWorld();
  const store = world.store();
  store.commit([{ kind: 'client', client: client(ALICE, 'alice') }], true);
  store.touchClient(ALICE, WALL + 2);
  store.close();
  expect(world.store().clients()[0]?.lastUsedAt).toBe(WALL + 2);
});

test('the catalog revision rises when the digest changes, and only then', () => {
  const world = createWorld();
  const store = world.store();
  expect([store.catalogRevision('a'), store.catalogRevision('a'), store.catalogRevision('b')]).toEqual([1, 1, 2]);
  store.close();
  const again = world.store();
  expect([again.catalogRevision('b'), again.catalogRevision('a')]).toEqual([2, 3]);
});

test('the Answers page gets listed records, newest first, at most as many as asked for', () => {
  const store = createWorld().store();
  const asked = [1, 2, 3].map(() => record());
  store.commit([...asked.map((each) => insert(each)), insert(record({ capability: 'notice.test' }))], false);
  expect(store.recent(10)).toEqual(asked.toReversed());
  expect(store.recent(2)).toEqual(asked.toReversed().slice(0, 2));
});

test('revoking deletes the client and clears content in every request of it, whatever its status', () => {
  const world = createWorld();
  const store = world.store();
  const done = storeAnswered(store, {}, 'k1');
  const failed = storeAnswered(store, { failure: 'why' });
  const open = record({ status: 'awaiting_user' });
  const others = storeAnswered(store, { clientId: BOB }, 'k1');
  store.commit([insert(open, keyed(open, 'k2'))], false);
  store.commit(
    [ALICE, BOB].map((id) => ({ kind: 'client', client: client(id, id) })),
    true,
  );
  store.touchClient(ALICE, WALL);
  const cancelled = { ...open, status: 'cancelled', reason: 'key_revoked', revision: 2, endedAt: WALL } as const;
  store.commit([update(cancelled), { kind: 'revoke', clientId: ALICE }], true);

  const cleared = { params: null, result: null, failure: null };
  for (const before of [done, failed, cancelled])
    expect(store.find(before.requestId)).toEqual({ kind: 'found', record: { ...before, ...cleared } });
  expect(store.findIdempotency(ALICE, 'k1')).toBeNull();
  expect(store.findIdempotency(ALICE, 'k2')).toBeNull();
  expect(store.find(others.requestId)).toEqual({ kind: 'found', record: others });
  expect(store.findIdempotency(BOB, 'k1')).not.toBeNull();
  expect(store.clients().map(({ clientId }) => clientId)).toEqual([BOB]);
  expect(store.countKept()).toBe(4);
  store.close();
  expect(world.store().clients()).toHaveLength(1);
});

test('revoking clears an unfinished request too, and its retention goes on', () => {
  const world = createWorld();
  const store = world.store();
  const open = record();
  const done = storeAnswered(store);
  store.commit([insert(open)], false);
  world.pass(DAY / 2);
  store.commit([{ kind: 'revoke', clientId: ALICE }], true);
  expect(store.find(open.requestId)).toMatchObject({ kind: 'found', record: { status: 'queued', params: null } });
  world.pass(DAY / 2);
  store.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(store.find(done.requestId)).toMatchObject({ kind: 'gone', reason: 'retention' });
});

test.each([
  ['one client', ALICE],
  ['everybody', null],
])('erasing what has ended of %s leaves tombstones and what is open', (_, clientId) => {
  const store = createWorld().store();
  const mine = storeAnswered(store, {}, 'k');
  const theirs = storeAnswered(store, { clientId: BOB }, 'k');
  const open = record();
  store.commit([insert(open, keyed(open, 'open'))], false);
  store.commit([{ kind: 'erase', clientId }], true);
  expect(store.find(mine.requestId)).toEqual({ kind: 'gone', clientId: ALICE, reason: 'erased' });
  expect(store.findIdempotency(ALICE, 'k')).toBeNull();
  expect(store.find(theirs.requestId).kind).toBe(clientId === null ? 'gone' : 'found');
  expect(store.findIdempotency(BOB, 'k') === null).toBe(clientId === null);
  expect(store.find(open.requestId)).toEqual({ kind: 'found', record: open });
  expect(store.findIdempotency(ALICE, 'open')).not.toBeNull();
  expect(store.countKept()).toBe(clientId === null ? 0 : 1);
  expect(store.recent(10).map(({ requestId }) => requestId)).not.toContain(mine.requestId);
});

test('an erased key can be used again', () => {
  const store = createWorld().store();
  storeAnswered(store, {}, 'k');
  store.commit([{ kind: 'erase', clientId: null }], true);
  const again = record();
  store.commit([insert(again, keyed(again, 'k'))], false);
  expect(store.findIdempotency(ALICE, 'k')?.requestId).toBe(again.requestId);
});

test('ended requests leave after a day, their keys with them, and tombstones after a week more', () => {
  const world = createWorld();
  const store = world.store();
  const open = record();
  store.commit([insert(open)], false);
  const sweep = () => store.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(sweep()).toBeNull();
  const done = storeAnswered(store, {}, 'k');
  expect(sweep()).toBe(DAY);

  world.pass(DAY - 1);
  expect(sweep()).toBe(1);
  expect(store.find(done.requestId)).toEqual({ kind: 'found', record: done });
  expect(store.findIdempotency(ALICE, 'k')).not.toBeNull();

  world.pass(1);
  expect(sweep()).toBe(WEEK);
  expect(store.find(done.requestId)).toEqual({ kind: 'gone', clientId: ALICE, reason: 'retention' });
  expect(store.findIdempotency(ALICE, 'k')).toBeNull();
  expect(store.countKept()).toBe(0);

  world.pass(WEEK);
  expect(sweep()).toBeNull();
  expect(store.find(done.requestId)).toEqual({ kind: 'none' });
  expect(store.find(open.requestId)).toEqual({ kind: 'found', record: open });
});

test('a request that was created ended counts and leaves like the others', () => {
  const world = createWorld();
  const store = world.store();
  const suppressed = record({ status: 'cancelled', reason: 'suppressed', endedAt: WALL });
  store.commit([insert(suppressed)], false);
  expect(store.countKept()).toBe(1);
  world.pass(DAY);
  store.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(store.countKept()).toBe(0);
});

test('one sweep removes a bounded number, and the next the rest', () => {
  const world = createWorld();
  const store = world.store();
  const ended = Array.from({ length: 700 }, () =>
    record({ status: 'failed', reason: 'display_failed', endedAt: WALL }),
  );
  store.commit(
    ended.map((each) => insert(each)),
    false,
  );
  world.pass(DAY);
  expect(store.sweep(world.clock.wallMs, world.clock.monoMs)).toBe(0);
  expect(store.countKept()).toBe(200);
  expect(store.sweep(world.clock.wallMs, world.clock.monoMs)).toBe(WEEK);
  expect(store.countKept()).toBe(0);
});

test.each([
  ['a day ahead', DAY],
  ['a century ahead', 36_500 * DAY],
  ['back to 1970', -WALL],
])('a wall clock that jumps %s removes nothing early and keeps nothing long, over a restart too', (_, jumpMs) => {
  const world = createWorld();
  let store = world.store();
  const done = storeAnswered(store);
  world.clock.wallMs += jumpMs;
  expect(store.sweep(world.clock.wallMs, world.clock.monoMs)).toBe(DAY);
  store.close();

  world.clock.monoMs = 7;
  store = world.store();
  world.pass(DAY - 1);
  store.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(store.find(done.requestId).kind).toBe('found');
  world.pass(1);
  store.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(store.find(done.requestId)).toMatchObject({ kind: 'gone', reason: 'retention' });
});

test('a clock put right while the host ran is not taken for time that passed, even after a crash and a reboot', () => {
  const world = createWorld();
  world.clock.wallMs = 0;
  const store = world.store();
  const done = storeAnswered(store);
  world.clock.wallMs = WALL;
  store.commit([insert(record())], false);
  world.crash(store);
  Object.assign(world.clock, { bootId: 'b', uptimeMs: 0, monoMs: 0, wallMs: WALL + 1000 });
  const again = world.store();
  again.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(again.find(done.requestId).kind).toBe('found');
});

test('time with the machine off counts', () => {
  const world = createWorld();
  const store = world.store();
  const done = storeAnswered(store);
  store.close();
  Object.assign(world.clock, { bootId: 'b', uptimeMs: 0, monoMs: 0, wallMs: WALL + DAY });
  const again = world.store();
  again.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(again.find(done.requestId)).toMatchObject({ kind: 'gone', reason: 'retention' });
});

test('without a sound retention mark nothing is removed early', () => {
  const world = createWorld();
  const store = world.store();
  world.pass(10 * DAY);
  const done = storeAnswered(store);
  store.close();
  world.tamper("UPDATE meta SET body = replace(body, 'clockMs\":', 'clockMs\":9') WHERE name = 'retentionMark'");
  const again = world.store();
  world.pass(DAY - 1);
  again.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(again.find(done.requestId).kind).toBe('found');
  world.pass(1);
  again.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(again.find(done.requestId).kind).toBe('gone');
});

test.each([
  ['erase', (store: Store) => store.commit([{ kind: 'erase', clientId: null }], true)],
  ['revoke', (store: Store) => store.commit([{ kind: 'revoke', clientId: ALICE }], true)],
] as const)('after %s the content is in no file any more', (_, remove) => {
  const world = createWorld();
  const store = world.store();
  storeAnswered(store, { params: { title: 'unmistakable' } });
  storeAnswered(store, { params: { title: `unmistakable${'x'.repeat(9000)}` } });
  const holding = () =>
    readdirSync(world.folder).filter((name) => readFileSync(join(world.folder, name)).includes('unmistakable'));
  expect(holding()).toEqual(['companion.db-wal']);
  remove(store);
  expect(holding()).toEqual([]);
});

test('the log stays small, and the database shrinks after its content has left', () => {
  const world = createWorld();
  const store = world.store();
  const size = (name: string) => statSync(join(world.folder, name)).size;
  const params = { text: 'x'.repeat(30_000) };
  const batch = () => Array.from({ length: 16 }, () => insert(record({ params, status: 'failed', endedAt: WALL })));
  for (let round = 0; round < 25; round += 1) store.commit(batch(), false);
  expect(size('companion.db-wal')).toBeLessThan(8_000_000);
  store.commit([{ kind: 'erase', clientId: null }], true);
  expect(size('companion.db-wal')).toBe(0);
  expect(size('companion.db')).toBeLessThan(1_000_000);
}, 30_000);

test('digests of texts are stable over restarts and differ between installs', () => {
  const world = createWorld();
  const store = world.store();
  const digest = store.digest('{"a":1}');
  store.close();
  expect(world.store().digest('{"a":1}')).toBe(digest);
  expect(createWorld().store().digest('{"a":1}')).not.toBe(digest);
});

test('closing twice is one closing', () => {
  const store = createWorld().store();
  store.close();
  store.close();
});
