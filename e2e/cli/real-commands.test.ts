import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { answers, endAll, kill, socketOf, startServe } from '../faults/processes.ts';
import { question } from '../faults/questions.ts';
import { removeHome, seedHome } from '../faults/seed.ts';
import { failure, newFolder, only, openShell, type Shell } from '../faults/shell.ts';
import { cardOf, enableAccess, optionOf, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';

// The commands of spec §6 as processes against a real host: one JSON value on standard output, and the exit codes.
let companion: LaunchedCompanion;
/** Paired with every scope. */
let shell: Shell;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion.page);
  shell = openShell(companion);
  expect((await shell.pair('commands')).code).toBe(0);
});
afterAll(async () => {
  await endAll();
  await companion?.stop();
});

/** Three times the two seconds that are promised. */
const UNREACHABLE_MS = 6_000;

const fileWith = (content: unknown): string => {
  const path = join(newFolder(companion, 'files', 0o700), 'request.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

/** Creates through the command and returns the accepted snapshot. */
async function create(params: object): Promise<Snapshot> {
  const { code, out } = await shell.pipe(JSON.stringify(params), 'requests', 'create', '--file', '-', '--json');
  expect(code).toBe(0);
  return only<Snapshot>(out);
}

describe('the reading commands', () => {
  it.each([
    [['runtime', 'describe'], 'runtimeInstanceId'],
    [['characters', 'list'], 'characters'],
    [['capabilities', 'list'], 'capabilities'],
    [['capabilities', 'describe', 'interaction.choose'], 'inputSchema'],
    [['styles', 'list'], 'styles'],
    [['rpc', 'discover'], 'methods'],
  ])('%s print one JSON value and nothing else', async (command, field) => {
    for (const args of [command, [...command, '--json']]) {
      const { code, out, err } = await shell.run(...args);
      expect([code, err]).toEqual([0, '']);
      expect(only(out)[field]).toBeDefined();
    }
  });

  it('`runtime describe` tells before any pairing as well as after it', async () => {
    const stranger = await openShell(companion).run('runtime', 'describe', '--json');
    expect([stranger.code, only(stranger.out).authorization]).toEqual([0, null]);
    const paired = await shell.run('runtime', 'describe', '--json');
    expect(only(paired.out).authorization).toMatchObject({ name: 'commands' });
  });
});

describe('the commands for requests', () => {
  it('create from a file or standard input, then get, wait and cancel, each one JSON value', async () => {
    const path = fileWith(question('From a file?', { taskId: 'file' }));
    const created = await shell.run('requests', 'create', '--file', path, '--credential-profile', 'commands', '--json');
    const accepted = only<Snapshot>(created.out);
    expect([created.code, created.err, accepted.taskId]).toEqual([0, '', 'file']);
    // Accepted is all that 0 says here.
    expect(accepted.endedAt).toBeNull();
    const { requestId } = accepted;
    await companion.page.waitForSelector(optionOf(requestId, 'yes'));

    const got = await shell.run('requests', 'get', requestId, '--json');
    expect([got.code, only<Snapshot>(got.out)]).toMatchObject([0, { requestId, status: 'awaiting_user' }]);
    const { revision } = only<Snapshot>(got.out);
    const waited = await shell.run(
      'requests',
      'wait',
      requestId,
      '--after-revision',
      `${revision}`,
      '--wait-ms',
      '100',
      '--json',
    );
    expect([waited.code, only(waited.out)]).toMatchObject([7, { requestId, unchanged: true }]);
    expect(JSON.parse(waited.err)).toMatchObject({ error: { code: 'WAIT_TIMEOUT', retryable: true } });

    const waiting = shell.start('requests', 'wait', requestId, '--json');
    await press(companion.page, optionOf(requestId, 'yes'));
    expect(await waiting.ended).toBe(0);
    expect(only(waiting.out())).toMatchObject({ status: 'completed', result: { selectedId: 'yes' } });
    const late = await shell.run('requests', 'cancel', requestId, '--json');
    expect([late.code, only(late.out)]).toMatchObject([0, { status: 'completed' }]);
  });

  it('update a progress card, and refuse a stale revision', async () => {
    const { requestId } = await create({ capability: 'progress.show', params: { title: 'Copying', percent: 0 } });
    const { revision } = await until('it is shown', async () => {
      const snapshot = only<Snapshot>((await shell.run('requests', 'get', requestId)).out);
      return snapshot.status === 'running' && snapshot;
    });
    const update = (expected: number, params: object) =>
      shell.pipe(
        JSON.stringify({ params }),
        'requests',
        'update',
        requestId,
        '--expected-revision',
        `${expected}`,
        '--file',
        '-',
      );
    expect(only((await update(revision, { percent: 50 })).out)).toMatchObject({ revision: revision + 1 });
    expect(failure(await update(revision, { percent: 60 }))).toEqual([5, 'REVISION_CONFLICT']);
    const done = await update(revision + 1, { done: true });
    expect([done.code, only(done.out)]).toMatchObject([0, { status: 'completed', reason: 'owner_completed' }]);
  });

  it('read the same request under the same idempotency key, and refuse another under it', async () => {
    const first = await create(question('Keyed?', { idempotencyKey: 'commands-1' }));
    expect((await create(question('Keyed?', { idempotencyKey: 'commands-1' }))).requestId).toBe(first.requestId);
    const other = JSON.stringify(question('Another?', { idempotencyKey: 'commands-1' }));
    expect(failure(await shell.pipe(other, 'requests', 'create', '--file', '-'))).toEqual([5, 'IDEMPOTENCY_CONFLICT']);
    await shell.run('requests', 'cancel', first.requestId);
  });
});

describe('exit codes', () => {
  it.each<[string, string, readonly string[], string | undefined]>([
    ['an unknown command', 'INVALID_PARAMS', ['dance', '--json'], undefined],
    ['an unknown option', 'INVALID_PARAMS', ['requests', 'get', 'x', '--loud'], undefined],
    ['a missing word', 'INVALID_PARAMS', ['requests', 'get'], undefined],
    ['a file that is not there', 'INVALID_PARAMS', ['requests', 'create', '--file', 'nowhere.json'], undefined],
    ['input that is not JSON', 'INVALID_PARAMS', ['requests', 'create', '--file', '-'], '{'],
    [
      'a field too many',
      'INVALID_PARAMS',
      ['requests', 'create', '--file', '-'],
      '{"capability":"notice.show","params":{"text":"x","key":"y"}}',
    ],
    [
      'a capability nobody has',
      'UNSUPPORTED_CAPABILITY',
      ['requests', 'create', '--file', '-'],
      '{"capability":"no.such","params":{}}',
    ],
    [
      'a style nobody has',
      'UNSUPPORTED_STYLE',
      ['requests', 'create', '--file', '-'],
      '{"capability":"notice.show","params":{"text":"x"},"style":"neon"}',
    ],
    [
      'more than a frame holds',
      'PAYLOAD_TOO_LARGE',
      ['requests', 'create', '--file', '-'],
      JSON.stringify({ capability: 'notice.show', params: { text: 'x'.repeat(70_000) } }),
    ],
    ['a duration without a unit', 'INVALID_PARAMS', ['notify', 'x', '--timeout', '30', '--json'], undefined],
  ])('2: %s', async (_what, name, args, input) => {
    expect(failure(await (input === undefined ? shell.run(...args) : shell.pipe(input, ...args)))).toEqual([2, name]);
  });

  it('3: no profile, a key without the scope, a key that was given back', async () => {
    const stranger = openShell(companion);
    expect(failure(await stranger.run('characters', 'list'))).toEqual([3, 'CREDENTIAL_MISSING']);
    const narrow = openShell(companion);
    await narrow.pair('narrow', ['notify']);
    expect(failure(await narrow.run('ask', 'May I?', '--text', '--no-wait', '--json'))).toEqual([3, 'FORBIDDEN']);
    expect(failure(await narrow.run('characters', 'list'))).toEqual([3, 'FORBIDDEN']);
    // A copy of the profile, used after its key was given back.
    const copy = openShell(companion, { XDG_CONFIG_HOME: narrow.env.XDG_CONFIG_HOME ?? '' });
    const file = join(narrow.credentials, 'narrow.json');
    const kept = readFileSync(file);
    expect((await narrow.run('unpair')).code).toBe(0);
    writeFileSync(file, kept, { mode: 0o600 });
    expect(failure(await copy.run('notify', 'x', '--json'))).toEqual([3, 'UNAUTHENTICATED']);
  });

  it('4: nobody listens, only a dead socket is there, or whoever listens is silent; in time', async () => {
    const nobody = openShell(companion, {
      ...shell.env,
      COMPANION_SOCKET: join(newFolder(companion, 'none', 0o700), 's'),
    });
    const folder = newFolder(companion, 'silent', 0o700);
    const server = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve));
    const silent = openShell(companion, { ...shell.env, COMPANION_SOCKET: join(folder, 's') });
    const home = seedHome(['first'], { chromium: 'none' });
    const host = startServe(home.env);
    const socket = socketOf(home.env);
    await answers(host, socket);
    await kill(host);
    const dead = openShell(companion, { ...shell.env, COMPANION_SOCKET: socket });
    for (const one of [nobody, dead, silent]) {
      const startedAt = performance.now();
      expect(failure(await one.run('runtime', 'describe', '--json'))).toEqual([4, 'UNREACHABLE']);
      expect(performance.now() - startedAt).toBeLessThan(UNREACHABLE_MS);
    }
    removeHome(home);
    await new Promise((resolve) => server.close(resolve));
  });

  it('5: nothing there, or the request failed', async () => {
    expect(failure(await shell.run('requests', 'get', 'nothing'))).toEqual([5, 'NOT_FOUND']);
    const other = openShell(companion);
    await other.pair('other');
    const { requestId } = await create({ capability: 'progress.show', params: { title: 'Fails', percent: null } });
    expect(failure(await other.run('requests', 'get', requestId))).toEqual([5, 'NOT_FOUND']);
    const waiting = shell.start('requests', 'wait', requestId, '--json');
    // Saying that it failed succeeds; waiting for it does not.
    expect((await shell.run('progress', 'fail', requestId, 'no disk')).code).toBe(0);
    expect(await waiting.ended).toBe(5);
    expect(only(waiting.out())).toMatchObject({ status: 'failed', reason: 'owner_failed', failure: 'no disk' });
    expect(JSON.parse(waiting.err())).toMatchObject({ error: { code: 'REQUEST_FAILED' } });
  });

  it('6: cancelled or expired; 0 for reading it', async () => {
    const cancelled = await create(question('Cancelled?'));
    const waiting = shell.start('requests', 'wait', cancelled.requestId, '--json');
    await companion.page.waitForSelector(cardOf(cancelled.requestId));
    expect((await shell.run('requests', 'cancel', cancelled.requestId, '--reason', 'superseded')).code).toBe(0);
    expect(await waiting.ended).toBe(6);
    expect(only(waiting.out())).toMatchObject({ status: 'cancelled', reason: 'superseded', result: null });
    expect(JSON.parse(waiting.err())).toMatchObject({ error: { code: 'REQUEST_CANCELLED', retryable: false } });

    const short = await create(question('Expires?', { timeoutMs: 1_000 }));
    const expired = await shell.run('requests', 'wait', short.requestId, '--json');
    expect([expired.code, only(expired.out)]).toMatchObject([6, { status: 'expired', reason: 'deadline' }]);
    expect(JSON.parse(expired.err)).toMatchObject({ error: { code: 'REQUEST_EXPIRED' } });
    expect((await shell.run('requests', 'get', short.requestId)).code).toBe(0);
  });

  it('7: this wait is over, the request goes on', async () => {
    const { requestId } = await create(question('Later?'));
    const { code, out, err } = await shell.run('requests', 'wait', requestId, '--wait=200ms', '--json');
    expect([code, only(out)]).toMatchObject([7, { requestId }]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'WAIT_TIMEOUT', retryable: true } });
    expect(only((await shell.run('requests', 'get', requestId)).out)).toMatchObject({ endedAt: null });
    await shell.run('requests', 'cancel', requestId);
  });
});
