import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Actor } from '../protocol/actor.ts';
import type { ClientId } from '../protocol/ids.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import { addClient, bootRuntime, type TestRuntime } from './runtime.fixture.ts';
import { MemoryStore } from './testing.ts';

let store: MemoryStore;
let test: TestRuntime;
let one: Actor;
let other: Actor;
let headers: readonly string[];

async function start(): Promise<void> {
  test = bootRuntime(store);
  [one, other] = headers.map((header) => test.runtime.door.authenticate(header)) as [Actor, Actor];
  await test.ready();
}

beforeEach(async () => {
  store = new MemoryStore();
  headers = [addClient(store, 'one', ['notify']), addClient(store, 'other', ['notify'])];
  store.current = { ...store.current, doNotDisturb: true };
  await start();
});
afterEach(() => test.runtime.close());

const notice = (actor: Actor) =>
  test.call<Snapshot>(actor, 'requests.create', { capability: 'notice.show', params: { text: 'Hi' } });
const expectMissed = (missed: number) => vi.waitFor(() => expect(test.lastScene().missed).toBe(missed));
const answers = () => test.sent.filter(({ type }) => type === 'answers');

it('what was missed is counted while do-not-disturb is on, and kept when it goes off', async () => {
  expect(await notice(one)).toMatchObject({ status: 'cancelled', reason: 'suppressed' });
  await notice(other);
  await expectMissed(2);
  test.page({ type: 'settings', patch: { doNotDisturb: false } });
  await vi.waitFor(() => expect(test.lastScene().settings.doNotDisturb).toBe(false));
  await notice(one);
  await expectMissed(2);
});

it('a notice that waited when do-not-disturb was switched on was missed, one on screen was not', async () => {
  test.page({ type: 'settings', patch: { doNotDisturb: false } });
  await vi.waitFor(() => expect(test.lastScene().settings.doNotDisturb).toBe(false));
  const { requestId } = await notice(one);
  await vi.waitFor(() => expect(test.lastScene().cards).toHaveLength(1));
  test.page({ type: 'painted', seq: test.lastScene().seq, requestIds: [requestId] });
  test.runtime.setSight('none');
  await test.settled();
  await notice(one);
  test.page({ type: 'settings', patch: { doNotDisturb: true } });
  await expectMissed(1);
});

it('opening the Answers page, and no other, is looking; what comes later counts again', async () => {
  await notice(one);
  await expectMissed(1);
  test.page({ type: 'open', page: 'access' });
  await test.settled();
  expect(test.lastScene().missed).toBe(1);
  test.page({ type: 'open', page: 'answers' });
  await expectMissed(0);
  await vi.waitFor(() => expect(answers()).toHaveLength(1));
  await notice(one);
  await expectMissed(1);
});

it('the Answers page opens even when it cannot be noted', async () => {
  await notice(one);
  store.failNext = new Error('a bug');
  test.page({ type: 'open', page: 'answers' });
  await vi.waitFor(() => expect(answers()).toHaveLength(1));
  await expectMissed(1);
});

it('a restart keeps the count, and what was looked at', async () => {
  await notice(one);
  await expectMissed(1);
  test.page({ type: 'open', page: 'answers' });
  await expectMissed(0);
  await notice(one);
  await notice(other);
  await expectMissed(2);
  test.runtime.close();
  await start();
  expect(test.lastScene().missed).toBe(2);
});

it.each([
  ['a client that is sent away', { type: 'revoke', clientId: 'one' as ClientId }, 1],
  ['what is erased', { type: 'erase', clientId: null }, 0],
] as const)('%s does not count any more', async (_what, message, left) => {
  await notice(one);
  await notice(one);
  await notice(other);
  await expectMissed(3);
  test.page(message);
  await expectMissed(left);
});
