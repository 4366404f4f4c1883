import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, reach } from '../faults/questions.ts';
import { cardOf, pair } from '../faults/user.ts';
import { type LaunchedCompanion, until } from '../harness.ts';
import { choose, FIGURE, isInside, launchOn, letIn, middleOf, settledPlaceOf } from './companion.ts';
import { type Desk, missingFor, openDesk, settledPicture } from './desk.ts';
import { watchFocus } from './focus-log.ts';
import { openOther } from './other-window.ts';
import { screenDiff } from './picture.ts';
import { keepPicture, keepSeen } from './picture-file.ts';
import { strayPixels, watchPixels } from './pixel-watch.ts';
import type { Area } from './x-client.ts';

const missing = missingFor();
if (missing !== null) console.warn(`the figure's presence is not tested; ${missing}`);

/** From launch on, and over full screen and restart: each test starts the product itself, on a state in which nothing moves. */
describe.skipIf(missing !== null).each([
  { compositor: false, name: 'openbox' },
  { compositor: true, name: 'openbox and picom' },
])('the figure with $name', ({ compositor, name }) => {
  let desk: Desk;
  let home: string;
  let companion: LaunchedCompanion | null = null;
  const launch = async (): Promise<LaunchedCompanion> => {
    companion = await launchOn(desk, { home });
    return companion;
  };
  const stop = async (): Promise<void> => {
    await companion?.stop({ keep: true });
    companion = null;
  };
  const standing = (): Promise<Area> => settledPlaceOf(desk.x, companion!.page, FIGURE);
  beforeAll(async () => {
    desk = await openDesk({ compositor });
    const first = await launchOn(desk);
    home = first.home;
    (await letIn(first)).close();
    await choose(first.page, { reduceMotion: true });
    await first.stop({ keep: true });
  });
  afterEach(stop);
  afterAll(async () => {
    rmSync(home, { recursive: true, force: true });
    await desk?.close();
  });

  it('shows no foreign pixel and takes no keyboard, from the launch of Chromium on', async () => {
    // Paused, it greets nobody: it stands in one pose from the first frame on.
    await choose((await launch()).page, { paused: true });
    await companion!.page.waitForSelector('[data-mark="paused"]');
    await stop();
    const other = await openOther(desk, { place: { x: 40, y: 40, width: 200, height: 150 }, colour: 0x445566 });
    const before = screenDiff(await settledPicture(desk), desk.wallpaper).mask;
    const pixels = await watchPixels(desk);
    const focus = await watchFocus(desk);
    try {
      const { page } = await launch();
      await standing();
      const after = screenDiff(await settledPicture(desk), desk.wallpaper);
      const seen = await pixels.stop();
      await choose(page, { paused: false });
      await page.waitForSelector('[data-mark="paused"]', { hidden: true });
      const { changes } = await focus.stop();
      keepSeen(`since-launch-${name}`, seen);
      expect(after.count).toBeGreaterThan(before.reduce((sum, pixel) => sum + pixel, 0) + 3_000);
      expect(strayPixels(seen, after.mask).slice(0, 5)).toEqual([]);
      expect(seen.samples).toBeGreaterThan(50);
      expect(changes.map((change) => change.focus)).toEqual([other.window]);
      expect(other.focusChanges.filter(({ has }) => !has)).toEqual([]);
    } finally {
      await other.close();
      await stop();
    }
  });

  it('stands again where it was put, after a restart', async () => {
    await launch();
    const from = middleOf(await standing());
    const drag = ['mousemove', from.x, from.y, 'mousedown', 1];
    for (let step = 1; step <= 20; step += 1)
      drag.push('sleep', 0.02, 'mousemove', from.x - 20 * step, from.y - 15 * step);
    await desk.xdotool(...drag, 'sleep', 0.1, 'mouseup', 1);
    const moved = await until('the figure at its new place', async () => {
      const place = await standing();
      const { x, y } = middleOf(place);
      // Where it is dropped, the page is laid out anew; only then page and window say the same.
      return Math.abs(x - (from.x - 400)) < 20 && Math.abs(y - (from.y - 300)) < 20 && place;
    });
    await stop();
    await launch();
    const again = await standing();
    expect(Math.abs(again.x - moved.x)).toBeLessThanOrEqual(2);
    expect(Math.abs(again.y - moved.y)).toBeLessThanOrEqual(2);
    const picture = await settledPicture(desk);
    keepPicture(`after-a-restart-${name}`, picture);
    const { bounds } = screenDiff(picture, desk.wallpaper);
    expect(isInside(bounds!, again, 2)).toBe(true);
    await stop();
  });

  it.each(['stay', 'notices-only'] as const)(
    'is seen over a full-screen program when it is to %s',
    async (fullScreen) => {
      const { page, socketPath } = await launch();
      await choose(page, { fullScreen });
      const caller = await pair(page, socketPath, `over ${fullScreen}`);
      const other = await openOther(desk, { colour: 0x102030 });
      try {
        await other.setFullScreen(true);
        const { requestId } = await caller.call('requests.create', {
          capability: 'notice.show',
          params: { text: 'over everything', durationMs: 60_000 },
        });
        const isSeen = async (): Promise<boolean> => {
          const { x, y } = middleOf(await settledPlaceOf(desk.x, page, cardOf(requestId)));
          const { pixels } = await desk.screenshot({ x: x - 60, y: y - 15, width: 120, height: 30 });
          return !pixels.includes(0x102030);
        };
        await until('the notice over the full-screen program', isSeen);
        await other.focus();
        // The manager puts the window that gets the keyboard over all others.
        await desk.xdotool('mousemove', 100, 100, 'click', 1);
        await until('the notice over it still', isSeen);
        expect(await other.hasFocus()).toBe(true);
      } finally {
        await other.close();
        caller.close();
        await choose(page, { fullScreen: 'hide' });
      }
    },
  );

  it('is out of sight behind a full-screen program, and comes back with what was kept for it', async () => {
    const { page } = await launch();
    const caller = await pair(page, companion!.socketPath, 'second');
    const other = await openOther(desk, { colour: 0x335577 });
    try {
      await standing();
      await other.setFullScreen(true);
      await until('nothing but the full-screen program', async () =>
        (await desk.screenshot()).pixels.every((pixel) => pixel === 0x335577),
      );
      const { requestId } = await ask(caller, 'Kept for later?');
      await reach(caller, requestId, 'queued');
      expect((await desk.screenshot()).pixels.every((pixel) => pixel === 0x335577)).toBe(true);
      await other.setFullScreen(false);
      await page.waitForSelector(cardOf(requestId));
      await reach(caller, requestId, 'awaiting_user');
      const card = await settledPlaceOf(desk.x, page, cardOf(requestId));
      const picture = await settledPicture(desk);
      keepPicture(`after-full-screen-${name}`, picture);
      const { mask } = screenDiff(picture, desk.wallpaper);
      const { x, y } = middleOf(card);
      expect(mask[y * 1280 + x]).toBe(1);
      await caller.call('requests.cancel', { requestId });
    } finally {
      caller.close();
      await other.close();
      await stop();
    }
  });

  it('opens what pops up at the right place after a move', async () => {
    const { page } = await launch();
    const caller = await pair(page, companion!.socketPath, 'third');
    try {
      const from = middleOf(await standing());
      const drag = ['mousemove', from.x, from.y, 'mousedown', 1];
      for (let step = 1; step <= 10; step += 1)
        drag.push('sleep', 0.02, 'mousemove', from.x + 10 * step, from.y - 5 * step);
      await desk.xdotool(...drag, 'sleep', 0.1, 'mouseup', 1);
      const { requestId } = await ask(caller, 'Pick');
      await reach(caller, requestId, 'awaiting_user');
      await page.evaluate(`(() => {
        const select = document.createElement('select');
        select.id = 'popping';
        for (const word of ['one', 'two', 'three']) select.append(new Option(word));
        document.querySelector('${cardOf(requestId)}').append(select);
      })()`);
      const select = await settledPlaceOf(desk.x, page, '#popping');
      const { children: before } = await desk.x.ask<{ children: readonly number[] }>((X, done) =>
        X.QueryTree(desk.x.root, done),
      );
      const { x, y } = middleOf(select);
      await desk.xdotool('mousemove', x, y, 'click', 1);
      const popup = await until('the list', async () => {
        const { children } = await desk.x.ask<{ children: readonly number[] }>((X, done) =>
          X.QueryTree(desk.x.root, done),
        );
        for (const child of children.filter((window) => !before.includes(window))) {
          const { mapState } = await desk.x.ask<{ mapState: number }>((X, done) => X.GetWindowAttributes(child, done));
          const place = await desk.x.place(child);
          if (mapState === 2 && place.width > 20 && place.height > 20) return place;
        }
        return null;
      });
      keepPicture(`popup-${name}`, await desk.screenshot());
      expect(Math.abs(popup.x - select.x)).toBeLessThan(12);
      const isBelow = Math.abs(popup.y - (select.y + select.height)) < 12;
      const isAbove = Math.abs(popup.y + popup.height - select.y) < 12;
      expect(isBelow || isAbove).toBe(true);
      await desk.xdotool('key', 'Escape');
      await caller.call('requests.cancel', { requestId });
    } finally {
      caller.close();
      await stop();
    }
  });
});
