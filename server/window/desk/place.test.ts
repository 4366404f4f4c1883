import { describe, expect, it } from 'vitest';
import type { Monitor } from './geometry.ts';
import {
  type Anchor,
  carryOver,
  clampInto,
  figureAt,
  layoutKey,
  MAX_LAYOUTS,
  moveTo,
  openPlacement,
  type Placement,
  putAt,
  resetPlace,
  standing,
} from './place.ts';

const FIGURE = { width: 192, height: 208 };
const monitor = (name: string, x: number, y: number, width: number, height: number, panel = 0): Monitor => ({
  name,
  box: { x, y, width, height },
  workArea: { x, y, width, height: height - panel },
});

const LAPTOP = monitor('eDP-1', 0, 0, 1920, 1080, 40);
const LEFT = monitor('HDMI-1', -2560, -200, 2560, 1440);
const RIGHT = monitor('DP-1', 1920, 0, 1280, 1024);

const at = (placement: Placement, monitors: readonly Monitor[], figure = FIGURE): Anchor =>
  standing(placement, monitors, figure).anchor;
const put = (anchor: Anchor, monitors: readonly Monitor[]): Placement =>
  putAt(openPlacement([], monitors, FIGURE), anchor, monitors, FIGURE);

describe('the default place', () => {
  it('is at the bottom right of the first monitor, above its panel', () => {
    const monitors = [LAPTOP, LEFT];
    expect(at(openPlacement([], monitors, FIGURE), monitors)).toEqual({ x: 1920 - 24 - 96, y: 1040 });
  });

  it('is where reset puts it, whatever was remembered', () => {
    const monitors = [LAPTOP, LEFT];
    const lost = put({ x: -9000, y: 9000 }, monitors);
    const back = resetPlace(lost, monitors, FIGURE);
    expect(at(back, monitors)).toEqual({ x: 1800, y: 1040 });
    expect(at(openPlacement(back.remembered, monitors, FIGURE), monitors)).toEqual({ x: 1800, y: 1040 });
  });

  it('has no remembered place of its own', () => {
    expect(openPlacement([], [LAPTOP], FIGURE).remembered).toEqual([]);
  });
});

describe('a place among monitors', () => {
  it.each([
    ['inside', { x: 500, y: 600 }, { x: 500, y: 600 }, 'eDP-1'],
    ['over the panel', { x: 500, y: 1080 }, { x: 500, y: 1040 }, 'eDP-1'],
    ['out of the top', { x: 500, y: 20 }, { x: 500, y: 208 }, 'eDP-1'],
    ['on a monitor left of and above the origin', { x: -1000, y: 100 }, { x: -1000, y: 100 }, 'HDMI-1'],
    ['between two monitors, mostly on the left one', { x: -20, y: 600 }, { x: -96, y: 600 }, 'HDMI-1'],
    ['between two monitors, mostly on the right one', { x: 20, y: 600 }, { x: 96, y: 600 }, 'eDP-1'],
    ['far from every monitor', { x: 9000, y: 5000 }, { x: 1824, y: 1040 }, 'eDP-1'],
  ])('%s', (_what, wanted, expected, name) => {
    const monitors = [LAPTOP, LEFT];
    const stands = standing(put(wanted, monitors), monitors, FIGURE);
    expect([stands.anchor, stands.monitor.name]).toEqual([expected, name]);
  });

  it('leaves a figure whole inside, whatever its size and the wanted place', () => {
    for (const figure of [FIGURE, { width: 33, height: 57 }, { width: 576, height: 624 }]) {
      for (const anchor of [-50, 0, 1, 511.5, 1023, 4000].map((each) => ({ x: each, y: each }))) {
        const { x, y, width, height } = figureAt(clampInto(anchor, figure, RIGHT.workArea), figure);
        expect([x >= 1920, y >= 0, x + width <= 3200, y + height <= 1024]).toEqual([true, true, true, true]);
      }
    }
  });

  it('of a figure larger than the work area is on its floor, in its middle', () => {
    const small = { x: 100, y: 50, width: 300, height: 200 };
    expect(clampInto({ x: 0, y: 0 }, { width: 576, height: 624 }, small)).toEqual({ x: 250, y: 250 });
  });

  it('at a side stays there when the panel goes and when the figure shrinks', () => {
    const monitors = [LAPTOP];
    const corner = put({ x: 1824, y: 1040 }, monitors);
    const noPanel = [monitor('eDP-1', 0, 0, 1920, 1080)];
    expect(at(corner, noPanel)).toEqual({ x: 1824, y: 1080 });
    expect(at(corner, monitors, { width: 96, height: 104 })).toEqual({ x: 1872, y: 1040 });
  });

  it('away from the sides does not move when a panel comes or the figure grows and shrinks again', () => {
    const monitors = [LAPTOP];
    const free = put({ x: 400, y: 300 }, monitors);
    expect(at(free, [monitor('eDP-1', 0, 0, 1920, 1080, 200)])).toEqual({ x: 400, y: 300 });
    expect(at(free, monitors, { width: 576, height: 624 })).toEqual({ x: 400, y: 624 });
    expect(at(free, monitors)).toEqual({ x: 400, y: 300 });
  });
});

describe('another layout', () => {
  it('is the same when only the order of the monitors is another', () => {
    expect(layoutKey([LAPTOP, LEFT])).toBe(layoutKey([LEFT, LAPTOP]));
    expect(layoutKey([LAPTOP, LEFT])).not.toBe(layoutKey([LAPTOP, RIGHT]));
  });

  it('monitors going one after another and coming back leave the figure where the user put it', () => {
    const all = [LAPTOP, LEFT, RIGHT];
    const chosen = put({ x: 2500, y: 700 }, all);
    const two = carryOver(chosen, [LAPTOP, LEFT], FIGURE);
    expect(at(two, [LAPTOP, LEFT])).toEqual({ x: 1824, y: 700 });
    const one = carryOver(two, [LAPTOP], FIGURE);
    expect(at(one, [LAPTOP])).toEqual({ x: 1824, y: 700 });
    expect(one.remembered).toEqual(chosen.remembered);
    expect(at(carryOver(one, all, FIGURE), all)).toEqual({ x: 2500, y: 700 });
  });

  it('takes over the share of a monitor with the same name', () => {
    const monitors = [LAPTOP];
    const middle = put({ x: 960, y: 624 }, monitors);
    const lower = [monitor('eDP-1', 0, 0, 1280, 800, 40)];
    expect(at(carryOver(middle, lower, FIGURE), lower)).toEqual({ x: 640, y: 484 });
  });

  it('with a place of its own gets that back, also after a restart', () => {
    const docked = [LAPTOP, RIGHT];
    const atHome = put({ x: 2200, y: 900 }, docked);
    const away = putAt(carryOver(atHome, [LAPTOP], FIGURE), { x: 300, y: 400 }, [LAPTOP], FIGURE);
    expect(at(carryOver(away, docked, FIGURE), docked)).toEqual({ x: 2200, y: 900 });
    expect(at(openPlacement(away.remembered, docked, FIGURE), docked)).toEqual({ x: 2200, y: 900 });
    expect(at(openPlacement(away.remembered, [LAPTOP], FIGURE), [LAPTOP])).toEqual({ x: 300, y: 400 });
  });

  it('is forgotten when there are too many, the oldest first', () => {
    let placement = openPlacement([], [LAPTOP], FIGURE);
    for (let width = 800; width < 800 + MAX_LAYOUTS + 5; width += 1) {
      const monitors = [monitor('eDP-1', 0, 0, width, 1080)];
      placement = putAt(carryOver(placement, monitors, FIGURE), { x: 300, y: 400 }, monitors, FIGURE);
    }
    expect(placement.remembered).toHaveLength(MAX_LAYOUTS);
    expect(placement.remembered[0]?.layout).toContain('=805x1080');
  });
});

describe('moving to a monitor', () => {
  it('keeps the share and is remembered', () => {
    const monitors = [LAPTOP, LEFT];
    const corner = put({ x: 1824, y: 1040 }, monitors);
    const moved = moveTo(corner, 'HDMI-1', monitors, FIGURE);
    expect(at(moved, monitors)).toEqual({ x: -96, y: 1240 });
    expect(at(openPlacement(moved.remembered, monitors, FIGURE), monitors)).toEqual({ x: -96, y: 1240 });
  });

  it('that is not there changes nothing', () => {
    const placement = put({ x: 300, y: 400 }, [LAPTOP]);
    expect(moveTo(placement, 'DP-7', [LAPTOP], FIGURE)).toBe(placement);
  });
});
