import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { createCaller } from '../faults/caller.ts';
import { accepts, endAll, isAlive, kill, socketOf, startServe, treeOf } from '../faults/processes.ts';
import { ask, get, question, reach, reachEnd } from '../faults/questions.ts';
import { type Home, removeHome, seedHome } from '../faults/seed.ts';
import { cardOf, enableAccess, optionOf, pair, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

// Spec §4 and §7: after a restart what was open has failed, nothing is shown again by itself, and all that was promised is still true.
const running: LaunchedCompanion[] = [];
const homes: Home[] = [];
afterEach(async () => {
  for (const companion of running.splice(0)) await companion.stop();
  await endAll();
  for (const home of homes.splice(0)) removeHome(home);
});

async function launch(home?: string): Promise<LaunchedCompanion> {
  const companion = await launchCompanion(home === undefined ? {} : { home });
  running.push(companion);
  return companion;
}

const newHome = (...names: readonly string[]): Home => {
  const home = seedHome(names);
  homes.push(home);
  return home;
};

/** Three times the two seconds that are promised. */
const FOLLOW_MS = 6_000;

/** Browsers start one after the other in each test. */
const LONG = { timeout: 180_000 };

describe('a host that is stopped and started', LONG, () => {
  it('fails what was open, replays nothing, and keeps results, idempotency keys and owners', async () => {
    const before = await launch();
    await enableAccess(before.page);
    const paired = [
      await pair(before.page, before.socketPath, 'owner'),
      await pair(before.page, before.socketPath, 'other'),
    ];
    const [owner, other] = paired.map(({ key }) => createCaller(before.socketPath, key)) as [
      ReturnType<typeof createCaller>,
      ReturnType<typeof createCaller>,
    ];
    const answeredParams = question('Answered?', { idempotencyKey: 'answered', taskId: 'task 1' });
    const answered = await owner.call('requests.create', answeredParams);
    await press(before.page, optionOf(answered.requestId, 'yes'));
    const kept = JSON.stringify(await reachEnd(owner, answered.requestId));
    const openParams = question('Open?', { idempotencyKey: 'open' });
    const open = await owner.call('requests.create', openParams);
    const shown = await reach(owner, open.requestId, 'awaiting_user');
    const queued = await ask(owner, 'Queued?');
    const progress = await other.call('requests.create', {
      capability: 'progress.show',
      params: { title: 'Copying', percent: 10 },
    });
    const progressing = await reach(other, progress.requestId, 'running');
    const { runtimeInstanceId } = await owner.call<{ runtimeInstanceId: string }>('runtime.describe');
    running.pop();
    await before.stop({ keep: true });

    const after = await launch(before.home);
    expect(await owner.call('runtime.describe')).not.toMatchObject({ runtimeInstanceId });
    expect(JSON.stringify(await get(owner, answered.requestId))).toBe(kept);
    const failed = { status: 'failed', reason: 'runtime_restarted', result: null, runtimeInstanceId };
    for (const [client, earlier] of [
      [owner, shown],
      [owner, queued],
      [other, progressing],
    ] as const) {
      const now = await get(client, earlier.requestId);
      expect(now).toMatchObject({ ...failed, revision: earlier.revision + 1, displayedAt: earlier.displayedAt });
      expect([now.endedAt, now.retainedUntil]).not.toContain(null);
      expect(await get(client, earlier.requestId)).toEqual(now);
      // A wait for an ended request returns at once.
      const waited = await client.call('requests.wait', {
        requestId: now.requestId,
        afterRevision: 99,
        waitMs: 60_000,
      });
      expect(waited).toEqual({ ...now, unchanged: true });
    }
    expect(await after.page.$('[data-request-id]')).toBeNull();

    expect(JSON.stringify(await owner.call('requests.create', answeredParams))).toBe(kept);
    expect(await owner.call('requests.create', openParams)).toMatchObject({ requestId: open.requestId, ...failed });
    expect(await owner.refusal('requests.create', question('Other?', { idempotencyKey: 'open' }))).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
    expect(await other.refusal('requests.get', { requestId: answered.requestId })).toBe('NOT_FOUND');
    const own = await other.call('requests.create', openParams);
    expect(own.requestId).not.toBe(open.requestId);
    await reach(other, own.requestId, 'awaiting_user');
    for (const client of [owner, other]) client.close();
  });
});

describe('a host that is killed', LONG, () => {
  it('takes its browser with it; started again it has failed what was open, and serves at once', async () => {
    const { env, keys } = newHome('owner');
    const socketPath = socketOf(env);
    let client = createCaller(socketPath, keys[0]!);
    const first = startServe(env);
    await accepts(first, socketPath);
    const params = question('Killed?', { idempotencyKey: 'killed' });
    const { requestId } = await client.call('requests.create', params);
    const shown = await reach(client, requestId, 'awaiting_user');
    const browser = treeOf(first.pid).filter((pid) => pid !== first.pid);
    expect(browser.length).toBeGreaterThan(0);
    await kill(first);
    await until('its browser is gone', () => !browser.some(isAlive), FOLLOW_MS);
    client.close();

    client = createCaller(socketPath, keys[0]!);
    const second = startServe(env);
    const failed = await until<Snapshot>('it serves again', () => get(client, requestId).catch(() => null));
    expect(failed).toMatchObject({ status: 'failed', reason: 'runtime_restarted', revision: shown.revision + 1 });
    await accepts(second, socketPath);
    expect(await client.call('requests.create', params)).toEqual(failed);
    const next = await ask(client, 'And again?');
    await reach(client, next.requestId, 'awaiting_user');
    client.close();
  });

  it('ends in good order at SIGTERM: exit 0, no socket, no browser', async () => {
    const { env } = newHome('owner');
    const host = startServe(env);
    await accepts(host, socketOf(env));
    const tree = treeOf(host.pid);
    host.child.kill('SIGTERM');
    expect(await host.ended).toBe(0);
    expect(host.out()).toBe('');
    await until('all of it is gone', () => !tree.some(isAlive), FOLLOW_MS);
    expect(existsSync(socketOf(env))).toBe(false);
  });
});

describe('a browser that is killed', LONG, () => {
  it('is started again, and the same question stands there under its ID and can be answered', async () => {
    const companion = await launch();
    await enableAccess(companion.page);
    const client = await pair(companion.page, companion.socketPath, 'patient');
    const { requestId } = await ask(client, 'Twice on screen?');
    const shown = await reach(client, requestId, 'awaiting_user');
    const browser = companion.page.browser().process()?.pid;
    expect(browser).toBeGreaterThan(0);
    process.kill(browser!, 'SIGKILL');
    await until('the host has seen it', () => companion.host.page() !== companion.page);
    const page = await until('another page is up', () => (companion.host.isUp() ? companion.host.page() : null));
    expect(page).not.toBe(companion.page);
    expect(await get(client, requestId)).toEqual(shown);
    await page.waitForSelector(cardOf(requestId));
    await press(page, optionOf(requestId, 'no'));
    const end = await reachEnd(client, requestId);
    expect([end.reason, end.result, end.displayedAt]).toEqual([
      'user_answered',
      { selectedId: 'no' },
      shown.displayedAt,
    ]);
    client.close();
  });
});
