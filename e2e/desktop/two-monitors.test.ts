import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WINDOW_BINDING } from '../../server/protocol/window.ts';
import { type LaunchedCompanion, until } from '../harness.ts';
import { choose, FIGURE, isInside, launchOn, settledPlaceOf } from './companion.ts';
import { type Desk, missingFor, openDesk, settledPicture } from './desk.ts';
import { screenDiff } from './picture.ts';
import { keepPicture } from './picture-file.ts';
import type { Area } from './x-client.ts';

const missing = missingFor({ server: 'dummy', compositor: false });
if (missing !== null) console.warn(`monitors that come and go are not tested; ${missing}`);

const LOOK_LIMIT_MS = 20_000;
const FIRST: Area = { x: 0, y: 0, width: 1280, height: 800 };
const SECOND: Area = { x: 1280, y: 0, width: 1024, height: 768 };

const distance = (one: Area, other: Area): number => Math.hypot(one.x - other.x, one.y - other.y);

describe.skipIf(missing !== null)('the figure and a second monitor', () => {
  let desk: Desk;
  let companion: LaunchedCompanion;
  beforeAll(async () => {
    desk = await openDesk({ server: 'dummy' });
    companion = await launchOn(desk);
    await choose(companion.page, { access: true, reduceMotion: true });
  });
  afterAll(async () => {
    await companion?.stop();
    await desk?.close();
  });

  /** Waits until the figure stands within a monitor, whole, and is seen there. */
  const standsOn = (monitor: Area): Promise<Area> =>
    until('the figure on that monitor', async () => {
      const place = await settledPlaceOf(desk.x, companion.page, FIGURE);
      const end = { x: place.x + place.width - 1, y: place.y + place.height - 1 };
      return isInside(place, monitor) && isInside(end, monitor) && place;
    });

  /** The figure's pixels without the wallpaper around it, from its own corner, rounded; black where there is none. */
  const looksLike = async ({ x: left, y: top, width, height }: Area): Promise<number[]> => {
    const picture = await settledPicture(desk);
    const { mask } = screenDiff(picture, desk.wallpaper);
    return Array.from({ length: width * height }, (_, index) => {
      const at = (Math.round(top) + Math.floor(index / width)) * picture.width + Math.round(left) + (index % width);
      return mask[at] === 1 ? picture.pixels[at]! : 0;
    });
  };

  it('is moved there, comes back when it goes, and is there again when it returns', async () => {
    const before = await standsOn(FIRST);
    await companion.page.waitForSelector('[data-clip="idle"]');
    const look = await looksLike(before);
    expect(look.filter((pixel) => pixel !== 0).length).toBeGreaterThan(3_000);
    await desk.setSecondMonitor('1024x768');
    expect(distance(await standsOn(FIRST), before)).toBeLessThanOrEqual(4);
    await companion.page.evaluate(`${WINDOW_BINDING}('{"type":"moveTo","monitor":"DUMMY1"}')`);
    const there = await standsOn(SECOND);
    const picture = await settledPicture(desk);
    keepPicture('second-monitor', picture);
    await until('the whole figure there', async () => (await looksLike(there)).join() === look.join(), LOOK_LIMIT_MS);
    await desk.setSecondMonitor(null);
    const back = await standsOn(FIRST);
    await until('the whole figure back', async () => (await looksLike(back)).join() === look.join(), LOOK_LIMIT_MS);
    keepPicture('second-monitor-gone', await settledPicture(desk));
    await desk.setSecondMonitor('1024x768');
    const again = await standsOn(SECOND);
    expect(distance(again, there)).toBeLessThanOrEqual(4);
  });
});
