import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callRpc } from '../conformance/support.ts';
import { pressMenu } from '../conformance/support-page.ts';
import { endAll, finish, kill, startHostProcess } from '../faults/processes.ts';
import { enableAccess, press } from '../faults/user.ts';
import { isolatedEnv, type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import {
  ABSTAINED,
  bash,
  behaviourOf,
  cardFor,
  event,
  type Hooks,
  noCard,
  openHooks,
  openToAll,
  pressCard,
  request,
  showsSessions,
  WAYS,
  type Way,
} from './hooks.ts';

// Both programs as an agent runs them, against a real host and page.
let companion: LaunchedCompanion;
let hooks: Hooks;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion.page);
  hooks = await openHooks(companion);
});
afterAll(async () => {
  await endAll();
  await companion?.stop();
});
afterEach(async () => {
  await hooks.run('companion-fast', event('SessionEnd'));
  await noCard(companion);
});

describe.each(WAYS)('%s hook', (way: Way) => {
  it('prints allow and deny as the user presses', async () => {
    for (const pressed of ['allow', 'deny']) {
      const hook = hooks.start(way, request(`make ${pressed}`));
      await pressCard(companion, `make ${pressed}`, `[data-option-id="${pressed}"]`);
      expect(behaviourOf(await finish(hook))).toBe(pressed);
    }
  });

  it('shows the exact command, whatever is in it', async () => {
    const command = `echo "it's" \\$(id) 'ünï' 中文 && printf '%s\\n' "\${x}"\n\trm -rf -- ./*`;
    const hook = hooks.start(way, request(command));
    await pressCard(companion, command, '[data-action="dismiss"]');
    expect(await finish(hook)).toEqual(ABSTAINED);
  });

  it('abstains when the card is closed by Escape', async () => {
    const hook = hooks.start(way, request('make'));
    const requestId = await cardFor(companion, 'make');
    const card = `[data-request-id="${requestId}"]`;
    await companion.page.focus(card);
    // A key counts only once the card is painted and stands; until then it means nothing.
    await until('the card is gone', async () => {
      await companion.page.keyboard.press('Escape');
      return (await companion.page.$(card)) === null;
    });
    expect(await finish(hook)).toEqual(ABSTAINED);
    await showsSessions(companion, 'api needs-you');
  });

  it('abstains when the terminal was faster, and the card goes', async () => {
    const hook = hooks.start(way, request('make'));
    await cardFor(companion, 'make');
    expect(await hooks.run(way, event('PostToolUse', { ...bash('make'), tool_response: {} }))).toEqual(ABSTAINED);
    expect(await finish(hook)).toEqual(ABSTAINED);
    await noCard(companion);
    await showsSessions(companion, 'api working');
  });

  it('that is killed takes its card with it', async () => {
    const hook = hooks.start(way, request('make'));
    await cardFor(companion, 'make');
    await kill(hook);
    await noCard(companion);
  });

  it.each([
    ['junk', 'junk'],
    ['nothing', ''],
    ['no text', Buffer.from([0xff, 0x7b, 0x7d])],
    ['an event nobody knows', event('SomethingNew')],
    ['an event with other types', event('PermissionRequest', { tool_name: 7, tool_input: [] })],
    ['more than 64 KiB', request('x'.repeat(70_000))],
    ['more than a pipe holds', request('x'.repeat(3_000_000))],
    ['a command too long to be shown', request('x'.repeat(4_001))],
  ])('abstains for %s', async (_what, input) => {
    expect(await hooks.run(way, input)).toEqual(ABSTAINED);
    expect(await companion.page.$('[data-request-id]')).toBeNull();
  });

  it.each([
    [[]],
    [['other-agent']],
    [['claude-code', 'codex']],
    [['claude-code', '--what']],
    [['codex', '--credential-profile']],
  ])('abstains when called with %j', async (args) => {
    expect(await hooks.run(way, request('make'), {}, args)).toEqual(ABSTAINED);
  });

  it('abstains with a profile that is missing, broken, or readable by others', async () => {
    const file = join(hooks.credentials, 'hooks.json');
    const profile = (name: string) => ['claude-code', '--credential-profile', name];
    expect(await hooks.run(way, request('make'), {}, profile('none'))).toEqual(ABSTAINED);
    for (const [name, text, mode] of [
      ['broken', '{', 0o600],
      ['keyless', '{\n  "key": "",\n  "scopes": []\n}\n', 0o600],
      ['odd', readFileSync(file, 'utf8').replace('cmp_', 'cmp_"\\r\\nX: y'), 0o600],
      ['stranger', readFileSync(file, 'utf8').replace(/cmp_.{4}/, 'cmp_AAAA'), 0o600],
      ['open', readFileSync(file, 'utf8'), 0o644],
    ] as const) {
      const path = join(hooks.credentials, `${name}.json`);
      writeFileSync(path, text, { mode });
      if (mode === 0o644) openToAll(path);
      expect([name, await hooks.run(way, request('make'), {}, profile(name))]).toEqual([name, ABSTAINED]);
      rmSync(path);
    }
    expect(await companion.page.$('[data-request-id]')).toBeNull();
  });

  it('abstains at once when its standard input is closed, with a profile and without', async () => {
    for (const profile of ['hooks', 'none']) {
      expect([profile, await hooks.runClosed(way, ['claude-code', '--credential-profile', profile])]).toEqual([
        profile,
        ABSTAINED,
      ]);
    }
  });

  it('uses the profile it is told, however that is written', async () => {
    const file = join(hooks.credentials, 'other.json');
    writeFileSync(file, readFileSync(join(hooks.credentials, 'hooks.json')), { mode: 0o600 });
    for (const args of [['--credential-profile', 'other'], ['--credential-profile=other']]) {
      const hook = hooks.start(way, request('make'), {}, ['claude-code', ...args]);
      await pressCard(companion, 'make', '[data-option-id="allow"]');
      expect(behaviourOf(await finish(hook))).toBe('allow');
    }
    rmSync(file);
  });

  it('abstains without a host: no socket, a dead one, somebody else’s', async () => {
    const folder = join(companion.home, `none-${way.replaceAll(' ', '-')}`);
    const env = isolatedEnv(folder);
    const socket = join(env.XDG_RUNTIME_DIR!, 'a.sock');
    expect(await hooks.run(way, request('make'), { COMPANION_SOCKET: socket })).toEqual(ABSTAINED);
    const big = request('x'.repeat(500_000));
    expect(await hooks.run(way, big, { COMPANION_SOCKET: socket })).toEqual(ABSTAINED);
    const server = createServer((connection) =>
      connection.resume().end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'),
    );
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    // Cut off in the middle of its answer.
    expect(await hooks.run(way, request('make'), { COMPANION_SOCKET: socket })).toEqual(ABSTAINED);
    await new Promise((resolve) => server.close(resolve));
    writeFileSync(socket, '');
    expect(await hooks.run(way, request('make'), { COMPANION_SOCKET: socket })).toEqual(ABSTAINED);
  });

  it('sends where it was called from, and nothing that is no such thing', async () => {
    const env = { TMUX_PANE: '%42', TMUX: '/tmp/tmux-0/work,1,0', WINDOWID: '29360131', TERM_PROGRAM: 'tmux' };
    await hooks.run(way, event('UserPromptSubmit'), env);
    const title = () => companion.page.evaluate(`document.querySelector('[data-session-id]').title`);
    await showsSessions(companion, 'api working');
    expect(await title()).toContain('tmux %42');
    await hooks.run(way, event('SessionEnd'));
    await hooks.run(way, event('UserPromptSubmit'), { TMUX_PANE: '%4;id', WINDOWID: '$(id)', TERM_PROGRAM: 'a;b=c' });
    await showsSessions(companion, 'api working');
    expect(await title()).not.toMatch(/id\)|%4/);
  });
});

describe('several hooks at once', () => {
  it('ten, of both agents and both programs, get the answer pressed for their own command', async () => {
    const started = Array.from({ length: 10 }, (_, at) => {
      const command = `run ${at}`;
      const [way, agent] = [
        at % 2 === 0 ? 'companion-fast' : 'companion',
        at % 3 === 0 ? 'codex' : 'claude-code',
      ] as const;
      const hook = hooks.start(way, request(command, { session_id: `s${at}`, cwd: `/work/p${at}` }), {}, [agent]);
      return { command, wanted: at % 4 === 0 ? 'deny' : 'allow', hook };
    });
    const ended = started.map(({ hook }) => finish(hook));
    // One program may have eight questions open; the others are asked in their terminals.
    await until('two have abstained', () => started.filter(({ hook }) => hook.child.exitCode !== null).length >= 2);
    const asked = started.filter(({ hook }) => hook.child.exitCode === null);
    expect(asked).toHaveLength(8);
    for (let left = asked.length; left > 0; left -= 1) {
      const command = await until('the next card', () =>
        companion.page.evaluate(`document.querySelector('[data-request-id] [data-role="details"]')?.textContent ?? ''`),
      );
      const { wanted } = asked.find((one) => one.command === command)!;
      await pressCard(companion, String(command), `[data-option-id="${wanted}"]`);
      await until('it has gone', async () => !(await companion.page.content()).includes(`>${command}<`));
    }
    for (const [at, end] of ended.entries()) {
      const { hook, wanted } = started[at]!;
      const finished = await end;
      if (asked.includes(started[at]!)) expect([at, behaviourOf(finished)]).toEqual([at, wanted]);
      else expect(finished).toEqual(ABSTAINED);
      expect(hook.err()).toBe('');
    }
    for (let at = 0; at < 10; at += 1) {
      const agent = at % 3 === 0 ? 'codex' : 'claude-code';
      await hooks.run('companion-fast', event('SessionEnd', { session_id: `s${at}` }), {}, [agent]);
    }
  });

  it('two sessions are two lines, the one that needs its user first', async () => {
    const web = { session_id: 'session-2', cwd: '/home/me/work/web' };
    await hooks.run('companion-fast', event('UserPromptSubmit'));
    const hook = hooks.start('companion-fast', request('make', web), {}, ['codex']);
    await showsSessions(companion, 'web needs-you', 'api working');
    await pressCard(companion, 'make', '[data-option-id="allow"]');
    await finish(hook);
    await hooks.run('companion-fast', event('Stop', web), {}, ['codex']);
    await showsSessions(companion, 'api working', 'web done');
    await hooks.run('companion-fast', event('SessionEnd', web), {}, ['codex']);
    await showsSessions(companion, 'api working');
  });
});

describe('when the user wants no questions', () => {
  it.each(['pause-access', 'hide'])('%s: what is open abstains, and so does what comes', async (action) => {
    const open = hooks.start('companion-fast', request('make'));
    await cardFor(companion, 'make');
    await pressMenu(companion.page, action);
    expect(await finish(open)).toEqual(ABSTAINED);
    expect(await hooks.run('companion-fast', request('make install'))).toEqual(ABSTAINED);
    expect(await hooks.run('companion', request('make install'))).toEqual(ABSTAINED);
    expect(await companion.page.$('[data-session-id]')).toBeNull();
    if (action === 'hide') await press(companion.page, '[data-action="show"]');
    else await pressMenu(companion.page, 'resume-access');
  });
});

describe('the record of a permission', () => {
  it('is an ordinary request of that client, with the session as its task, and nobody else can see it', async () => {
    const hook = hooks.start('companion-fast', request('make'));
    const requestId = await cardFor(companion, 'make');
    const { key } = JSON.parse(readFileSync(join(hooks.credentials, 'hooks.json'), 'utf8')) as { key: string };
    // The card stands on the page a moment before the host has heard that it does.
    const open = await until('it waits for the user', async () => {
      const now = await callRpc(companion.socketPath, key, 'requests.get', { requestId });
      return now.status === 'queued' ? null : now;
    });
    expect(open).toMatchObject({ capability: 'interaction.choose', status: 'awaiting_user', taskId: 'session-1' });
    const left = Date.parse(open.deadlineAt) - Date.parse(open.createdAt);
    expect(left).toBe(600_000);
    await kill(hook);
    const ended = await until('it is withdrawn', async () => {
      const now = await callRpc(companion.socketPath, key, 'requests.get', { requestId });
      return now.endedAt !== null && now;
    });
    expect(ended).toMatchObject({ status: 'cancelled', reason: 'superseded', result: null });
    const log = readFileSync(join(companion.env.XDG_STATE_HOME!, 'companion', 'companion.log'), 'utf8');
    expect(log).not.toMatch(/make|session-1|work\/api/);
  });
});

describe('a host that is killed meanwhile', () => {
  it.each(WAYS)('%s abstains', async (way) => {
    const home = join(companion.home, `killed-${way.replaceAll(' ', '-')}`);
    const host = await startHostProcess(isolatedEnv(home));
    await host.press('[data-action="enable-access"]');
    const { pairingId, pairingSecret } = await callRpc<{ pairingId: string; pairingSecret: string }>(
      host.socketPath,
      null,
      'pairing.request',
      { name: 'hooks', scopes: ['interact'] },
    );
    await host.press(`[data-pairing-id="${pairingId}"] [data-action="approve"]`);
    const { key, clientId } = await callRpc<{ key: string; clientId: string }>(host.socketPath, null, 'pairing.wait', {
      pairingId,
      pairingSecret,
      waitMs: 10_000,
    });
    const file = join(hooks.credentials, 'killed.json');
    const credential = { key, clientId, name: 'hooks', scopes: ['interact'], socketPath: host.socketPath };
    writeFileSync(file, `${JSON.stringify(credential, null, 2)}\n`, { mode: 0o600 });
    const hook = hooks.start(way, request('make'), {}, ['claude-code', '--credential-profile', 'killed']);
    await host.press('[data-request-id] [data-role="details"]');
    await kill(host);
    expect(await finish(hook)).toEqual(ABSTAINED);
    // Its socket is still there, and nobody answers.
    expect(await hooks.run(way, request('make'), {}, ['claude-code', '--credential-profile', 'killed'])).toEqual(
      ABSTAINED,
    );
    rmSync(file);
  });
});
