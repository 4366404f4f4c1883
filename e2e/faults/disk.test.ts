import { spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { until } from '../harness.ts';
import { createCaller, Refused } from './caller.ts';
import { answers, describeHost, endAll, finish, socketOf, startHostProcess, startServe } from './processes.ts';
import { ask, get, reach, reachEnd } from './questions.ts';
import { type Home, removeHome, seedHome } from './seed.ts';
import { optionOf } from './user.ts';

// A disk of our own, small enough to fill. Mounting one needs root; without it these two stay untested here, and the store's own tests remain.
const mount = (...args: readonly string[]): boolean => spawnSync('mount', args).status === 0;
const unmount = (folder: string): boolean => spawnSync('umount', ['-l', folder]).status === 0;

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'companion-mount-'));
  const can = mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder) && unmount(folder);
  rmSync(folder, { recursive: true, force: true });
  return can;
}

const homes: Home[] = [];
afterEach(async () => {
  await endAll();
  for (const home of homes.splice(0)) {
    unmount(home.stateFolder);
    removeHome(home);
  }
});

/** A home whose state folder is a disk of its own. */
function homeOnDisk(size: string, config: object = {}): Home {
  const home = seedHome(['first'], config);
  homes.push(home);
  const aside = join(home.home, 'aside');
  cpSync(home.stateFolder, aside, { recursive: true });
  if (!mount('-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', home.stateFolder)) throw new Error('cannot mount');
  for (const name of readdirSync(aside)) cpSync(join(aside, name), join(home.stateFolder, name));
  return home;
}

/** Takes all the room there is. */
function fill(path: string): void {
  const file = openSync(path, 'a');
  for (let size = 1_048_576; size >= 512; size /= 2) {
    const block = Buffer.alloc(size);
    try {
      for (;;) writeSync(file, block);
    } catch {
      // Not that much any more: try with less.
    }
  }
  closeSync(file);
}

const SERVES_AGAIN_MS = 3_000;

describe.skipIf(!canMount())('a disk', { timeout: 180_000 }, () => {
  it('that is full refuses creates and nothing else; with room again all goes on by itself', async () => {
    const home = homeOnDisk('48m');
    const host = await startHostProcess(home.env);
    const caller = createCaller(host.socketPath, home.keys[0]!);
    const before = await describeHost(host.socketPath);
    const progress = await caller.call('requests.create', {
      capability: 'progress.show',
      params: { title: 'Copying', percent: 0 },
    });
    const open = await ask(caller, 'Answered on a full disk?');
    await reach(caller, open.requestId, 'awaiting_user');

    const ballast = join(home.stateFolder, 'ballast');
    const accepted: Snapshot[] = [];
    let refusal: Refused | null = null;
    // The log has room of its own, so the first ones may still be accepted.
    for (let attempt = 0; refusal === null && attempt < 2_000; attempt += 1) {
      fill(ballast);
      const text = 'x'.repeat(250);
      try {
        accepted.push(await caller.call('requests.create', { capability: 'notice.show', params: { text } }));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.code !== 'RATE_LIMITED' && error.code !== 'QUEUE_FULL') refusal = error;
      }
    }
    expect([refusal?.code, refusal?.details.reason]).toEqual(['RUNTIME_UNAVAILABLE', 'storage']);

    // Reading works, and there is room kept back for what ends a request.
    for (const { requestId, createdAt } of accepted) expect((await get(caller, requestId)).createdAt).toBe(createdAt);
    expect((await get(caller, open.requestId)).status).toBe('awaiting_user');
    await host.press(optionOf(open.requestId, 'yes'));
    const answered = await reachEnd(caller, open.requestId);
    expect([answered.reason, answered.result]).toEqual(['user_answered', { selectedId: 'yes' }]);
    const { requestId } = progress;
    expect((await caller.call('requests.cancel', { requestId })).reason).toBe('client_cancelled');

    rmSync(ballast);
    const next = await until(
      'creates are accepted again',
      () =>
        ask(caller, 'Room again?').catch((error: unknown) => (error instanceof Refused ? null : Promise.reject(error))),
      SERVES_AGAIN_MS,
    );
    await reach(caller, next.requestId, 'awaiting_user');
    expect((await describeHost(host.socketPath))?.runtimeInstanceId).toBe(before?.runtimeInstanceId);
    expect(await get(caller, open.requestId)).toEqual(answered);
    caller.close();
  });

  it('that cannot be written stops the start with one clear refusal, and changes nothing', async () => {
    const home = homeOnDisk('8m', { chromium: 'none' });
    expect(mount('-o', 'remount,ro', home.stateFolder)).toBe(true);
    const files = readdirSync(home.stateFolder);
    const { code, out, err } = await finish(startServe(home.env));
    expect(code).toBe(5);
    const { error } = JSON.parse(out);
    expect(error).toMatchObject({ code: 'START_FAILED', retryable: false });
    expect(error.message).toMatch(/cannot be|read-only/i);
    expect(err.trimEnd().split('\n').at(-1)).toContain('START_FAILED');
    expect(readdirSync(home.stateFolder)).toEqual(files);

    expect(mount('-o', 'remount,rw', home.stateFolder)).toBe(true);
    await answers(startServe(home.env), socketOf(home.env));
  });
});
