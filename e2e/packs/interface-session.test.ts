import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { call, endSessions, type NdjsonLine, type NdjsonSession, startCall } from './ndjson-client.ts';
import { type Pace, type SteerableServer, startServer } from './steerable-server.ts';
import {
  filesIn,
  makeIndex,
  newFolder,
  newUser,
  type PackUser,
  removeFolders,
  succeed,
  userWithIndex,
} from './user.ts';

// A session as it runs: signs of life, controls, questions, cancel, pause, and its end, whatever happens (§4, §6, §8).
const LARGE = { targets: ['org.example:large'], yes: true };
/** Far less than for ever, and enough for a machine that is busy with other things. */
const PROMPTLY_MS = 5_000;
/** About two seconds of download. */
const SLOW: Pace = { parts: 40, pauseMs: 50 };

let index: string;
let owner: PackUser;
const servers: SteerableServer[] = [];
beforeAll(async () => {
  index = makeIndex();
  owner = await userWithIndex(index);
  await succeed(owner, 'install_packages', { targets: ['org.example:hat'], yes: true });
});
afterAll(async () => {
  endSessions();
  for (const server of servers) await server.stop();
  removeFolders();
});

/** A user whose index sends its zips at this pace, and itself at that. */
async function slowUser(zip: Pace, list: Pace = {}): Promise<PackUser> {
  const server = await startServer(index, (file) => (file.endsWith('.zip') ? zip : list));
  servers.push(server);
  return userWithIndex(server.url);
}

/** Times at which lines of this kind came, in seconds after the start; for as long as the session runs. */
function stopwatch(session: NdjsonSession, isIt: (line: NdjsonLine) => boolean): readonly number[] {
  const times: number[] = [];
  const start = performance.now();
  session.child.stdout?.on('data', () => {
    const count = session.lines.filter(isIt).length;
    while (times.length < count) times.push((performance.now() - start) / 1_000);
  });
  return times;
}
const isHeartbeat = ({ kind }: NdjsonLine): boolean => kind === 'heartbeat';

interface File {
  readonly downloadedBytes: number;
  readonly totalBytes: number;
  readonly finished: boolean;
  readonly success: boolean;
}
const filesOf = ({ payload }: NdjsonLine): readonly File[] => (payload as { files: readonly File[] }).files;
const bytesSoFar = ({ lines }: Pick<NdjsonSession, 'lines'>): number =>
  Math.max(
    0,
    ...lines
      .filter(({ dataKind }) => dataKind === 'download_progress')
      .map((line) => filesOf(line)[0]!.downloadedBytes),
  );
/** Resolves when a good part of the file is there, and not all. */
const isUnderWay = (session: NdjsonSession): Promise<unknown> =>
  until('the download is under way', () => bytesSoFar(session) > 30_000);

const askToRemove = (user: PackUser): NdjsonSession => startCall(user, 'remove_package', { target: 'org.example:hat' });

describe.concurrent('a sign of life', () => {
  it('comes after five seconds of silence, and again after five more', async () => {
    const user = await slowUser({}, { delayMs: 12_000 });
    const session = startCall(user, 'search_packages', { keyword: 'ghost' });
    const times = stopwatch(session, isHeartbeat);
    const ended = await session.ended;
    expect(ended.result).toMatchObject({ exitCode: 0, data: { packages: [{ name: 'org.example:ghost' }] } });
    expect(times.length).toBeGreaterThanOrEqual(2);
    // From the start of the process: on a busy machine a second goes by before it says anything.
    expect(times[0]).toBeGreaterThanOrEqual(5);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(4.8);
    expect(times[1]! - times[0]!).toBeLessThanOrEqual(7);
  });

  it('does not come while something is told every second', async () => {
    const user = await slowUser({ parts: 24, pauseMs: 500 });
    const ended = await startCall(user, 'install_packages', LARGE).ended;
    expect(ended.status).toBe(0);
    expect(ended.data('download_progress').length).toBeGreaterThan(10);
    expect(ended.of('heartbeat')).toEqual([]);
  });

  it('comes while a question is open, and silence is no answer', async () => {
    const session = askToRemove(newUser(owner));
    await until('two signs of life', () => session.lines.filter(isHeartbeat).length === 2);
    expect(session.lines.map(({ kind }) => kind)).toEqual(['data', 'prompt', 'heartbeat', 'heartbeat']);
    session.reply('confirm-remove', 'no');
    expect((await session.ended).status).toBe(0);
  });

  it('comes while a download is paused; not a byte does; resume brings the rest', async () => {
    const user = await slowUser(SLOW);
    const session = startCall(user, 'install_packages', LARGE);
    await isUnderWay(session);
    session.send({ action: 'pause' });
    // Five seconds without a line: nothing went on.
    await until('a sign of life', () => session.lines.some(isHeartbeat));
    const held = bytesSoFar(session);
    await until('another one', () => session.lines.filter(isHeartbeat).length === 2);
    expect(bytesSoFar(session)).toBe(held);
    const total = filesOf(session.lines.find(({ dataKind }) => dataKind === 'download_progress')!)[0]!.totalBytes;
    expect(held).toBeLessThan(total);
    session.send({ action: 'resume' });
    const ended = await session.ended;
    expect(ended.result).toMatchObject({ exitCode: 0, data: { installed: ['org.example:large@1.0.0'] } });
    expect(bytesSoFar(ended)).toBe(total);
  });
});

describe('a cancel', () => {
  it('in the middle of a download ends it, and leaves nothing behind', async () => {
    const user = await slowUser(SLOW);
    const before = filesIn(user.dataFolder);
    const session = startCall(user, 'install_packages', LARGE);
    await isUnderWay(session);
    session.send({ action: 'cancel' });
    const ended = await session.ended;
    expect(ended.status).toBe(130);
    expect(ended.of('error')).toMatchObject([{ code: 'E_CANCELLED', recoverable: false }]);
    const last = ended.lines.filter(({ dataKind }) => dataKind === 'download_progress').at(-1)!;
    expect(filesOf(last)).toMatchObject([{ finished: true, success: false }]);
    expect(filesIn(user.dataFolder)).toEqual(before);
  });

  it('in a pause ends it too', async () => {
    const user = await slowUser(SLOW);
    const session = startCall(user, 'install_packages', LARGE);
    await isUnderWay(session);
    session.send({ action: 'pause' });
    session.send({ action: 'cancel' });
    expect((await session.ended).of('error')).toMatchObject([{ code: 'E_CANCELLED' }]);
  });

  it('ends a query that waits for somebody else', async () => {
    const session = startCall(await slowUser({}, { delayMs: 60_000 }), 'search_packages', { keyword: 'a' });
    session.send({ action: 'cancel' });
    expect((await session.ended).status).toBe(130);
  });

  it('of a short query leaves its answer or a cancel', async () => {
    const session = startCall(owner, 'list_packages');
    session.send({ action: 'cancel' });
    expect([0, 130]).toContain((await session.ended).status);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('is what %s means', async (signal) => {
    const user = newUser(owner);
    const session = askToRemove(user);
    await session.prompt();
    session.child.kill(signal);
    const ended = await session.ended;
    expect(ended.status).toBe(130);
    expect(ended.of('error')).toMatchObject([{ code: 'E_CANCELLED' }]);
    expect(filesIn(user.dataFolder)).toEqual(filesIn(owner.dataFolder));
  });
});

describe('a download that was killed', () => {
  it('goes on where it was', async () => {
    const server = await startServer(index, (file) => (file.endsWith('.zip') ? SLOW : {}));
    servers.push(server);
    const user = await userWithIndex(server.url);
    const session = startCall(user, 'install_packages', LARGE);
    await isUnderWay(session);
    session.child.kill('SIGKILL');
    await session.ended.catch(() => {});
    const ended = await succeed(user, 'install_packages', LARGE);
    const first = ended.lines.find(
      (line) =>
        line.dataKind === 'download_progress' && filesOf(line).some(({ downloadedBytes }) => downloadedBytes > 0),
    )!;
    expect(filesOf(first)[0]!.downloadedBytes).toBeGreaterThan(10_000);
    expect(existsSync(join(user.dataFolder, 'packs', 'org.example.large', '1.0.0', 'character.json'))).toBe(true);
  });
});

describe('a question', () => {
  it.each([
    [
      'whose reply ends in a carriage return',
      '{"action":"prompt-reply","id":"confirm-remove","value":"no"}\r\n',
      false,
    ],
    [
      'whose reply has no line break before the end',
      '{"action":"prompt-reply","id":"confirm-remove","value":"no"}',
      true,
    ],
  ])('%s is answered', async (_, text, closes) => {
    const session = askToRemove(newUser(owner));
    await session.prompt();
    session.write(text);
    if (closes) session.closeInput();
    const ended = await session.ended;
    expect(ended.status).toBe(0);
    expect(ended.data('declined')).toHaveLength(1);
  });

  it('stays open for whatever is no answer, and nothing breaks', async () => {
    const session = askToRemove(newUser(owner));
    await session.prompt();
    for (const control of [
      { id: 'confirm-remove', value: true },
      { id: 'confirm-remove' },
      { id: 5, value: 'yes' },
      { id: 'other', value: 'yes' },
      { id: 'confirm-remove', value: 'YES' },
    ]) {
      session.send({ action: 'prompt-reply', ...control });
    }
    await session.line('a refusal', ({ kind }) => kind === 'error');
    expect(session.lines.filter(({ kind }) => kind === 'log')).toHaveLength(4);
    expect(session.lines.find(({ kind }) => kind === 'error')).toMatchObject({
      code: 'E_INVALID_INPUT',
      recoverable: true,
    });
    session.reply('confirm-remove', 'no');
    expect((await session.ended).status).toBe(0);
  });

  it('takes a reply that came before it was asked, once', async () => {
    const session = askToRemove(newUser(owner));
    session.reply('confirm-remove', 'no');
    session.closeInput();
    const ended = await session.ended;
    expect(ended.status).toBe(0);
    expect(ended.of('prompt')).toHaveLength(1);
    expect(ended.data('declined')).toHaveLength(1);
  });

  it.each([
    ['the input ends', (session: NdjsonSession) => session.closeInput()],
    ['a cancel comes', (session: NdjsonSession) => session.send({ action: 'cancel' })],
  ])('is never answered for the user: when %s nothing is changed', async (_, end) => {
    const user = newUser(owner);
    const session = askToRemove(user);
    await session.prompt();
    const since = performance.now();
    end(session);
    const ended = await session.ended;
    expect(performance.now() - since).toBeLessThan(PROMPTLY_MS);
    expect(ended.status).toBe(130);
    expect(ended.of('error')).toMatchObject([{ code: 'E_CANCELLED' }]);
    expect(filesIn(user.dataFolder)).toEqual(filesIn(owner.dataFolder));
  });

  it('that nobody can answer is not asked', async () => {
    const session = askToRemove(newUser(owner));
    session.closeInput();
    expect((await session.ended).of('error')).toMatchObject([{ code: 'E_CANCELLED' }]);
  });
});

describe('what comes in', () => {
  it('may be nonsense: the run is unaffected', async () => {
    const session = askToRemove(newUser(owner));
    await session.prompt();
    session.write('\nnot json\n[1]\n{"x":1}\n{"action":"dance"}\n');
    const dance = await session.line('a warning about it', ({ message }) => String(message).includes('dance'));
    expect(dance).toMatchObject({ kind: 'log', level: 'warn' });
    session.reply('confirm-remove', 'no');
    expect((await session.ended).status).toBe(0);
  });

  it('is heard at once, two messages in one write', async () => {
    const session = askToRemove(newUser(owner));
    await session.prompt();
    session.write('{"action":"a1"}\n{"action":"a2"}\n');
    await session.line('the first', ({ message }) => String(message).endsWith('a1'));
    await session.line('the second', ({ message }) => String(message).endsWith('a2'));
    session.closeInput();
    await session.ended;
  });

  it('may be a flood: the session is still there, and its warnings have an end', async () => {
    const session = askToRemove(newUser(owner));
    await session.prompt();
    for (let count = 0; count < 100; count += 1) session.write(`${'x'.repeat(100_000)}\nnonsense\n`);
    session.reply('confirm-remove', 'no');
    const ended = await session.ended;
    expect(ended.status).toBe(0);
    expect(ended.of('log')).toHaveLength(21);
  });
});

describe('the end', () => {
  it('comes at once after the result, with the input still open', async () => {
    const session = startCall(owner, 'env');
    await session.line('the result', ({ kind }) => kind === 'result');
    const since = performance.now();
    expect((await session.ended).status).toBe(0);
    expect(performance.now() - since).toBeLessThan(PROMPTLY_MS);
  });

  it('comes when nobody reads any more', async () => {
    const session = startCall(await slowUser(SLOW), 'install_packages', LARGE);
    await isUnderWay(session);
    session.child.stdout?.destroy();
    await until(
      'the process has ended',
      () => session.child.exitCode !== null || session.child.signalCode !== null,
      10_000,
    );
    await session.ended.catch(() => {});
  });

  it('is E_INTERNAL when something is thrown that nobody foresaw', async () => {
    const hook = join(newFolder(), 'hook.cjs');
    writeFileSync(
      hook,
      `const real = Array.prototype.sort;
       Array.prototype.sort = function (...by) {
         if (this.includes('org.example:hat')) throw new TypeError('boom');
         return real.apply(this, by);
       };`,
    );
    const ended = await call(newUser(owner, { NODE_OPTIONS: `--require ${hook}` }), 'list_subos_shims');
    expect(ended.lines).toMatchObject([
      { kind: 'error', code: 'E_INTERNAL', message: expect.stringMatching(/^internal: .*boom/), recoverable: false },
      { kind: 'result', exitCode: 1 },
    ]);
  });
});

it('only lines of the protocol are on standard output, whatever else in the process prints', async () => {
  const hook = join(newFolder(), 'hook.cjs');
  writeFileSync(
    hook,
    `setInterval(() => { if (process.listenerCount('SIGTERM') > 0) console.log('stray'); }, 5).unref();`,
  );
  const session = askToRemove(newUser(owner, { NODE_OPTIONS: `--require ${hook}` }));
  await session.prompt();
  session.reply('confirm-remove', 'no');
  const ended = await session.ended;
  expect(ended.status).toBe(0);
  expect(ended.err).toContain('stray');
});
