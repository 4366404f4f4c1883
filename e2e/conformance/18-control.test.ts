/** Spec §4 and §5, the user's own switches from a shell: a scope that stands alone, a key that can do nothing else, and the only way back for a hidden figure. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTROL_SCOPE } from '../../server/protocol/words.ts';
import { METHODS } from '../../server/registry/catalog.ts';
import { endAll } from '../faults/processes.ts';
import { failure, only, openShell, type Shell } from '../faults/shell.ts';
import { type LaunchedCompanion, launchCompanion } from '../harness.ts';
import { ALL_SCOPES, callRpc, described, describeRuntime, enableAccess, pairClient, refusalOf } from './support.ts';
import { action, click, closePage, gone, openPage } from './support-page.ts';

const OFF = { hidden: false, paused: false, doNotDisturb: false };
const FIGURE = '[data-character][data-clip]';

let companion: LaunchedCompanion;
let shell: Shell;
beforeAll(async () => {
  companion = await launchCompanion();
  await enableAccess(companion);
  shell = openShell(companion);
  expect((await shell.pair('My control', [CONTROL_SCOPE])).code).toBe(0);
});
afterAll(async () => {
  await endAll();
  await companion?.stop();
});

/** Presses a switch in the shell, and gives how they stand then. */
async function press(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await shell.run(...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return only(out);
}

describe('the commands', () => {
  it('hide and show: the figure goes, its requests end, and it comes back', async () => {
    const { page } = companion;
    const client = await pairClient(companion);
    const { requestId } = await client.create('interaction.ask', { title: 'May I?' });
    await client.shown(requestId);
    expect(await press('hide')).toEqual({ ...OFF, hidden: true });
    expect(await client.get(requestId)).toMatchObject({ status: 'cancelled', reason: 'hidden', result: null });
    await gone(page, FIGURE);
    expect((await describeRuntime(companion)).accepting).toEqual({ ok: false, reason: 'hidden' });
    const { code, out, err } = await shell.run('show');
    expect([code, out, err]).toEqual([0, 'The figure is shown.\n', '']);
    await page.waitForSelector(FIGURE);
    expect((await describeRuntime(companion)).accepting.ok).toBe(true);
  });

  it('pause and resume: the figure stays, programs wait outside', async () => {
    const client = await pairClient(companion);
    expect(await press('pause')).toEqual({ ...OFF, paused: true });
    const refused = await refusalOf(client.create('notice.show', { text: 'Hey' }));
    expect([refused.code, refused.details]).toEqual(['RUNTIME_UNAVAILABLE', { reason: 'paused' }]);
    expect(await companion.page.$(FIGURE)).not.toBeNull();
    expect(await press('resume')).toEqual(OFF);
    await client.create('notice.show', { text: 'Hey' });
  });

  it('dnd: notices are kept for later while it is on', async () => {
    const client = await pairClient(companion);
    expect(await press('dnd', 'on')).toEqual({ ...OFF, doNotDisturb: true });
    await companion.page.waitForSelector('[data-mark="dnd"]');
    expect(await client.create('notice.show', { text: 'Hey' })).toMatchObject({ reason: 'suppressed' });
    expect(await press('dnd', 'off')).toEqual(OFF);
    await gone(companion.page, '[data-mark="dnd"]');
  });

  it('work while access is off, and do not switch it on', async () => {
    const { page } = companion;
    await openPage(page, 'access');
    await click(page, action('disable-access'));
    await described(companion, 'access is off', ({ access }) => access === 'off');
    await closePage(page);
    expect(await press('hide')).toEqual({ ...OFF, hidden: true });
    expect(await press('show')).toEqual(OFF);
    expect((await describeRuntime(companion)).access).toBe('off');
    await page.waitForSelector(FIGURE);
    await enableAccess(companion);
  });

  it('without their key say how to get one, whatever other key there is', async () => {
    const bare = openShell(companion);
    await bare.pair('Ordinary');
    const refused = await bare.run('show', '--json');
    expect(failure(refused)).toEqual([3, 'CREDENTIAL_MISSING']);
    expect(refused.out).toContain(`--scopes ${CONTROL_SCOPE} --credential-profile control`);
    expect(failure(await bare.run('show', '--json', '--credential-profile', 'ordinary'))).toEqual([3, 'FORBIDDEN']);
  });
});

describe('the scope', () => {
  it('is asked for in plain words, and given by the user’s hand only', async () => {
    const { page } = companion;
    const program = openShell(companion).start('pair', '--name', 'Wants control', '--scopes', CONTROL_SCOPE);
    const row = await page.waitForSelector(`[data-pairing-id] [data-scope="${CONTROL_SCOPE}"]`);
    const words = await row!.evaluate((element) => element.parentElement?.textContent ?? '');
    expect(words).toMatch(/show, hide/);
    expect(words).not.toContain(CONTROL_SCOPE);
    await page.click(`[data-pairing-id] ${action('deny')}`);
    expect(await program.ended).toBe(3);
  });

  it('gives its key no other method and no capability', async () => {
    const control = await pairClient(companion, { scopes: [CONTROL_SCOPE] });
    expect(await control.call(CONTROL_SCOPE, { action: 'show' })).toEqual(OFF);
    for (const { name, needs, examples } of Object.values(METHODS)) {
      if (needs === 'nothing' || needs === 'control' || name === 'auth.revokeSelf') continue;
      const { code } = await refusalOf(control.call(name, examples.valid[0]));
      expect([name, code]).toEqual([name, needs === 'owner' ? 'NOT_FOUND' : 'FORBIDDEN']);
    }
  });

  it('cannot be had together with another, nor replaced by all of them', async () => {
    const { socketPath } = companion;
    for (const scope of ALL_SCOPES) {
      const params = { name: 'mixed', scopes: [scope, CONTROL_SCOPE] };
      expect((await refusalOf(callRpc(socketPath, null, 'pairing.request', params))).code).toBe('INVALID_PARAMS');
    }
    const program = await pairClient(companion);
    const refused = await refusalOf(program.call(CONTROL_SCOPE, { action: 'hide' }));
    expect([refused.code, refused.details]).toEqual(['FORBIDDEN', { requiredScopes: [CONTROL_SCOPE] }]);
    const stranger = await refusalOf(callRpc(socketPath, null, CONTROL_SCOPE, { action: 'hide' }));
    expect([stranger.code, stranger.details]).toEqual(['UNAUTHENTICATED', undefined]);
  });

  it('alone brings a hidden figure back: no call of a program with every other scope does, and no restart', async () => {
    let own = await launchCompanion();
    try {
      await enableAccess(own);
      const user = openShell(own);
      await user.pair('My control', [CONTROL_SCOPE]);
      await user.pair('Program', ALL_SCOPES);
      expect((await user.run('hide')).code).toBe(0);
      await gone(own.page, FIGURE);
      for (const line of [
        ['notify', 'Hey'],
        ['ask', 'Hey?', '--text'],
        ['play', 'greet'],
        ['pair', '--name', 'x', '--scopes', 'notify'],
        ['runtime', 'describe'],
        ['characters', 'list'],
      ])
        await user.run(...line);
      expect((await describeRuntime(own)).accepting).toEqual({ ok: false, reason: 'hidden' });
      await own.stop({ keep: true });
      own = await launchCompanion({ home: own.home });
      expect(await own.page.$(FIGURE)).toBeNull();
      expect((await describeRuntime(own)).accepting).toEqual({ ok: false, reason: 'hidden' });
      expect((await user.run('show')).code).toBe(0);
      await own.page.waitForSelector(FIGURE);
    } finally {
      await own.stop();
    }
  });
});
