import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI, endAll } from '../faults/processes.ts';
import { openShell, type Shell } from '../faults/shell.ts';
import { enableAccess, press } from '../faults/user.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import {
  call,
  endSessions,
  type NdjsonLine,
  type NdjsonServer,
  type NdjsonSession,
  startCall,
} from './ndjson-client.ts';

// The companion's own capabilities through the NDJSON interface: a real host, a real page, a user who presses (R10).
const CHOICE = {
  title: 'Go on?',
  options: [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ],
  allowDecline: true,
};

let companion: LaunchedCompanion;
let shell: Shell;
let server: NdjsonServer;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion.page);
  shell = openShell(companion);
  expect((await shell.pair('door')).code).toBe(0);
  server = { command: [process.execPath, CLI], env: shell.env };
});
afterAll(async () => {
  endSessions();
  await endAll();
  await companion?.stop();
});

const requestIdOf = async (session: NdjsonSession): Promise<string> => {
  const line = await session.line('its request', ({ dataKind }) => dataKind === 'request');
  return (line.payload as { requestId: string }).requestId;
};
const pressIn = (requestId: string, selector: string): Promise<void> =>
  press(companion.page, `[data-request-id="${requestId}"] ${selector}`);
const isShown = async (requestId: string): Promise<boolean> =>
  (await companion.page.$(`[data-request-id="${requestId}"]`)) !== null;
const phase = (name: string) => (line: NdjsonLine) => line.phase === name;

describe('a question', () => {
  it('is shown, and the answer is the data of the result', async () => {
    const session = startCall(server, 'interaction.choose', CHOICE);
    await pressIn(await requestIdOf(session), '[data-option-id="yes"]');
    const ended = await session.ended;
    expect(ended.result).toEqual({ kind: 'result', exitCode: 0, data: { selectedId: 'yes' } });
    expect(ended.of('progress').map((line) => line.phase)).toContain('awaiting_user');
  });

  it('that is declined ends as cancelled, with the reason', async () => {
    const session = startCall(server, 'interaction.choose', CHOICE);
    await pressIn(await requestIdOf(session), '[data-action="decline"]');
    const ended = await session.ended;
    expect(ended.of('error')).toMatchObject([{ code: 'E_CANCELLED' }]);
    expect(ended.result).toMatchObject({ exitCode: 130, data: { reason: 'user_declined' } });
  });

  it.each([
    ['a cancel', (session: NdjsonSession) => session.send({ action: 'cancel' })],
    ['a signal', (session: NdjsonSession) => session.child.kill('SIGTERM')],
  ])('is taken off the screen by %s', async (_, stop) => {
    const session = startCall(server, 'interaction.choose', CHOICE);
    const requestId = await requestIdOf(session);
    await session.line('it is shown', phase('awaiting_user'));
    stop(session);
    const ended = await session.ended;
    expect(ended.result).toMatchObject({ exitCode: 130, data: { reason: 'client_cancelled' } });
    await until('the card is gone', async () => !(await isShown(requestId)));
  });

  it('cannot be paused, which is a warning', async () => {
    const session = startCall(server, 'interaction.choose', CHOICE);
    const requestId = await requestIdOf(session);
    session.send({ action: 'pause' });
    expect(await session.line('a warning', ({ kind }) => kind === 'log')).toMatchObject({ level: 'warn' });
    await pressIn(requestId, '[data-option-id="no"]');
    expect((await session.ended).result.data).toEqual({ selectedId: 'no' });
  });
});

describe('others', () => {
  it.each([
    ['animation.celebrate', {}],
    ['notice.show', { text: 'Done', durationMs: 1_000 }],
  ])('such as %s end when they have been seen', async (capability, args) => {
    expect((await call(server, capability, args)).result).toEqual({ kind: 'result', exitCode: 0 });
  });

  it('such as what one character has brought along play when it is the one, and are refused when it is not', async () => {
    const tea = 'vendor.internal.companion.tea';
    const other = await call(server, tea, {});
    expect(other.of('error')).toMatchObject([{ code: 'E_INVALID_INPUT' }]);
    expect(other.result).toEqual({ kind: 'result', exitCode: 1 });
    expect((await shell.run('characters', 'use', 'builtin.simmer')).code).toBe(0);
    await companion.page.waitForSelector('[data-character="builtin.simmer"]');
    expect((await call(server, tea, {})).result).toEqual({ kind: 'result', exitCode: 0 });
    expect((await shell.run('characters', 'use', 'builtin.nib')).code).toBe(0);
    await companion.page.waitForSelector('[data-character="builtin.nib"]');
  });

  it('such as a progress card tell what the user presses, and end by a cancel', async () => {
    const session = startCall(server, 'progress.show', {
      title: 'Copying',
      percent: 10,
      controls: ['pause', 'cancel'],
    });
    const requestId = await requestIdOf(session);
    await session.line('it is shown', phase('running'));
    await pressIn(requestId, '[data-action="pause"]');
    const control = await session.line('what was pressed', ({ dataKind }) => dataKind === 'control');
    expect(control.payload).toMatchObject({ action: 'pause', seq: 1 });
    session.send({ action: 'cancel' });
    expect((await session.ended).status).toBe(130);
  });

  it('are refused for what the host finds wrong', async () => {
    const twice = [CHOICE.options[0], CHOICE.options[0]];
    const ended = await call(server, 'interaction.choose', { ...CHOICE, options: twice });
    expect(ended.of('error')).toMatchObject([{ code: 'E_INVALID_INPUT' }]);
    expect(ended.status).toBe(1);
  });

  it('need a key that may do it', async () => {
    const other = openShell(companion);
    expect((await other.pair('other', ['animate'])).code).toBe(0);
    const ended = await call({ ...server, env: other.env }, 'notice.show', { text: 'Hi' });
    expect(ended.of('error')).toMatchObject([{ code: 'E_PERMISSION' }]);
    expect(ended.status).toBe(1);
    const nobody = openShell(companion);
    expect((await call({ ...server, env: nobody.env }, 'notice.show', { text: 'Hi' })).of('error')).toMatchObject([
      { code: 'E_PERMISSION' },
    ]);
  });

  it('are refused with 2 while the companion takes nothing', async () => {
    const control = openShell(companion);
    const scope = 'vendor.internal.companion.control';
    expect((await control.pair('switch', [scope], '--credential-profile', 'control')).code).toBe(0);
    expect((await control.run('pause')).code).toBe(0);
    const ended = await call(server, 'notice.show', { text: 'Hi' });
    expect(ended.of('error')).toMatchObject([{ code: 'E_PERMISSION', hint: expect.stringContaining('resume') }]);
    expect(ended.status).toBe(2);
    expect((await control.run('resume')).code).toBe(0);
  });

  it('have nobody to go to when no companion runs', async () => {
    const env = { ...shell.env, COMPANION_SOCKET: `${companion.home}/none.sock` };
    const ended = await call({ ...server, env }, 'notice.show', { text: 'Hi' });
    expect(ended.of('error')).toMatchObject([{ code: 'E_NETWORK' }]);
    expect(ended.status).toBe(1);
  });
});
