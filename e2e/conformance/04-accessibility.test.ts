/** Spec §7, accessibility and reduced motion: everything by keyboard, named for those who do not see it, and still for those who want it still. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { findCapability } from '../../server/registry/catalog.ts';
import { type LaunchedCompanion, launchCompanion, until } from '../harness.ts';
import {
  type Client,
  described,
  describeRuntime,
  enableAccess,
  pairClient,
  requestPairing,
  takeKey,
  uniqueName,
} from './support.ts';
import {
  action,
  click,
  clickCard,
  closeMenu,
  closePage,
  gone,
  onCard,
  openMenu,
  openPage,
  option,
  painted,
  pressMenu,
} from './support-page.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let companion: LaunchedCompanion;
let firstRun: readonly string[];
beforeAll(async () => {
  companion = await launchCompanion({ config: { limits: { pairingBurst: 1_000 } } });
  await companion.page.waitForSelector(action('enable-access'));
  firstRun = await troubles();
  await enableAccess(companion);
});
afterAll(() => companion.stop());
beforeEach(async () => {
  await companion.page.emulateMediaFeatures([]);
  await described(companion, 'nobody reduces motion', ({ reducedMotion }) => reducedMotion.by === null);
});

/** What axe-core finds serious or critical on the page as it is now: rule and place. */
async function troubles(): Promise<readonly string[]> {
  const { page } = companion;
  await page.evaluate(AXE);
  // Half faded in, a text has less contrast than it is about to have.
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished.catch(() => null))).then(() => null)`);
  await painted(page);
  return (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 120))))`)) as string[];
}

const QUESTIONS = [
  'interaction.choose',
  'interaction.ask',
  'vendor.internal.companion.choices',
  'vendor.internal.companion.form',
];
const CARDS = ['notice.show', 'progress.show', ...QUESTIONS];

/** Puts one card on screen, the fullest of its examples. */
async function showCard(client: Client, capability: string, more: object = {}): Promise<string> {
  const params = findCapability(capability)!.examples.valid.at(-1)!;
  const longLived = capability === 'notice.show' ? { ...params, durationMs: 60_000 } : params;
  const { requestId } = await client.create(capability, longLived, more);
  await standsAlone(client, requestId);
  return requestId;
}

/** Waits until the card is painted and the one before it has gone: a key counts only on a card that does not move meanwhile. */
async function standsAlone(client: Client, requestId: string): Promise<void> {
  await companion.page.waitForSelector(onCard(requestId));
  await client.shown(requestId);
  await companion.page.waitForFunction('document.querySelectorAll("[data-card]").length === 1');
  await companion.page.evaluate(
    'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
  );
}

const systemReduces = async (): Promise<void> => {
  await companion.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
  await described(companion, 'the system reduces motion', ({ reducedMotion }) => reducedMotion.by !== null);
};
const motionOfPage = () => companion.page.$eval('html', ({ dataset }) => dataset.motion);
const SWITCH = `[data-role="menu"] ${action('reduce-motion')}`;
const switchSays = () => companion.page.$eval(SWITCH, ({ textContent }) => textContent);

/** Presses the switch as often as said: by the system, on, off, and round again. */
async function pressSwitch(times: number): Promise<void> {
  await openMenu(companion.page);
  for (let left = times; left > 0; left -= 1) {
    const before = await switchSays();
    await click(companion.page, SWITCH);
    await until('the switch has moved', async () => (await switchSays()) !== before);
  }
  await closeMenu(companion.page);
}

/** Sets the user's own switch; when the test is over it is by the system again. */
async function userSets(on: boolean): Promise<void> {
  const times = on ? 1 : 2;
  await pressSwitch(times);
  onTestFinished(() => pressSwitch(3 - times));
  await described(companion, 'the user has set it', ({ reducedMotion }) => reducedMotion.by === 'user');
  expect((await describeRuntime(companion)).reducedMotion).toEqual({ on, by: 'user' });
}

describe('reduced motion', () => {
  it('is off unless somebody wants it', async () => {
    expect((await describeRuntime(companion)).reducedMotion).toEqual({ on: false, by: null });
    expect(await motionOfPage()).toBe('full');
  });

  it('follows the system, on and off again', async () => {
    await systemReduces();
    expect((await describeRuntime(companion)).reducedMotion).toEqual({ on: true, by: 'system' });
    expect(await motionOfPage()).toBe('still');
    await companion.page.emulateMediaFeatures([]);
    await described(companion, 'motion is back', ({ reducedMotion }) => !reducedMotion.on);
    expect(await motionOfPage()).toBe('full');
  });

  it("the user's switch holds still although the system does not ask for it", async () => {
    await userSets(true);
    expect(await motionOfPage()).toBe('still');
  });

  it("the user's switch moves although the system asks for stillness", async () => {
    await systemReduces();
    await userSets(false);
    expect(await motionOfPage()).toBe('full');
  });

  it('an animation is a still frame with one static cue, and still completes', async () => {
    const { page } = companion;
    const client = await pairClient(companion);
    await systemReduces();
    const { requestId } = await client.create('animation.celebrate', { loops: 2 });
    await client.shown(requestId);
    await page.waitForSelector('[data-mark="cue"]');
    expect(await page.$eval('canvas', ({ dataset }) => dataset.clip)).toBe('celebrate');
    const frames = new Set<string>();
    const picture = () => page.$eval('canvas', (canvas) => (canvas as { toDataURL(): string }).toDataURL());
    let ended = false;
    const end = client.ended(requestId).then((snapshot) => {
      ended = true;
      return snapshot;
    });
    do {
      if ((await page.$('[data-mark="cue"]')) !== null) frames.add(await picture());
      await painted(page);
    } while (!ended);
    expect(await end).toMatchObject({ status: 'completed', reason: 'clip_ended' });
    await gone(page, '[data-mark="cue"]');
    // The last look may already have caught the figure at rest.
    expect(frames.size).toBeLessThanOrEqual(2);
  });

  it('nothing on any card moves', async () => {
    const client = await pairClient(companion);
    await systemReduces();
    for (const capability of CARDS) {
      const requestId = await showCard(client, capability);
      const moving = await companion.page.evaluate(
        'document.getAnimations().filter(({ playState }) => playState === "running").length',
      );
      expect(moving, capability).toBe(0);
      await client.call('requests.cancel', { requestId });
    }
  });
});

describe('axe-core finds nothing serious', () => {
  it('though it sees a fault that is put there', async () => {
    const { page } = companion;
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<button id="fault"></button>')`);
    expect(await troubles()).toEqual([expect.stringMatching(/^button-name /)]);
    await page.evaluate(`document.getElementById('fault').remove()`);
  });

  it('on the first-run card', () => expect(firstRun).toEqual([]));

  it.each(CARDS)('on the card of %s, in every style and tone', async (capability) => {
    const client = await pairClient(companion);
    const { styles } = findCapability(capability)!;
    for (const [index, style] of styles.entries()) {
      const requestId = await showCard(client, capability, { style });
      expect(await troubles(), `${capability} ${style} ${index}`).toEqual([]);
      await client.call('requests.cancel', { requestId });
    }
    for (const tone of ['information', 'success', 'warning', 'error']) {
      const { requestId } = await client.create('notice.show', {
        text: 'Tone',
        title: 'Title',
        tone,
        durationMs: 60_000,
      });
      await companion.page.waitForSelector(onCard(requestId));
      expect(await troubles(), tone).toEqual([]);
      await client.call('requests.cancel', { requestId });
    }
  });

  it('on a pairing card', async () => {
    const { pairingId } = await requestPairing(companion, {
      name: uniqueName('axe'),
      scopes: ['discover', 'animate', 'notify', 'interact'],
      about: 'Looks for faults.',
    });
    const card = `[data-pairing-id="${pairingId}"]`;
    await companion.page.waitForSelector(card);
    expect(await troubles()).toEqual([]);
    await companion.page.click(`${card} ${action('approve')}`);
    await gone(companion.page, card);
  });

  it('on the menu, the Access page and the Answers page', async () => {
    const client = await pairClient(companion);
    const { page } = companion;
    const requestId = await showCard(client, 'interaction.choose');
    await clickCard(page, requestId, 'button[data-option-id]');
    await client.ended(requestId);
    await openMenu(page);
    expect(await troubles()).toEqual([]);
    await closeMenu(page);
    await openPage(page, 'access');
    await page.waitForSelector(`[data-client-id="${client.clientId}"]`);
    expect(await troubles()).toEqual([]);
    await closePage(page);
    await openPage(page, 'answers');
    await page.waitForSelector(`[data-answer-id="${requestId}"]`);
    expect(await troubles()).toEqual([]);
    await closePage(page);
  });

  it('on what is left while the figure is hidden, paused or not to disturb', async () => {
    const { page } = companion;
    await pressMenu(page, 'dnd');
    await pressMenu(page, 'pause-access');
    await described(companion, 'paused', ({ accepting }) => accepting.reason === 'paused');
    expect(await troubles()).toEqual([]);
    await pressMenu(page, 'resume-access');
    await pressMenu(page, 'dnd');
    await pressMenu(page, 'hide');
    await page.waitForSelector(action('show'));
    expect(await troubles()).toEqual([]);
    await page.click(action('show'));
    await described(companion, 'shown again', ({ accepting }) => accepting.ok);
  });
});

/** Presses Tab until the focus is on something that matches. */
async function tabTo(selector: string): Promise<void> {
  const { page } = companion;
  for (let left = 80; left > 0; left -= 1) {
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${selector}`);
}

describe('by keyboard alone', () => {
  it('Tab comes to an option and Enter answers with it', async () => {
    const client = await pairClient(companion);
    const requestId = await showCard(client, 'interaction.choose');
    await tabTo(onCard(requestId, option('a')));
    await companion.page.keyboard.press('Enter');
    expect(await client.ended(requestId)).toMatchObject({ status: 'completed', result: { selectedId: 'a' } });
  });

  it('arrows walk the options and the space bar answers', async () => {
    const client = await pairClient(companion);
    const requestId = await showCard(client, 'interaction.choose');
    await tabTo(onCard(requestId, option('a')));
    await companion.page.keyboard.press('ArrowDown');
    await companion.page.keyboard.press('Space');
    expect((await client.ended(requestId)).result).toEqual({ selectedId: 'b' });
  });

  it('Enter on the card itself takes nothing, not even what is suggested; a number does', async () => {
    const client = await pairClient(companion);
    const requestId = await showCard(client, 'interaction.choose');
    await companion.page.focus(onCard(requestId));
    await companion.page.keyboard.press('Enter');
    await companion.page.keyboard.press('1');
    expect((await client.ended(requestId)).result).toEqual({ selectedId: 'a' });
  });

  it('a text is typed and sent with Enter', async () => {
    const client = await pairClient(companion);
    const { requestId } = await client.create('interaction.ask', { title: 'Name?' });
    await standsAlone(client, requestId);
    await tabTo(onCard(requestId, '[data-role="answer"]'));
    await companion.page.keyboard.type('Ada 1');
    await companion.page.keyboard.press('Enter');
    expect((await client.ended(requestId)).result).toEqual({ text: 'Ada 1' });
  });

  it.each(CARDS)('Escape closes the card of %s', async (capability) => {
    const client = await pairClient(companion);
    const requestId = await showCard(client, capability);
    await tabTo(onCard(requestId, action('dismiss')));
    await companion.page.keyboard.press('Escape');
    const ended = await client.ended(requestId);
    const status = capability === 'notice.show' ? 'completed' : 'cancelled';
    expect(ended).toMatchObject({ status, reason: 'user_dismissed', result: null });
  });

  it('several picks and a form can be filled in', async () => {
    const client = await pairClient(companion);
    const { keyboard } = companion.page;
    const { requestId } = await client.create(
      'vendor.internal.companion.choices',
      findCapability('vendor.internal.companion.choices')!.examples.valid[0]!,
    );
    await standsAlone(client, requestId);
    await tabTo(onCard(requestId, option('lint')));
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await keyboard.press('Space');
    await tabTo(onCard(requestId, action('submit')));
    await keyboard.press('Enter');
    expect((await client.ended(requestId)).result).toEqual({ selectedIds: ['lint', 'test'] });
    const form = await showCard(client, 'vendor.internal.companion.form');
    await tabTo(onCard(form, '[data-field-id="version"]'));
    await keyboard.type('1.2');
    await tabTo(onCard(form, '[data-field-id="sign"]'));
    await keyboard.press('Space');
    await tabTo(onCard(form, option('s')));
    await keyboard.press('ArrowDown');
    await keyboard.press('Space');
    await tabTo(onCard(form, action('submit')));
    await keyboard.press('Enter');
    expect((await client.ended(form)).result).toEqual({ values: { version: '1.2', sign: true, channel: 'b' } });
  });

  it('the menu opens, is walked, and gives the focus back', async () => {
    const { page } = companion;
    await tabTo(`.figure${action('menu')}`);
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-role="menu"]');
    const focused = () => page.evaluate('document.activeElement?.dataset.action') as Promise<string>;
    const first = await focused();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).not.toBe(first);
    await page.keyboard.press('Home');
    expect(await focused()).toBe(first);
    await page.keyboard.press('Escape');
    await gone(page, '[data-role="menu"]');
    expect(await focused()).toBe('menu');
  });

  it('a program is let in', async () => {
    const { page } = companion;
    const pairing = await requestPairing(companion, { name: uniqueName('keys'), scopes: ['notify'] });
    const card = `[data-pairing-id="${pairing.pairingId}"]`;
    await page.waitForSelector(card);
    await tabTo(`${card} ${action('approve')}`);
    // A key counts only once the card is painted and stands; until then it means nothing.
    await until('the card is gone', async () => {
      await page.keyboard.press('Enter');
      return (await page.$(card)) === null;
    });
    const client = await takeKey(companion, pairing);
    expect(client.scopes).toEqual(['notify']);
    await client.call('auth.revokeSelf');
  });
});

it('every card says its name, its source and how it is closed to those who do not see it', async () => {
  const client = await pairClient(companion);
  for (const capability of CARDS) {
    const requestId = await showCard(client, capability);
    const said = await companion.page.accessibility.snapshot({ interestingOnly: false });
    const text = JSON.stringify(said);
    expect(text).toContain(client.name);
    expect(
      await companion.page.$eval(onCard(requestId, action('dismiss')), (button) => button.getAttribute('aria-label')),
    ).toMatch(/./);
    const role = await companion.page.$eval(onCard(requestId), (card) => card.getAttribute('role'));
    expect(role).toBe(QUESTIONS.includes(capability) ? 'dialog' : 'group');
    await client.call('requests.cancel', { requestId });
  }
});
