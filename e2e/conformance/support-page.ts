/** The user's hands in a test: presses on cards, menu and pages, each made when what it means is on screen. */
import type { Page } from 'puppeteer-core';
import { until } from '../harness.ts';

/** Resolves when what is in the DOM now has been painted. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done)))))',
  );

/** Waits for `selector`, presses it with the mouse, and takes the pointer away again. */
export async function click(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector, { visible: true });
  await painted(page);
  await page.click(selector);
  await page.mouse.move(0, 0);
}

/** Selector of a card that has been on screen, or of something in it. */
export const onCard = (requestId: string, inside = ''): string =>
  `[data-request-id="${requestId}"]:not([data-status="queued"]) ${inside}`.trim();

/** Presses something on a shown card. */
export const clickCard = (page: Page, requestId: string, inside: string): Promise<void> =>
  click(page, onCard(requestId, inside));

/** Selector of an option. */
export const option = (optionId: string): string => `[data-option-id="${optionId}"]`;
/** Selector of an action. */
export const action = (name: string): string => `[data-action="${name}"]`;

/** Types into a field of a shown card. */
export async function typeInto(page: Page, requestId: string, inside: string, text: string): Promise<void> {
  const field = onCard(requestId, inside);
  await page.waitForSelector(field, { visible: true });
  await painted(page);
  await page.type(field, text);
}

/** Types into a shown card's answer field and sends it. */
export async function answerText(page: Page, requestId: string, text: string): Promise<void> {
  await typeInto(page, requestId, '[data-role="answer"]', text);
  await clickCard(page, requestId, action('submit'));
}

/** Waits until nothing matches `selector`. */
export const gone = (page: Page, selector: string): Promise<unknown> =>
  until(`${selector} has gone`, async () => (await page.$(selector)) === null);

/** Text of the first match. */
export const textOf = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (element) => element.textContent ?? '');

const MENU = '[data-role="menu"]';

/** Opens the menu by pressing the figure, unless it is open. */
export async function openMenu(page: Page): Promise<void> {
  if ((await page.$(MENU)) === null) await click(page, `.figure${action('menu')}`);
  await page.waitForSelector(MENU, { visible: true });
}

export async function closeMenu(page: Page): Promise<void> {
  if ((await page.$(MENU)) === null) return;
  await page.focus(`${MENU} button`);
  await page.keyboard.press('Escape');
  await gone(page, MENU);
}

/** Presses one row of the menu, and closes it. */
export async function pressMenu(page: Page, name: string): Promise<void> {
  await openMenu(page);
  await click(page, `${MENU} ${action(name)}`);
  await closeMenu(page);
}

/** Opens the Access or the Answers page. */
export async function openPage(page: Page, name: 'access' | 'answers'): Promise<void> {
  await pressMenu(page, name);
  await page.waitForSelector(`[data-panel="${name}"]`, { visible: true });
}

export async function closePage(page: Page): Promise<void> {
  if ((await page.$('[data-panel]')) === null) return;
  await click(page, `[data-panel] ${action('close')}`);
  await gone(page, '[data-panel]');
}

/** Presses a button that asks once more, and then says yes. */
export async function confirm(page: Page, selector: string): Promise<void> {
  await click(page, `${selector}[data-confirm="false"]`);
  await click(page, `${selector}[data-confirm="true"]`);
}
