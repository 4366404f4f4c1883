import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WINDOW_BINDING } from '../../server/protocol/window.ts';
import { type LaunchedCompanion, until } from '../harness.ts';
import { choose, FIGURE, isInside, launchOn, middleOf, settledPlaceOf } from './companion.ts';
import { type Desk, missingFor, openDesk, settledPicture } from './desk.ts';
import { screenDiff } from './picture.ts';
import { keepPicture } from './picture-file.ts';
import type { Area } from './x-client.ts';

const missing = missingFor({ server: 'dummy', compositor: false });
if (missing !== null) console.warn(`monitors that come and go are not tested; ${missing}`);

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

  it('is moved there, comes back when it goes, and is there again when it returns', async () => {
    const before = await standsOn(FIRST);
    await desk.setSecondMonitor('1024x768');
    expect(distance(await standsOn(FIRST), before)).toBeLessThanOrEqual(4);
    await companion.page.evaluate(`${WINDOW_BINDING}('{"type":"moveTo","monitor":"DUMMY1"}')`);
    const there = await standsOn(SECOND);
    const picture = await settledPicture(desk);
    keepPicture('second-monitor', picture);
    const { x, y } = middleOf(there);
    expect(screenDiff(picture, desk.wallpaper).mask[y * picture.width + x]).toBe(1);
    await desk.setSecondMonitor(null);
    await standsOn(FIRST);
    keepPicture('second-monitor-gone', await settledPicture(desk));
    await desk.setSecondMonitor('1024x768');
    const again = await standsOn(SECOND);
    expect(distance(again, there)).toBeLessThanOrEqual(4);
  });
});
