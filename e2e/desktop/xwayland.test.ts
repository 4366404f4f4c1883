import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LaunchedCompanion, until } from '../harness.ts';
import { choose, FIGURE, launchOn, settledPlaceOf } from './companion.ts';
import { screenDiff } from './picture.ts';
import { keepPicture } from './picture-file.ts';
import { missingForWayland, openWayland, type WaylandDesk } from './wayland.ts';

const missing = missingForWayland();
if (missing !== null) console.warn(`nothing is tested under XWayland; ${missing}`);

describe.skipIf(missing !== null)('the see-through window under XWayland', () => {
  let desk: WaylandDesk;
  let companion: LaunchedCompanion;
  beforeAll(async () => {
    desk = await openWayland();
    companion = await launchOn(desk);
    await choose(companion.page, { access: true, reduceMotion: true });
  });
  afterAll(async () => {
    await companion?.stop();
    await desk?.close();
  });

  it('shows the figure alone, the wallpaper around it', async () => {
    const { width, height } = await settledPlaceOf(desk.x, companion.page, FIGURE);
    const found = await until('the figure alone', async () => {
      const picture = await desk.screenshot();
      const { count, bounds } = screenDiff(picture, desk.wallpaper);
      const isAlone = count > 3_000 && bounds!.width <= width + 2 && bounds!.height <= height + 2;
      return isAlone && { picture, count };
    });
    keepPicture('xwayland', found.picture);
    expect(found.count).toBeLessThan(width * height * 0.8);
  });

  it('says what it stands on, and that it is see-through', async () => {
    await until('the facts', () => companion.host.overlay().transparent);
    expect(companion.host.overlay()).toMatchObject({ state: 'up', backend: 'xwayland', transparent: true });
  });
});
