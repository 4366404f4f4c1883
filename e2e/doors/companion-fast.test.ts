import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../server/protocol/snapshot.ts';
import { PROTOCOL_VERSIONS } from '../../server/protocol/version.ts';
import { noticeShow } from '../../server/registry/capabilities/notice.show.ts';
import { requestsCreate } from '../../server/registry/methods/requests.create.ts';
import { callRpc } from '../conformance/support.ts';
import { CLI, type Env, endAll, type Finished, finish, startProgram } from '../faults/processes.ts';
import { openShell, type Shell } from '../faults/shell.ts';
import { enableAccess } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import { FAST, request } from './hooks.ts';

// The same words to both programs, and the same comes of it.
let companion: LaunchedCompanion;
let shell: Shell;
let key: string;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion.page);
  shell = openShell(companion);
  expect((await shell.pair('notifier')).code).toBe(0);
  ({ key } = JSON.parse(readFileSync(join(shell.credentials, 'notifier.json'), 'utf8')));
});
afterAll(async () => {
  await endAll();
  await companion?.stop();
});

const fast = (args: readonly string[], env: Env = {}): Promise<Finished> =>
  finish(startProgram(FAST, args, { ...shell.env, ...env }));
const slow = (args: readonly string[], env: Env = {}): Promise<Finished> =>
  finish(startProgram(process.execPath, [CLI, ...args], { ...shell.env, ...env }));

/** What is on the newest card once it shows `text`. */
async function cardWith(text: string): Promise<string> {
  return until(`a card with ${text}`, async () => {
    const found = await companion.page.evaluate(
      `[...document.querySelectorAll('[data-request-id]')].find((card) => card.querySelector('.text')?.textContent === ${JSON.stringify(text)})?.dataset.requestId ?? ''`,
    );
    return found === '' ? null : String(found);
  });
}

const get = (requestId: string): Promise<Snapshot> => callRpc(companion.socketPath, key, 'requests.get', { requestId });

describe('companion-fast notify', () => {
  it.each([
    'The build is done.',
    '中文 ünï 🎉',
    `"quoted" 'single' \\ back\\slash \\" \\\\`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a shell would fill in is what is tried
    '$(id) `id` ${HOME} *',
    '%s %n ; & | < > #',
    '\\',
    'two\nlines',
    'a\ttab',
  ])('shows %j as it is', async (text) => {
    expect(await fast(['notify', text])).toEqual({ code: 0, out: '', err: '' });
    await callRpc(companion.socketPath, key, 'requests.cancel', { requestId: await cardWith(text) });
  });

  it('takes every option', async () => {
    const options = [
      '--title',
      'Say "hi"',
      '--tone=success',
      '--duration',
      '30s',
      '--timeout=2m',
      '--task-id',
      'task 7',
    ];
    expect(await fast(['notify', 'All of it', ...options])).toMatchObject({ code: 0, err: '' });
    const requestId = await cardWith('All of it');
    const card = `document.querySelector('[data-request-id="${requestId}"]')`;
    expect(await companion.page.evaluate(`${card}.dataset.tone`)).toBe('success');
    expect(await companion.page.evaluate(`${card}.querySelector('.title').textContent`)).toBe('Say "hi"');
    const { createdAt, deadlineAt, taskId } = await get(requestId);
    expect(taskId).toBe('task 7');
    expect(Date.parse(deadlineAt) - Date.parse(createdAt)).toBe(120_000);
    await callRpc(companion.socketPath, key, 'requests.cancel', { requestId });
  });

  it('with an idempotency key shows it once', async () => {
    const args = ['notify', 'Only once', '--idempotency-key', 'one'];
    for (let times = 0; times < 2; times += 1) expect(await fast(args)).toMatchObject({ code: 0 });
    await cardWith('Only once');
    const cards = `[...document.querySelectorAll('[data-request-id] .text')].filter((text) => text.textContent === 'Only once').length`;
    expect(await companion.page.evaluate(cards)).toBe(1);
  });

  it.each([
    [['notify']],
    [['notify', 'a', 'b']],
    [['notify', 'a', '--tone', 'loud']],
    [['notify', 'a', '--tone', 'success', '--tone', 'error']],
    [['notify', 'a', '--duration', '30']],
    [['notify', 'a', '--duration', '09s']],
    [['notify', 'a', '--duration', '100h']],
    [['notify', 'a', '--what']],
    [['notify', '']],
    [['notify', '\u0001']],
    [['notify', 'a', '--credential-profile', 'none']],
    [['notify', 'a', '--credential-profile', '../notifier']],
    [['notify', '--help']],
    [['hook', '--help']],
  ])('%j ends as it does with companion', async (args) => {
    expect(await fast(args)).toEqual(await slow(args));
  });

  it('ends as companion does without a host and with several profiles', async () => {
    const nobody = { COMPANION_SOCKET: join(companion.home, 'nobody.sock') };
    expect(await fast(['notify', 'a'], nobody)).toEqual(await slow(['notify', 'a'], nobody));
    writeFileSync(join(shell.credentials, 'second.json'), '{}', { mode: 0o600 });
    const both = [await fast(['notify', 'a']), await slow(['notify', 'a'])];
    writeFileSync(join(shell.credentials, 'second.json'), '');
    expect(both[0]).toEqual(both[1]);
    expect(both[0]?.err).toContain('PROFILE_AMBIGUOUS');
  });

  it('knows nothing else', async () => {
    expect(await fast(['ask', 'a'])).toMatchObject({ code: 2, out: '' });
  });
});

describe('the key', () => {
  /** A curl that writes down what it was called with, and then does its work. */
  function spy(): { readonly path: string; readonly seen: string } {
    const folder = mkdtempSync(join(companion.home, 'spy-'));
    const seen = join(folder, 'seen');
    const script = `#!/bin/sh\n{ printf '%s\\n' "$@"; env; } >>'${seen}'\nexec /usr/bin/curl "$@"\n`;
    writeFileSync(join(folder, 'curl'), script);
    chmodSync(join(folder, 'curl'), 0o755);
    return { path: `${folder}:${process.env.PATH}`, seen };
  }

  it('is in no argument and no environment, and reaches the companion all the same', async () => {
    const { path, seen } = spy();
    const profile = ['--credential-profile', 'notifier'];
    const said = await fast(['notify', 'By a spy', ...profile], { PATH: path });
    expect(said).toMatchObject({ code: 0, out: '', err: '' });
    const hook = startProgram(FAST, ['hook', 'codex', ...profile], { ...shell.env, PATH: path });
    hook.child.stdin?.end(request('ls', { hook_event_name: 'UserPromptSubmit' }));
    expect(await finish(hook)).toEqual({ code: 0, out: '', err: '' });
    await companion.page.waitForSelector('[data-session-id][data-agent="codex"]');
    const noted = readFileSync(seen, 'utf8');
    expect(noted).toContain('/hook/codex');
    expect(noted).toContain('/rpc');
    expect(noted).not.toContain(key.slice(0, 12));
  });
});

const pathOf = (program: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(':')
    .map((folder) => join(folder, program))
    .find(existsSync);

/** Whoever lacks one of them has the others. */
const named = (program: string): string => (pathOf(program) === undefined ? `${program} (not installed)` : program);

describe('the script', () => {
  const text = readFileSync(FAST, 'utf8');

  it('speaks the version and calls the method and the capability that there are', () => {
    expect(text).toContain(`Companion-Protocol: ${PROTOCOL_VERSIONS[0]}'`);
    for (const name of [noticeShow.id, requestsCreate.name]) expect(text).toContain(`\\"${name}\\"`);
  });

  for (const [program, args] of [
    ['dash', ['-n']],
    ['bash', ['--posix', '-n']],
    ['busybox', ['sh', '-n']],
    ['shellcheck', ['-s', 'sh']],
  ] as const) {
    const path = pathOf(program);
    it.skipIf(path === undefined)(`${named(program)} has nothing against it`, async () => {
      expect(await finish(startProgram(path!, [...args, FAST]))).toEqual({ code: 0, out: '', err: '' });
    });
  }

  for (const [program, args] of [
    ['bash', ['--posix']],
    ['dash', []],
    ['busybox', ['sh']],
  ] as const) {
    const path = pathOf(program);
    it.skipIf(path === undefined)(`does its work under ${named(program)}`, async () => {
      const said = `By ${program} "${args.join()}"`;
      const profile = ['--credential-profile', 'notifier'];
      const told = startProgram(path!, [...args, FAST, 'notify', said, ...profile], shell.env);
      expect(await finish(told)).toEqual({ code: 0, out: '', err: '' });
      await cardWith(said);
    });
  }
});
