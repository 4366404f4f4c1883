/** The product on a desktop of a test's own, and where its parts are on the screen. */
import type { Page } from 'puppeteer-core';
import type { Caller } from '../faults/caller.ts';
import { enableAccess, pair } from '../faults/user.ts';
import { type LaunchedCompanion, type LaunchOptions, launchCompanion, until } from '../harness.ts';
import type { Desk } from './desk.ts';
import type { Area, XClient } from './x-client.ts';

export const FIGURE = '[data-character]';

/** Starts it on that desktop. */
export const launchOn = ({ env }: Pick<Desk, 'env'>, options: LaunchOptions = {}): Promise<LaunchedCompanion> =>
  launchCompanion({ ...options, headless: false, env: { ...env, ...options.env } });

/** What the user may choose in the overlay, chosen. */
export const choose = (page: Page, patch: object): Promise<unknown> =>
  page.evaluate(`__companionSend(${JSON.stringify(JSON.stringify({ type: 'settings', patch }))})`);

/** Lets programs in and pairs one. */
export async function letIn({ page, socketPath }: LaunchedCompanion, name = 'tester'): Promise<Caller> {
  await enableAccess(page);
  return pair(page, socketPath, name);
}

/** Chromium's window within ours, by its class; null while there is none. */
export async function findPageWindow(x: XClient, window = x.root): Promise<number | null> {
  const named = await x.text(window, 'WM_CLASS').catch(() => null);
  if (named?.split('\0').some((name) => /^companion-[0-9a-f]+$/.test(name))) return window;
  const { children } = await x
    .ask<{ children: number[] }>((X, done) => X.QueryTree(window, done))
    .catch(() => ({ children: [] }));
  for (const child of children.reverse()) {
    const found = await findPageWindow(x, child);
    if (found !== null) return found;
  }
  return null;
}

/** Where an element of the page lies on the screen, px. Throws when there is no such element. */
export async function placeOf(x: XClient, page: Page, selector: string): Promise<Area> {
  const window = await until('the window of the page', () => findPageWindow(x));
  const corner = await x.place(window);
  const box = (await page.evaluate(`(() => {
    const { x, y, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
    return [x, y, width, height].map((length) => length * devicePixelRatio);
  })()`)) as [number, number, number, number];
  const [left, top, width, height] = box;
  return { x: corner.x + left, y: corner.y + top, width, height };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const middleOf = ({ x, y, width, height }: Area): Point => ({
  x: Math.round(x + width / 2),
  y: Math.round(y + height / 2),
});

/** A place that has not moved for a while. */
export async function settledPlaceOf(x: XClient, page: Page, selector: string): Promise<Area> {
  let last = '';
  let same = 0;
  return until(`${selector} stands still`, async () => {
    const place = await placeOf(x, page, selector).catch(() => null);
    const now = JSON.stringify(place);
    same = place !== null && now === last ? same + 1 : 0;
    last = now;
    return same >= 5 && place;
  });
}
