/** Spec §5 and the authentication profile: off until the user switches it on, admitted by the user alone, one key each. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORDS } from '../../overlay/words.ts';
import type { Language } from '../../server/protocol/words.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import {
  callRpc,
  describeRuntime,
  enableAccess,
  type Pairing,
  pairClient,
  refusalOf,
  requestPairing,
  takeKey,
  uniqueName,
} from './support.ts';
import { action, click, gone, textOf } from './support-page.ts';

const REST_MS = 1_500;

let companion: LaunchedCompanion;
let offAtFirst: readonly unknown[];
beforeAll(async () => {
  companion = await launchCompanion({ config: { limits: { pairingRestMs: REST_MS, pairingBurst: 200 } } });
  await companion.page.waitForSelector(action('enable-access'));
  const attempt = { name: 'early bird', scopes: ['notify'] };
  const { access, accepting } = await describeRuntime(companion);
  const refusal = await refusalOf(requestPairing(companion, attempt));
  offAtFirst = [access, accepting, refusal.code, refusal.details, await companion.page.$('[data-pairing-id]')];
  await enableAccess(companion);
});
afterAll(() => companion.stop());

const cardOf = ({ pairingId }: Pairing, inside = ''): string => `[data-pairing-id="${pairingId}"] ${inside}`.trim();
const ask = (name = uniqueName('asker'), scopes: readonly string[] = ['notify']): Promise<Pairing> =>
  requestPairing(companion, { name, scopes });
const wait = (pairing: Partial<Pairing>, waitMs = 0) =>
  callRpc<{ status: string }>(companion.socketPath, null, 'pairing.wait', {
    pairingId: pairing.pairingId,
    pairingSecret: pairing.pairingSecret,
    waitMs,
  });
async function decide(pairing: Pairing, what: 'approve' | 'deny'): Promise<void> {
  await click(companion.page, cardOf(pairing, action(what)));
  await gone(companion.page, cardOf(pairing));
}
/** Ends the pairing without counting a denial. */
async function letIn(pairing: Pairing): Promise<void> {
  await decide(pairing, 'approve');
  await (await takeKey(companion, pairing)).call('auth.revokeSelf');
}

describe('first run', () => {
  it('access is off, says so, and lets nobody ask, until the user switches it on', () => {
    expect(offAtFirst).toEqual([
      'off',
      { ok: false, reason: 'access_off' },
      'RUNTIME_UNAVAILABLE',
      { reason: 'access_off' },
      null,
    ]);
  });
});

describe('the card', () => {
  it('shows name and purpose as text, the code the program has too, each scope in words, and what is kept', async () => {
    const pairing = await requestPairing(companion, {
      name: uniqueName('<b>bold</b>'),
      scopes: ['discover', 'notify', 'interact'],
      about: '<img src=x> https://example.org',
    });
    const { page } = companion;
    await page.waitForSelector(cardOf(pairing));
    expect(await textOf(page, cardOf(pairing, '[data-role="code"]'))).toBe(pairing.code);
    expect(pairing.code).toMatch(/^\d{6}$/);
    expect(await textOf(page, cardOf(pairing, '[data-role="claimed-name"]'))).toContain('<b>bold</b>');
    expect(await textOf(page, cardOf(pairing, '[data-role="about"]'))).toBe('<img src=x> https://example.org');
    expect(await page.$$(cardOf(pairing, ':is(a, img, b)'))).toEqual([]);
    const scopes = await page.$$eval(cardOf(pairing, '[data-scope]'), (all) => all.map(({ dataset }) => dataset.scope));
    expect(scopes).toEqual(['discover', 'notify', 'interact']);
    const words = WORDS[(await page.$eval('html', ({ lang }) => lang)) as Language];
    const kept = await textOf(page, cardOf(pairing, '[data-role="kept"]'));
    expect(kept).toContain(words.pairingKept(24));
    expect(kept).toContain(words.pairingElsewhere);
    for (const scope of ['discover', 'notify', 'interact'] as const) {
      expect(await textOf(page, cardOf(pairing, `[data-scope="${scope}"]`))).toContain(words.scopes[scope]);
    }
    await letIn(pairing);
  });

  it('shows hidden and reordering characters of what the program says of itself', async () => {
    const pairing = await requestPairing(companion, {
      name: uniqueName('plain'),
      scopes: ['notify'],
      about: 'safe \u202egnp.exe',
    });
    await companion.page.waitForSelector(cardOf(pairing));
    expect(await textOf(companion.page, cardOf(pairing, '[data-role="about"]'))).toContain('\\u202E');
    await letIn(pairing);
  });

  it('stands alone: the oldest first, the next when it is decided', async () => {
    const first = await ask();
    const second = await ask();
    await companion.page.waitForSelector(cardOf(first));
    expect(await companion.page.$(cardOf(second))).toBeNull();
    expect(first.code).not.toBe(second.code);
    await letIn(first);
    await companion.page.waitForSelector(cardOf(second));
    await letIn(second);
  });
});

describe('the word of the user', () => {
  it('approves by hand only: until then it is pending, however long one waits', async () => {
    const pairing = await ask();
    expect(await wait(pairing)).toEqual({ status: 'pending' });
    expect(await wait(pairing, 50)).toEqual({ status: 'pending' });
    const waiting = wait(pairing, 30_000);
    await click(companion.page, cardOf(pairing, action('approve')));
    const word = (await waiting) as { status: string; key: string };
    expect(word).toMatchObject({ status: 'approved', key: expect.stringMatching(/^cmp_[A-Za-z0-9_-]{43}$/) });
    await callRpc(companion.socketPath, word.key, 'auth.revokeSelf');
  });

  it('may drop scopes: the key has what is left and no more', async () => {
    const pairing = await ask(uniqueName('greedy'), ['discover', 'animate', 'notify', 'interact']);
    await click(companion.page, cardOf(pairing, '[data-scope="interact"]'));
    await click(companion.page, cardOf(pairing, '[data-scope="animate"]'));
    await companion.page.waitForSelector(cardOf(pairing, '[data-scope="animate"][aria-checked="false"]'));
    await decide(pairing, 'approve');
    const client = await takeKey(companion, pairing);
    expect(client.scopes).toEqual(['discover', 'notify']);
    for (const capability of ['interaction.ask', 'animation.greet']) {
      const params = capability === 'interaction.ask' ? { title: 'May I?' } : {};
      await expect(client.create(capability, params)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    const { authorization } = await client.call<{ authorization: { scopes: string[] } }>('runtime.describe');
    expect(authorization.scopes).toEqual(['discover', 'notify']);
    await client.call('auth.revokeSelf');
  });

  it('cannot let a program in with no scope at all', async () => {
    const pairing = await ask();
    await click(companion.page, cardOf(pairing, '[data-scope="notify"]'));
    await companion.page.waitForSelector(cardOf(pairing, `${action('approve')}[aria-disabled="true"]`));
    await click(companion.page, cardOf(pairing, action('approve')));
    expect(await wait(pairing)).toEqual({ status: 'pending' });
    await click(companion.page, cardOf(pairing, '[data-scope="notify"]'));
    await letIn(pairing);
  });

  it('may give another name, which is the one that cards bear', async () => {
    const pairing = await ask();
    const name = uniqueName('as I call it');
    const field = cardOf(pairing, '[data-role="pairing-name"]');
    await companion.page.waitForSelector(field);
    await companion.page.$eval(field, (input) => (input as { select(): void }).select());
    await companion.page.type(field, name);
    await decide(pairing, 'approve');
    const client = await takeKey(companion, pairing);
    expect(client.name).toBe(name);
    const { requestId } = await client.create('progress.show', { title: 'Named', percent: 0 });
    await companion.page.waitForSelector(`[data-request-id="${requestId}"][data-client="${name}"]`);
    await client.call('auth.revokeSelf');
  });

  it('may be no: PAIRING_DENIED, for as long as it is asked', async () => {
    const pairing = await ask();
    await decide(pairing, 'deny');
    for (let times = 0; times < 2; times += 1) {
      const refusal = await refusalOf(wait(pairing, 30_000));
      expect([refusal.code, refusal.rpcCode, refusal.retryable]).toEqual(['PAIRING_DENIED', -32014, false]);
    }
    await letIn(await ask());
  });
});

describe('the key', () => {
  it('is handed out once, to the holder of the secret; unknown, used and wrong secret look alike', async () => {
    const pairing = await ask();
    const wrong = { ...pairing, pairingSecret: `${pairing.pairingSecret.slice(1)}A` };
    await decide(pairing, 'approve');
    const refusals = [await refusalOf(wait(wrong)), await refusalOf(wait({ ...pairing, pairingId: 'none' }))];
    const client = await takeKey(companion, pairing);
    refusals.push(await refusalOf(wait(pairing)), await refusalOf(wait(wrong)));
    expect(new Set(refusals.map(({ text }) => text)).size).toBe(1);
    expect(refusals[0]).toMatchObject({ code: 'NOT_FOUND', details: undefined });
    await client.call('auth.revokeSelf');
  });

  it('goes to one of two who wait with the same secret', async () => {
    const pairing = await ask();
    const both = Promise.allSettled([wait(pairing, 30_000), wait(pairing, 30_000)]);
    await click(companion.page, cardOf(pairing, action('approve')));
    const outcomes = await both;
    const keys = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value as { key?: string }] : []));
    expect(keys.filter(({ key }) => key !== undefined)).toHaveLength(1);
    await callRpc(companion.socketPath, keys.find(({ key }) => key !== undefined)!.key!, 'auth.revokeSelf');
  });

  it('is another one for every program', async () => {
    const one = await pairClient(companion);
    const two = await pairClient(companion);
    expect([one.key === two.key, one.clientId === two.clientId]).toEqual([false, false]);
  });
});

describe('names', () => {
  it.each([
    ['companion', 'companion'],
    ['Companion', 'another case'],
    ['ＳＹＳＴＥＭ', 'wide letters'],
    ['host', 'the host'],
    [' padded', 'white space before'],
    ['padded ', 'white space after'],
    ['two\nlines', 'a line break'],
    ['re\u202everse', 'a bidirectional mark'],
    ['bell\u0007', 'a control character'],
    ['\u200b', 'nothing visible'],
    ['x'.repeat(65), '65 characters'],
  ])('%j is refused (%s)', async (name) => {
    const refusal = await refusalOf(ask(name));
    expect(refusal.code).toBe('INVALID_PARAMS');
    expect(JSON.stringify(refusal.details)).toContain('/name');
    expect(await companion.page.$('[data-pairing-id]')).toBeNull();
  });

  it('one that a paired program has is refused, in any case or width', async () => {
    const client = await pairClient(companion, { name: 'taken' });
    for (const name of [client.name, client.name.toUpperCase(), client.name.replace('taken', 'ｔａｋｅｎ')]) {
      expect((await refusalOf(ask(name))).code).toBe('INVALID_PARAMS');
    }
  });
});

describe('scopes', () => {
  it.each([
    ['none', []],
    ['an unknown one', ['root']],
    ['one twice', ['notify', 'notify']],
    ['control beside another', ['vendor.internal.companion.control', 'notify']],
  ])('%s: INVALID_PARAMS', async (_what, scopes) => {
    const refusal = await refusalOf(ask(uniqueName('asker'), scopes));
    expect(refusal.code).toBe('INVALID_PARAMS');
    expect(JSON.stringify(refusal.details)).toContain('/scopes');
  });
});

describe('limits', () => {
  it('a fourth open request has to wait, and is told how long', async () => {
    const open = [await ask(), await ask(), await ask()];
    const refusal = await refusalOf(ask());
    expect([refusal.code, refusal.retryable]).toEqual(['RATE_LIMITED', true]);
    expect(refusal.details?.retryAfterMs).toBeGreaterThan(0);
    for (const pairing of open) await letIn(pairing);
    await letIn(await ask());
  });

  it('after three refusals in a row nobody may ask for a while', async () => {
    await letIn(await ask());
    for (let times = 0; times < 3; times += 1) await decide(await ask(), 'deny');
    const refusal = await refusalOf(ask());
    expect([refusal.code, refusal.retryable]).toEqual(['RATE_LIMITED', true]);
    const rest = refusal.details?.retryAfterMs as number;
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThanOrEqual(REST_MS);
    await letIn(await until('the rest is over', () => ask().catch(() => null)));
  });
});
