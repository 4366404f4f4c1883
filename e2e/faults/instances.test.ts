import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { createCaller } from './caller.ts';
import { answers, describeHost, endAll, finish, kill, type Started, socketOf, startServe } from './processes.ts';
import { type Home, removeHome, seedHome } from './seed.ts';

// Of several that are started at once one owns the state and the socket; the others leave both alone and say so (design §1).
const STARTERS = 6;
const RACES = Number(process.env.COMPANION_RACES ?? 3);

const homes: Home[] = [];
afterEach(async () => {
  await endAll();
  for (const home of homes.splice(0)) removeHome(home);
});

function newHome(): Home {
  const home = seedHome(['first'], { chromium: 'none' });
  homes.push(home);
  return home;
}

const hasEnded = ({ child }: Started): boolean => child.exitCode !== null || child.signalCode !== null;

/** Starts six at once; the one that is left, when all others have ended. */
async function race(home: Home): Promise<Started> {
  const starters = Array.from({ length: STARTERS }, () => startServe(home.env));
  await until('one is left', () => starters.filter((starter) => !hasEnded(starter)).length <= 1);
  const owner = starters.find((starter) => !hasEnded(starter));
  const losers = starters.filter((starter) => starter !== owner);
  const said = await Promise.all(losers.map(finish));
  const refused = { code: 5, out: expect.stringContaining('"code":"ALREADY_RUNNING"'), err: expect.any(String) };
  expect(said).toEqual(losers.map(() => refused));
  if (owner === undefined) throw new Error('nobody is left');
  return owner;
}

describe('several that are started at once', { timeout: 180_000 }, () => {
  it('settle on one owner, every time; after its death the next ones do', async () => {
    const home = newHome();
    const socketPath = socketOf(home.env);
    const { storageSince } = await seen(home, socketPath);
    for (let time = 0; time < RACES; time += 1) {
      const owner = await race(home);
      const { storageSince: now, runtimeInstanceId } = await answers(owner, socketPath);
      expect(now).toBe(storageSince);
      // The key is known, so the owner has the state, too.
      const caller = createCaller(socketPath, home.keys[0]!);
      expect(await caller.refusal('requests.get', { requestId: 'none' })).toBe('NOT_FOUND');
      caller.close();
      expect((await describeHost(socketPath))?.runtimeInstanceId).toBe(runtimeInstanceId);
      expect(readdirSync(home.stateFolder).filter((name) => /set-aside|\.new/.test(name))).toEqual([]);
      await kill(owner);
    }
  });

  it('settle on one owner on an empty disk as well', async () => {
    const home = newHome();
    const owner = await race({ ...home, env: { ...home.env, XDG_STATE_HOME: join(home.home, 'fresh') } });
    await answers(owner, socketOf(home.env));
    const state = join(home.home, 'fresh', 'companion');
    expect(readdirSync(state).filter((name) => /set-aside|\.new/.test(name))).toEqual([]);
    expect(readFileSync(join(state, 'secret'))).toHaveLength(32);
  });

  it('do not disturb one that is at work: exit 5 and nothing touched', async () => {
    const home = newHome();
    const socketPath = socketOf(home.env);
    const owner = startServe(home.env);
    const { runtimeInstanceId } = await answers(owner, socketPath);
    // The last thing it does at its start: from here on its log stands still.
    await until('it is ready', () => owner.err().includes(socketPath));
    const files = readdirSync(home.stateFolder);
    const log = readFileSync(join(home.stateFolder, 'companion.log'), 'utf8');
    const late = await Promise.all(Array.from({ length: STARTERS }, () => finish(startServe(home.env))));
    expect(late.map(({ code, out }) => [code, JSON.parse(out).error.code])).toEqual(
      late.map(() => [5, 'ALREADY_RUNNING']),
    );
    expect((await describeHost(socketPath))?.runtimeInstanceId).toBe(runtimeInstanceId);
    expect(readdirSync(home.stateFolder)).toEqual(files);
    expect(readFileSync(join(home.stateFolder, 'companion.log'), 'utf8')).toBe(log);
    expect(owner.err()).not.toContain('removed');
  });
});

/** What a first run tells of the state; it is over when this returns. */
async function seen(home: Home, socketPath: string): Promise<{ storageSince: string }> {
  const host = startServe(home.env);
  const told = await answers(host, socketPath);
  await kill(host);
  return told;
}
