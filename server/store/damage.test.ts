import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIMITS } from '../protocol/limits.ts';
import { DEFAULT_SETTINGS } from '../protocol/settings.ts';
import { ALICE, answered, BOB, client, createWorld, insert, keyed, record, storeAnswered, update } from './fixture.ts';

const damaged = { kind: 'gone', clientId: ALICE, reason: 'damaged' };

test.each([
  ['its answer', `body = replace(body, '"selectedId":"yes"', '"selectedId":"nop"')`],
  ['its body', `body = '{}'`],
  ['a blank in its body', `body = body || ' '`],
  ['its revision', 'revision = 9'],
  ['the end of its time', 'keep_until = keep_until + 1'],
  ['its listing', 'listed = 0'],
  ['its key', `idempotency_key = 'other'`],
  ['its digest', 'digest = zeroblob(32)'],
])('a request with %s changed is reported as damaged and never shown', (_, change) => {
  const world = createWorld();
  const store = world.store();
  const done = storeAnswered(store);
  store.close();
  world.tamper(`UPDATE requests SET ${change}`);
  const again = world.store();
  expect(again.find(done.requestId)).toEqual(damaged);
  expect(again.recent(10)).toEqual([]);
});

test('an answer moved to another request is damaged there, and one moved to another client is nobody’s', () => {
  const world = createWorld();
  const store = world.store();
  const [first, second, third] = [storeAnswered(store), storeAnswered(store), storeAnswered(store)];
  store.close();
  world.tamper(`
    UPDATE requests SET (body, digest) = (SELECT body, digest FROM requests WHERE request_id = '${first.requestId}')
      WHERE request_id = '${second.requestId}';
    UPDATE requests SET client_id = '${BOB}' WHERE request_id = '${third.requestId}'`);
  const again = world.store();
  expect(again.find(first.requestId)).toEqual({ kind: 'found', record: first });
  expect(again.find(second.requestId)).toEqual(damaged);
  expect(again.find(third.requestId)).toMatchObject({ kind: 'gone', reason: 'damaged' });
});

test('an unfinished request that was damaged ends as a tombstone at the next start', () => {
  const world = createWorld();
  const store = world.store();
  const asked = record();
  store.commit([insert(asked, keyed(asked, 'k'))], false);
  store.close();
  world.tamper(`UPDATE requests SET body = '{}'`);
  const { store: again, interrupted } = world.open();
  expect(interrupted).toBe(1);
  expect(again.find(asked.requestId)).toEqual(damaged);
  expect(again.countKept()).toBe(0);
  world.pass(LIMITS.tombstoneRetentionMs);
  again.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(again.find(asked.requestId)).toEqual({ kind: 'none' });
});

test('a damaged request leaves at its time, still told as damaged', () => {
  const world = createWorld();
  const store = world.store();
  const done = storeAnswered(store);
  store.close();
  world.tamper(`UPDATE requests SET body = '{}'`);
  const again = world.store();
  world.pass(LIMITS.resultRetentionMs);
  again.sweep(world.clock.wallMs, world.clock.monoMs);
  expect(again.find(done.requestId)).toEqual(damaged);
  expect(again.countKept()).toBe(0);
});

test.each([
  ['revoke', 'damaged'],
  ['erase', 'erased'],
] as const)('%s removes the content of a damaged request too', (kind, reason) => {
  const world = createWorld();
  const store = world.store();
  const done = storeAnswered(store);
  store.close();
  world.tamper(`UPDATE requests SET body = body || ' '`);
  const again = world.store();
  again.commit([{ kind, clientId: ALICE }], true);
  expect(again.find(done.requestId)).toEqual({ kind: 'gone', clientId: ALICE, reason });
  expect(again.countKept()).toBe(0);
});

test('a damaged tombstone says damaged', () => {
  const world = createWorld();
  const store = world.store();
  const done = storeAnswered(store);
  store.commit([{ kind: 'erase', clientId: null }], true);
  store.close();
  world.tamper(`UPDATE tombstones SET reason = 'retention'`);
  expect(world.store().find(done.requestId)).toEqual(damaged);
});

test('a damaged idempotency record matches nothing and still stands in the way of a second question', () => {
  const world = createWorld();
  const store = world.store();
  const done = storeAnswered(store, {}, 'k');
  store.close();
  world.tamper(`UPDATE idempotency SET params_digest = 'other'`);
  expect(world.store().findIdempotency(ALICE, 'k')).toEqual({
    clientId: ALICE,
    key: 'k',
    requestId: done.requestId,
    digest: '',
  });
});

test('a client whose row was changed is ignored, with a line that holds numbers only', () => {
  const world = createWorld();
  const store = world.store();
  store.commit(
    [ALICE, BOB].map((id) => ({ kind: 'client', client: client(id, id) })),
    true,
  );
  store.close();
  world.tamper(
    `UPDATE clients SET body = replace(body, '"notify"', '"discover","notify"') WHERE client_id = '${ALICE}'`,
  );
  expect(world.store().clients()).toEqual([client(BOB, BOB)]);
  expect(world.lines).toContain('store: damaged client rows ignored: 1');
});

test('damaged settings are the defaults, with access off', () => {
  const world = createWorld();
  const store = world.store();
  store.commit([{ kind: 'settings', settings: { ...DEFAULT_SETTINGS, hidden: true } }], true);
  store.close();
  world.tamper(`UPDATE meta SET body = replace(body, '"access":false', '"access":true') WHERE name = 'settings'`);
  expect(world.store().settings()).toEqual(DEFAULT_SETTINGS);
  expect(world.lines.join()).toContain('access is off');
});

test('under another install secret no record, client or setting is believed', () => {
  const world = createWorld();
  const store = world.store();
  const done = storeAnswered(store);
  store.commit([{ kind: 'client', client: client(ALICE, 'alice') }], true);
  store.commit([{ kind: 'settings', settings: { ...DEFAULT_SETTINGS, access: true } }], true);
  store.close();
  writeFileSync(join(world.folder, 'secret'), Buffer.alloc(32, 1));
  const other = createWorld(world.folder);
  const again = other.store();
  expect(again.find(done.requestId)).toEqual(damaged);
  expect(again.clients()).toEqual([]);
  expect(again.settings().access).toBe(false);
  expect(other.lines.join()).toContain('the install secret is not the one of this database');
});

test('no flipped bit of the file ever alters an answer', () => {
  const world = createWorld();
  const store = world.store();
  const asked = Array.from({ length: 30 }, () => record({ params: { title: 'q'.repeat(200) } }));
  const done = asked.map(answered);
  store.commit([...asked.map((each) => insert(each)), ...done.map((each) => update(each))], false);
  store.close();
  const path = join(world.folder, 'companion.db');
  const sound = readFileSync(path);
  const outcomes = { found: 0, gone: 0, none: 0 };

  let seed = 1;
  for (let flip = 0; flip < 60; flip += 1) {
    seed = (seed * 48_271) % 2_147_483_647;
    const bytes = Buffer.from(sound);
    // Past the file's header, which is another test's.
    const at = 100 + (seed % (bytes.byteLength - 100));
    bytes[at] = bytes[at]! ^ (1 << (flip % 8));
    writeFileSync(path, bytes);
    const { store: again } = world.open();
    for (const expected of done) {
      const found = again.find(expected.requestId);
      outcomes[found.kind] += 1;
      if (found.kind === 'found') expect(found.record).toEqual(expected);
    }
    again.close();
  }
  expect(outcomes.found).toBeGreaterThan(outcomes.gone + outcomes.none);
  expect(outcomes.gone).toBeGreaterThan(0);
}, 60_000);
