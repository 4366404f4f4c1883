import { describe, expect, it } from 'vitest';
import { type Client, judge, type TopWindow, takenBy } from './covers.ts';

const MONITOR = { x: 1920, y: 0, width: 1280, height: 1024 };
const OTHER = { x: 0, y: 0, width: 1920, height: 1080 };

const ordinary: Client = {
  box: { x: 2000, y: 100, width: 600, height: 400 },
  desktop: 0,
  isHidden: false,
  isFullScreen: false,
  isMaximised: false,
  isOrdinary: true,
  isFurniture: false,
};
const fullScreen: Client = { ...ordinary, box: MONITOR, isFullScreen: true };
const dialogue: Client = { ...ordinary, isOrdinary: false };
const panel: Client = { ...ordinary, box: { ...MONITOR, height: 30 }, isOrdinary: false, isFurniture: true };
const taken = (...stack: readonly Client[]): boolean => takenBy(MONITOR, 0, stack) !== null;

describe('a monitor is taken', () => {
  it.each<[string, readonly Client[]]>([
    ['by a full-screen window', [fullScreen]],
    ['by one over an ordinary window', [ordinary, fullScreen]],
    ['by one with a dialogue above it', [fullScreen, dialogue]],
    ['by one with a panel above it', [fullScreen, panel]],
    ['by one with a hidden window above it', [fullScreen, { ...ordinary, isHidden: true }]],
    ['by one with a window of another desktop above it', [fullScreen, { ...ordinary, desktop: 1 }]],
    [
      'by one with a window of the other monitor above it',
      [fullScreen, { ...ordinary, box: { ...OTHER, width: 1930 } }],
    ],
    ['by one that leaves strips free', [{ ...fullScreen, box: { ...MONITOR, y: 100, height: 824 } }]],
    ['by one on all desktops', [{ ...fullScreen, desktop: null }]],
    ['by one over both monitors', [{ ...fullScreen, box: { x: 0, y: 0, width: 3200, height: 1080 } }]],
    ['by a window as large as it that says nothing', [{ ...fullScreen, isFullScreen: false }]],
  ])('%s', (_what, stack) => {
    expect(taken(...stack)).toBe(true);
  });
});

describe('a monitor is not taken', () => {
  it.each<[string, readonly Client[]]>([
    ['by nothing', []],
    ['by an ordinary window', [ordinary]],
    ['by a full-screen window under an ordinary one', [fullScreen, ordinary]],
    ['by a hidden one', [{ ...fullScreen, isHidden: true }]],
    ['by one of another desktop', [{ ...fullScreen, desktop: 3 }]],
    ['by one of the other monitor', [{ ...fullScreen, box: OTHER }]],
    ['by a maximised window without a frame', [{ ...fullScreen, isFullScreen: false, isMaximised: true }]],
    ['by the background', [{ ...fullScreen, isFullScreen: false, isFurniture: true, isOrdinary: false }]],
    ['by a window one pixel smaller', [{ ...fullScreen, isFullScreen: false, box: { ...MONITOR, height: 1023 } }]],
  ])('%s', (_what, stack) => {
    expect(taken(...stack)).toBe(false);
  });

  it('desktops do not matter where nobody counts them', () => {
    expect(taken({ ...fullScreen, desktop: null })).toBe(true);
    expect(takenBy(MONITOR, null, [{ ...fullScreen, desktop: 3 }])).not.toBeNull();
  });
});

describe('a child of the root', () => {
  const locker: TopWindow = { box: MONITOR, isThere: true, isFrame: false, isFurniture: false, isUnmanaged: true };
  const small = { x: 2000, y: 100, width: 100, height: 40 };
  it.each<[string, Partial<TopWindow>, string]>([
    ['covers when nobody manages it', {}, 'covers'],
    ['covers when there is no window manager', { isUnmanaged: false }, 'covers'],
    ['covers with more than the monitor', { box: { x: 0, y: 0, width: 3200, height: 1080 } }, 'covers'],
    ['is ordinary when it is a frame', { isFrame: true }, 'ordinary'],
    ['is ordinary when it is small and no menu', { box: small, isUnmanaged: false }, 'ordinary'],
    ['says nothing when it is a menu', { box: small }, 'further'],
    ['says nothing when it is not there', { isThere: false }, 'further'],
    ['says nothing when it is the background', { isFurniture: true }, 'further'],
    ['says nothing when it is on the other monitor', { box: OTHER, isFrame: true }, 'further'],
  ])('%s', (_what, facts, verdict) => {
    expect(judge({ ...locker, ...facts }, MONITOR)).toBe(verdict);
  });
});
