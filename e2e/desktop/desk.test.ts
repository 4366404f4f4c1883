import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { type Desk, missingFor, openDesk } from './desk.ts';
import { watchFocus } from './focus-log.ts';
import { type OtherWindow, openOther } from './other-window.ts';
import { screenDiff } from './picture.ts';
import { strayPixels, watchPixels } from './pixel-watch.ts';

const missing = missingFor();
if (missing !== null) console.warn(`desk tests are skipped; ${missing}`);

describe.skipIf(missing !== null)('a desktop for tests', () => {
  let desk: Desk;
  let others: OtherWindow[] = [];
  const open = async (...options: Parameters<typeof openOther> extends [Desk, ...infer Rest] ? Rest : never) => {
    const other = await openOther(desk, ...options);
    others.push(other);
    return other;
  };
  const isBare = async (): Promise<boolean> => screenDiff(await desk.screenshot()).count === 0;
  beforeAll(async () => {
    desk = await openDesk();
  });
  afterAll(() => desk.close());
  afterEach(async () => {
    for (const other of others) await other.close();
    others = [];
    await until('the bare wallpaper', isBare);
  });

  it('shows nothing but the wallpaper, with a compositing manager and without', async () => {
    await until('the wallpaper', isBare);
    await desk.startCompositor();
    await until('the wallpaper again', isBare);
    const other = await open();
    await until('the window, composited', async () => !(await isBare()));
    await desk.stopCompositor();
    await until('the window, not composited', async () => !(await isBare()));
    await other.close();
  });

  it('tells where a window lies and what colour it has', async () => {
    const other = await open({ place: { x: 200, y: 150, width: 300, height: 200 }, colour: 0x123456 });
    const place = await other.place();
    expect(place).toMatchObject({ width: 300, height: 200 });
    await until('the whole window in its colour', async () => {
      const { pixels } = await desk.screenshot(place);
      return pixels.every((pixel) => pixel === 0x123456);
    });
    const { bounds } = screenDiff(await desk.screenshot());
    // The window manager's frame is around it.
    expect(bounds!.x).toBeLessThanOrEqual(place.x);
    expect(bounds!.y).toBeLessThan(place.y);
  });

  it('counts clicks and keys of the window they reach', async () => {
    const other = await open();
    const { x, y } = await other.place();
    await desk.xdotool('mousemove', x + 50, y + 60, 'click', 1, 'key', 'a');
    await until('click and key', () => other.clicks.length === 1 && other.keys.length === 1);
    expect(other.clicks).toEqual([{ x: 50, y: 60 }]);
    await desk.xdotool('mousemove', 5, 790, 'click', 1, 'mousemove', x + 1, y + 1, 'click', 1);
    await until('the second click', () => other.clicks.length === 2);
    expect(other.clicks[1]).toEqual({ x: 1, y: 1 });
  });

  it('sees the keyboard go from one window to another and back', async () => {
    const first = await open({ title: 'first' });
    const watch = await watchFocus(desk);
    const second = await open({ title: 'second', place: { x: 600, y: 100, width: 200, height: 200 } });
    await until('some samples', async () => {
      await first.focus();
      return first.focusChanges.length >= 3;
    });
    const { changes, samples } = await watch.stop();
    const focused = changes.map(({ focus }) => focus);
    expect(focused[0]).toBe(first.window);
    expect(focused.at(-1)).toBe(first.window);
    expect(samples).toBeGreaterThan(1);
    expect(second.focusChanges.map(({ has }) => has)).toEqual([true, false]);
    expect(first.focusChanges.map(({ has }) => has)).toEqual([true, false, true]);
  });

  it('has full-screen and maximised windows, and virtual desktops', async () => {
    const other = await open();
    await other.maximise();
    await until('the maximised window', async () => (await other.place()).width >= 1270);
    await other.setFullScreen(true);
    await until('the full-screen window', async () => {
      const { pixels } = await desk.screenshot();
      return pixels.every((pixel) => pixel === 0xffffff);
    });
    await other.setFullScreen(false);
    await until('the screen is free again', async () => (await other.place()).y > 0);
    await other.moveToDesktop(1);
    await until('the bare wallpaper', isBare);
  });

  it('remembers every pixel that was ever seen', async () => {
    const watch = await watchPixels(desk);
    const other = await open({ place: { x: 300, y: 300, width: 50, height: 50 }, colour: 0xff00ff });
    const allowed = screenDiff(
      await until('the window', async () => {
        const picture = await desk.screenshot();
        return screenDiff(picture).count > 0 && picture;
      }),
    );
    await other.close();
    await until('the bare wallpaper', isBare);
    const seen = await watch.stop();
    expect(seen.samples).toBeGreaterThan(1);
    const stray = strayPixels(seen, new Uint8Array(allowed.mask.length));
    expect(stray.some(({ rgb }) => rgb === 'ff00ff')).toBe(true);
  });
});

const missingDummy = missingFor({ server: 'dummy', compositor: false });
if (missingDummy !== null) console.warn(`tests with two monitors are skipped; ${missingDummy}`);

describe.skipIf(missingDummy !== null)('a desktop with monitors that come and go', () => {
  it('grows by one and shrinks again', async () => {
    const desk = await openDesk({ server: 'dummy' });
    const size = async () => (await desk.x.place(desk.x.root)).width;
    try {
      expect(await size()).toBe(1280);
      await desk.setSecondMonitor('1024x768');
      await until('the second monitor', async () => (await size()) === 2304);
      await desk.setSecondMonitor(null);
      await until('one monitor', async () => (await size()) === 1280);
      await desk.setSecondMonitor('1024x768');
      await until('the second monitor again', async () => (await size()) === 2304);
    } finally {
      await desk.close();
    }
  });
});
