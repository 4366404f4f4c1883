/** What comes and goes on a desktop while the figure stands there: compositors, window managers, the display itself. */
import type { ChildProcess } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LaunchedCompanion, until } from '../harness.ts';
import { choose, FIGURE, findWindow, launchOn, letIn, settledPlaceOf } from './companion.ts';
import { type Desk, missingFor, openDesk } from './desk.ts';
import { screenDiff } from './picture.ts';
import { end, gone, start } from './processes.ts';

const missing = missingFor();
if (missing !== null) console.warn(`comings and goings are not tested; ${missing}`);

describe.skipIf(missing !== null)('on a desktop where', () => {
  let desk: Desk;
  let companion: LaunchedCompanion | undefined;
  const programs: ChildProcess[] = [];
  afterEach(async () => {
    await companion?.stop();
    companion = undefined;
    for (const program of programs.splice(0)) await end(program);
    await desk?.close();
  });

  const launch = async (): Promise<LaunchedCompanion> => {
    companion = await launchOn(desk);
    (await letIn(companion)).close();
    await choose(companion.page, { reduceMotion: true });
    await companion.page.waitForSelector('[data-clip="idle"]');
    await seen(companion);
    return companion;
  };
  const seen = ({ host }: LaunchedCompanion) =>
    until('all facts', () => {
      const { transparent, alwaysOnTop, clickThrough, positioned } = host.overlay();
      return transparent && alwaysOnTop && clickThrough && positioned;
    });
  /** The figure's pixels are where it stands, and nothing else differs from the wallpaper. */
  const standsAlone = (launched: LaunchedCompanion) =>
    until('the figure alone', async () => {
      const place = await settledPlaceOf(desk.x, launched.page, FIGURE);
      const { bounds, count } = screenDiff(await desk.screenshot(), desk.wallpaper);
      return (
        bounds !== null &&
        count > 3_000 &&
        bounds.x >= place.x - 1 &&
        bounds.y >= place.y - 1 &&
        bounds.x + bounds.width <= place.x + place.width + 1 &&
        bounds.y + bounds.height <= place.y + place.height + 1
      );
    });
  const openbox = (...args: readonly string[]): void => {
    const env = { ...process.env, ...desk.env, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent' };
    programs.push(start('openbox', ['--sm-disable', ...args], { env, stdio: 'ignore' }));
  };
  const frameOfOurs = async (): Promise<number | null> => {
    const window = await findWindow(desk.x);
    if (window === null) return null;
    const { parent } = await desk.x.ask<{ parent: number }>((X, done) => X.QueryTree(window, done));
    return parent === desk.x.root ? null : parent;
  };

  describe('a compositor comes and goes', () => {
    beforeEach(async () => {
      desk = await openDesk();
    });
    it('the figure stands alone with soft edges, and alone without', async () => {
      const launched = await launch();
      await standsAlone(launched);
      const hard = screenDiff(await desk.screenshot(), desk.wallpaper).count;
      await desk.startCompositor();
      await until('soft edges', async () => screenDiff(await desk.screenshot(), desk.wallpaper).count > hard);
      await standsAlone(launched);
      await seen(launched);
      await desk.stopCompositor();
      await until('hard edges', async () => screenDiff(await desk.screenshot(), desk.wallpaper).count === hard);
      await standsAlone(launched);
      await seen(launched);
    });
  });

  describe('a window manager comes, is replaced, and goes', () => {
    beforeEach(async () => {
      desk = await openDesk({ windowManager: null });
    });
    it('each gets the window, and the figure stands in between', async () => {
      const launched = await launch();
      await standsAlone(launched);
      expect(await frameOfOurs()).toBeNull();
      openbox();
      await until('a frame', frameOfOurs);
      await standsAlone(launched);
      await seen(launched);
      openbox('--replace');
      await gone(programs[0]!);
      await until('a frame of the second', frameOfOurs);
      await standsAlone(launched);
      await seen(launched);
      for (const program of programs.splice(0)) await end(program);
      await until('no frame', async () => (await frameOfOurs()) === null);
      await standsAlone(launched);
    });
  });

  describe('every pixel is two', () => {
    beforeEach(async () => {
      desk = await openDesk({ dpi: 192 });
    });
    it('the figure is twice as large, and as sharp', async () => {
      const launched = await launch();
      expect(await launched.page.evaluate('devicePixelRatio')).toBe(2);
      const place = await settledPlaceOf(desk.x, launched.page, FIGURE);
      expect([place.width, place.height]).toEqual([256, 256]);
      expect([place.x % 1, place.y % 1]).toEqual([0, 0]);
      await standsAlone(launched);
      const backing = await launched.page.evaluate(
        `(({ width, height }) => [width, height])(document.querySelector('${FIGURE}'))`,
      );
      expect(backing).toEqual([256, 256]);
    });
  });
});
