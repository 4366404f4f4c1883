import { spawnSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../server/window/find-chromium.ts';
import { until } from '../harness.ts';
import { type Caller, createCaller } from './caller.ts';
import { accepts, CLI, endAll, type Started, socketOf, startProgram } from './processes.ts';
import { ask, get, reach, reachEnd } from './questions.ts';
import { type Home, removeHome, seedHome } from './seed.ts';

// The wall clock is somebody else's: set forward, set back, wrong. Deadlines, order and retention do not depend on it (R8).
const DAY = 86_400;

/** The library that the program `faketime` puts before others; null where it is not installed. */
function fakeTimeLibrary(): string | null {
  const { stdout } = spawnSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' });
  return stdout?.trim() || null;
}

const LIBRARY = fakeTimeLibrary();
const CHROMIUM = findChromium(null, process.env);

let home: Home;
let host: Started;
let caller: Caller;

/** Moves the host's wall clock to so many seconds from the real one; the change is whole or not there. */
function setWall(seconds: number): void {
  const path = join(home.home, 'clock');
  writeFileSync(`${path}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  renameSync(`${path}.new`, path);
}

/** What the host believes the time to be, as a create tells. */
async function hostWall(): Promise<number> {
  const params = { title: 'What time is it?', percent: null };
  const { requestId, createdAt } = await caller.call('requests.create', { capability: 'progress.show', params });
  await caller.call('requests.cancel', { requestId });
  return Date.parse(createdAt);
}

const wallIsAt = (seconds: number): Promise<unknown> =>
  until('the host sees the other time', async () => {
    return Math.abs((await hostWall()) - Date.now() - seconds * 1_000) < 60_000;
  });

describe.skipIf(LIBRARY === null || CHROMIUM === null)('a wall clock that jumps', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    home = seedHome(['first']);
    setWall(0);
    // Only the host's own clock is moved: the browser starts without the library.
    const browser = join(home.home, 'browser');
    writeFileSync(browser, `#!/bin/sh\nunset LD_PRELOAD\nexec '${CHROMIUM}' "$@"\n`, { mode: 0o700 });
    host = startProgram(process.execPath, [CLI, 'serve', '--headless'], {
      ...home.env,
      COMPANION_CHROMIUM: browser,
      LD_PRELOAD: LIBRARY ?? '',
      FAKETIME_TIMESTAMP_FILE: join(home.home, 'clock'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    });
    await accepts(host, socketOf(home.env));
    caller = createCaller(socketOf(home.env), home.keys[0]!);
  }, 120_000);
  afterAll(async () => {
    caller?.close();
    await endAll();
    if (home !== undefined) removeHome(home);
  });

  it.each([
    ['a day forward', DAY],
    ['a hundred years forward', 36_525 * DAY],
    ['a day back', -DAY],
    ['far back', -10_000 * DAY],
  ])('%s ends nothing early, deletes nothing and keeps the order', async (_what, seconds) => {
    setWall(0);
    await wallIsAt(0);
    const ended = await ask(caller, 'Ended before?');
    await caller.call('requests.cancel', { requestId: ended.requestId });
    const kept = await get(caller, ended.requestId);
    const open = await ask(caller, 'Open meanwhile?', { timeoutMs: 3_600_000 });
    const shown = await reach(caller, open.requestId, 'awaiting_user');

    setWall(seconds);
    await wallIsAt(seconds);
    expect(await get(caller, open.requestId)).toEqual(shown);
    expect(await get(caller, ended.requestId)).toEqual(kept);

    // A deadline is a length of time, not an instant of that clock.
    const startedAt = performance.now();
    const short = await caller.call('requests.create', {
      capability: 'progress.show',
      params: { title: 'A second', percent: null },
      timeoutMs: 1_000,
    });
    const expired = await reachEnd(caller, short.requestId);
    const tookMs = performance.now() - startedAt;
    expect([expired.status, expired.reason]).toEqual(['expired', 'deadline']);
    expect(tookMs).toBeGreaterThan(980);
    expect(tookMs).toBeLessThan(15_000);

    // And back again while something waits.
    const waiting = caller.call<{ unchanged: boolean; revision: number }>('requests.wait', {
      requestId: open.requestId,
      afterRevision: shown.revision,
      waitMs: 60_000,
    });
    setWall(0);
    const { requestId } = open;
    const other = createCaller(caller.socketPath, caller.key);
    const end = await other.call('requests.cancel', { requestId });
    other.close();
    expect([end.reason, end.revision]).toEqual(['client_cancelled', shown.revision + 1]);
    expect(await waiting).toEqual({ ...end, unchanged: false });
    expect(await get(caller, ended.requestId)).toEqual(kept);
  });
});
