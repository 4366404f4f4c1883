/** The product on a desktop of a test's own, and where its parts are on the screen. */
import type { Page } from 'puppeteer-core';
import type { Caller } from '../faults/caller.ts';
import { enableAccess, pair } from '../faults/user.ts';
import { type LaunchedCompanion, type LaunchOptions, launchCompanion, until } from '../harness.ts';
import type { Desk } from './desk.ts';
import type { Area, XClient } from './x-client.ts';

export const FIGURE = '[data-character]';

/** Starts it on that desktop, and waits until it stands on the screen: before that its window lies where it is a guess. */
export async function launchOn({ env }: Pick<Desk, 'env'>, options: LaunchOptions = {}): Promise<LaunchedCompanion> {
  const launched = await launchCompanion({ ...options, headless: false, env: { ...env, ...options.env } });
  try {
    await until('the figure on the screen', () => launched.host.overlay().positioned);
    return launched;
  } catch (error) {
    await launched.stop();
    throw error;
  }
}

/** What the user may choose in the overlay, chosen. */
export const choose = (page: Page, patch: object): Promise<unknown> =>
  page.evaluate(`__companionSend(${JSON.stringify(JSON.stringify({ type: 'settings', patch }))})`);

/** Lets programs in and pairs one. */
export async function letIn({ page, socketPath }: LaunchedCompanion, name = 'tester'): Promise<Caller> {
  await enableAccess(page);
  return pair(page, socketPath, name);
}

const OUR_CLASS = 'companion\0companion\0';

/** Our window, by its class, as low in the tree as it may be; null while there is none. */
export async function findWindow(x: XClient, at = x.root): Promise<number | null> {
  if ((await x.text(at, 'WM_CLASS').catch(() => null)) === OUR_CLASS) return at;
  for (const child of await childrenOf(x, at)) {
    const found = await findWindow(x, child);
    if (found !== null) return found;
  }
  return null;
}

/** A window may be gone by the time somebody asks. */
const childrenOf = async (x: XClient, window: number): Promise<readonly number[]> =>
  (await x.ask<{ children: readonly number[] }>((X, done) => X.QueryTree(window, done)).catch(() => ({ children: [] })))
    .children;

/** Chromium's window within ours. */
export const findPageWindow = (x: XClient): Promise<number> =>
  until('the window of the page', async () => {
    const window = await findWindow(x);
    return window !== null && (await childrenOf(x, window))[0];
  });

/** x, y, width, height from the page's corner, device pixels. */
type Box = readonly [number, number, number, number];

async function toScreen(x: XClient, boxes: readonly Box[]): Promise<Area[]> {
  const corner = await x.place(await findPageWindow(x));
  return boxes.map(([left, top, width, height]) => ({ x: corner.x + left, y: corner.y + top, width, height }));
}

/** Where the elements of the page that match lie on the screen, px. */
async function placesOf(x: XClient, page: Page, selector: string): Promise<Area[]> {
  const boxes = (await page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x, y, width, height].map((length) => length * devicePixelRatio);
  })`)) as Box[];
  return toScreen(x, boxes);
}

/** Where the element lies on the screen, px. Throws when there is no such element. */
export async function placeOf(x: XClient, page: Page, selector: string): Promise<Area> {
  const [place] = await placesOf(x, page, selector);
  if (place === undefined) throw new Error(`no ${selector}`);
  return place;
}

const PARTS = '.card, .panel, .menu, .badge, .mark, .figure';

/** Remembers from now on where anything lay that may be seen of the page; `stop` gives the places on the screen. */
export async function watchParts(x: XClient, page: Page): Promise<{ stop(): Promise<Area[]> }> {
  await page.evaluate(`(() => {
    const boxes = new Set();
    const look = () => {
      for (const part of document.querySelectorAll('${PARTS}')) {
        const { x, y, width, height } = part.getBoundingClientRect();
        boxes.add(JSON.stringify([x, y, width, height].map((length) => length * devicePixelRatio)));
      }
    };
    const timer = setInterval(look, 5);
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
    look();
    globalThis.stopLooking = () => { clearInterval(timer); return [...boxes].map((box) => JSON.parse(box)); };
  })()`);
  return {
    stop: async () => toScreen(x, (await page.evaluate('stopLooking()')) as Box[]),
  };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const middleOf = ({ x, y, width, height }: Area): Point => ({
  x: Math.round(x + width / 2),
  y: Math.round(y + height / 2),
});

/** Reports whether a point lies in an area grown by `margin` px on each side. */
export const isInside = ({ x, y }: Point, area: Area, margin = 0): boolean =>
  x >= area.x - margin && y >= area.y - margin && x < area.x + area.width + margin && y < area.y + area.height + margin;

/** Presses an element with the pointer of the desktop, once it stands still. */
export async function click(desk: Pick<Desk, 'x' | 'xdotool'>, page: Page, selector: string): Promise<Point> {
  const at = middleOf(await settledPlaceOf(desk.x, page, selector));
  await desk.xdotool('mousemove', at.x, at.y, 'click', 1);
  return at;
}

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
