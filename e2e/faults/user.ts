/** What the user does on the page, for tests that need somebody to be there. */
import type { Page } from 'puppeteer-core';
import { until } from '../harness.ts';
import { type Caller, createCaller } from './caller.ts';

export const ALL_SCOPES = ['discover', 'animate', 'notify', 'interact'] as const;

/** Selector of a request's card. */
export const cardOf = (requestId: string): string => `[data-request-id="${requestId}"]`;
export const optionOf = (requestId: string, option: string): string =>
  `${cardOf(requestId)} [data-option-id="${option}"]`;

/** Waits for a button and presses it with the mouse until the press counts: then it is switched off, or gone. */
export async function press(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector, { visible: true });
  await until(`${selector} is pressed`, async () => {
    // It may go away under the mouse.
    await page.click(selector).catch(() => {});
    return page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.disabled !== false`);
  });
}

/** Lets programs in. */
export const enableAccess = (page: Page): Promise<void> => press(page, '[data-action="enable-access"]');

/** Pairs a new program under `name` and returns it with its key. */
export async function pair(
  page: Page,
  socketPath: string,
  name: string,
  scopes: readonly string[] = ALL_SCOPES,
): Promise<Caller> {
  const stranger = createCaller(socketPath, null);
  try {
    const asked = await stranger.call<{ pairingId: string; pairingSecret: string }>('pairing.request', {
      name,
      scopes,
    });
    await press(page, `[data-pairing-id="${asked.pairingId}"] [data-action="approve"]`);
    const { pairingId, pairingSecret } = asked;
    const { key } = await stranger.call<{ key: string }>('pairing.wait', { pairingId, pairingSecret, waitMs: 60_000 });
    return createCaller(socketPath, key);
  } finally {
    stranger.close();
  }
}
