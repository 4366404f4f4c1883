import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, ANONYMOUS, HOST } from '../protocol/actor.ts';
import type { Snapshot } from '../protocol/snapshot.ts';
import { StoreError } from '../protocol/store.ts';
import { CLIENT_SCOPES, CONTROL_SCOPE } from '../protocol/words.ts';
import { METHODS, type MethodName } from '../registry/catalog.ts';
import { addClient, bootRuntime, type TestRuntime } from './runtime.fixture.ts';
import { MemoryStore } from './testing.ts';

const CONTROL = CONTROL_SCOPE;
const notice = { capability: 'notice.show', params: { text: 'Hi' } };

let store: MemoryStore;
let test: TestRuntime;
let control: Actor;
let program: Actor;
beforeEach(async () => {
  store = new MemoryStore();
  const keys = [addClient(store, 'control', [CONTROL_SCOPE]), addClient(store, 'program', CLIENT_SCOPES)];
  test = bootRuntime(store);
  [control, program] = keys.map((header) => test.runtime.door.authenticate(header)) as [Actor, Actor];
  await test.ready();
});
afterEach(() => test.runtime.close());

const press = (params: object, actor = control) => test.call(actor, CONTROL, params);

describe('the control scope', () => {
  it.each([
    [{ action: 'hide' }, { hidden: true, paused: false, doNotDisturb: false }],
    [{ action: 'pause' }, { hidden: false, paused: true, doNotDisturb: false }],
    [
      { action: 'dnd', on: true },
      { hidden: false, paused: false, doNotDisturb: true },
    ],
  ])('%j answers with the switches as they stand on disk', async (params, switches) => {
    expect(await press(params)).toEqual(switches);
    expect(store.current).toMatchObject(switches);
  });

  it.each([
    [{ action: 'show' }, { hidden: false, paused: true, doNotDisturb: true }],
    [{ action: 'resume' }, { hidden: true, paused: false, doNotDisturb: true }],
    [
      { action: 'dnd', on: false },
      { hidden: true, paused: true, doNotDisturb: false },
    ],
  ])('%j takes back its own switch only', async (params, switches) => {
    for (const on of [{ action: 'hide' }, { action: 'pause' }, { action: 'dnd', on: true }]) await press(on);
    expect(await press(params)).toEqual(switches);
  });

  it('pressed again is no change and writes nothing', async () => {
    await press({ action: 'hide' });
    const commits = store.commits.length;
    expect(await press({ action: 'hide' })).toMatchObject({ hidden: true });
    expect(store.commits.length).toBe(commits);
  });

  it('works while access is off, which it does not touch', async () => {
    test.page({ type: 'settings', patch: { access: false } });
    await test.settled();
    expect(await press({ action: 'hide' })).toMatchObject({ hidden: true });
    expect(await press({ action: 'show' })).toMatchObject({ hidden: false });
    expect(store.current.access).toBe(false);
  });

  it('hides as the user does: what was accepted ends, and only a switch brings the figure back', async () => {
    const { requestId } = await test.call<Snapshot>(program, 'requests.create', notice);
    await press({ action: 'hide' });
    expect(store.requests.get(requestId)).toMatchObject({ status: 'cancelled', reason: 'hidden' });
    await expect(test.call(program, 'requests.create', notice)).rejects.toMatchObject({
      code: 'RUNTIME_UNAVAILABLE',
      details: { reason: 'hidden' },
    });
    for (const method of Object.keys(METHODS) as MethodName[]) {
      const params = METHODS[method].examples.valid[0];
      for (const actor of [ANONYMOUS, program]) await test.call(actor, method, params).catch(() => {});
    }
    expect(store.current.hidden).toBe(true);
    expect(await press({ action: 'show' })).toMatchObject({ hidden: false });
  });

  it('says so when the change cannot be stored, and nothing has changed', async () => {
    store.failNext = new StoreError('broken', null);
    await expect(press({ action: 'hide' })).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    expect([store.current.hidden, test.runtime.settings().hidden]).toEqual([false, false]);
  });

  it('is all that reaches the switches', async () => {
    await expect(press({ action: 'hide' }, program)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { requiredScopes: [CONTROL_SCOPE] },
    });
    await expect(press({ action: 'hide' }, ANONYMOUS)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await press({ action: 'hide' }, HOST)).toMatchObject({ hidden: true });
  });

  it('reaches nothing else', async () => {
    const allowed = new Set<string>([CONTROL, 'runtime.describe', 'rpc.discover', 'auth.revokeSelf']);
    for (const { name, needs, examples } of Object.values(METHODS)) {
      if (allowed.has(name) || needs === 'nothing') continue;
      const code = needs === 'owner' ? 'NOT_FOUND' : 'FORBIDDEN';
      await expect(test.call(control, name, examples.valid[0]), name).rejects.toMatchObject({ code });
    }
    for (const capability of ['animation.greet', 'notice.show', 'interaction.ask'])
      await expect(test.call(control, 'requests.create', { capability, params: {} })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
  });
});
