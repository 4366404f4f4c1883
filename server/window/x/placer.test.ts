import { describe, expect, it } from 'vitest';
import type { Monitor } from '../desk/geometry.ts';
import type { Shape } from './painter.ts';
import { createPlacer } from './placer.ts';

const monitor = (name: string, x: number, width: number, height: number): Monitor => {
  const box = { x, y: 0, width, height };
  return { name, box, workArea: box };
};
const ONE = [monitor('A', 0, 1_280, 800)];
const TWO = [...ONE, monitor('B', 1_280, 1_920, 1_080)];
const SIZE = { width: 100, height: 120 };

/** A page of that size whose figure stands in its lower right corner, as the page lays it out. */
const shape = (page: { width: number; height: number }, figure: boolean = true): Shape => ({
  type: 'shape',
  generation: 1,
  ...page,
  pieces: [],
  figure: figure ? { x: page.width - 112, y: page.height - 132, ...SIZE } : null,
});
const figureOnScreen = (placer: ReturnType<typeof createPlacer>, told: Shape) => {
  const { x, y } = placer.originFor(told);
  return { x: x + told.width - 112, y: y + told.height - 132 };
};

describe('the placer', () => {
  it('keeps the figure where it is, whatever the page around it does', () => {
    const placer = createPlacer(ONE, [], 1);
    const before = figureOnScreen(placer, shape({ width: 480, height: 800 }));
    expect(figureOnScreen(placer, shape({ width: 600, height: 500 }))).toEqual(before);
    expect(figureOnScreen(placer, shape({ width: 480, height: 700 }, false))).toEqual(before);
  });

  it('carries it with the pointer and leaves it whole on the screen', () => {
    const placer = createPlacer(ONE, [], 1);
    const page = shape({ width: 480, height: 800 });
    const from = figureOnScreen(placer, page);
    placer.dragFrom({ x: 1_000, y: 700 });
    placer.dragTo({ x: 1_010, y: 300 });
    expect(figureOnScreen(placer, page)).toEqual({ x: from.x + 10, y: from.y - 400 });
    placer.dragTo({ x: -5_000, y: 300 });
    expect(placer.drop()).toBe(true);
    expect(figureOnScreen(placer, page).x).toBe(0);
    expect(placer.drop()).toBe(false);
  });

  it('opens cards below a figure at the top, and to the right of one at the left', () => {
    const placer = createPlacer(ONE, [], 1);
    placer.originFor(shape({ width: 480, height: 800 }));
    expect(placer.place()).toMatchObject({ stack: 'above', align: 'end' });
    placer.dragFrom({ x: 0, y: 0 });
    placer.dragTo({ x: -5_000, y: -5_000 });
    placer.drop();
    expect(placer.place()).toMatchObject({ stack: 'below', align: 'start' });
    expect(placer.pageSize().height).toBe(placer.place().roomPx);
  });

  it('gives the page more width when it wants it, and never more than the screen', () => {
    const placer = createPlacer(ONE, [], 2);
    expect(placer.pageSize().width).toBe(960);
    placer.want({ width: 600, height: 10 });
    expect(placer.pageSize().width).toBe(1_200);
    placer.want({ width: 9_000, height: 10 });
    expect(placer.pageSize().width).toBe(1_280);
    expect(placer.place().roomPx * 2).toBeLessThanOrEqual(800);
  });

  it('remembers where the user put it on each set of screens', () => {
    const placer = createPlacer(TWO, [], 1);
    const page = shape({ width: 480, height: 800 });
    placer.originFor(page);
    placer.moveTo('B');
    expect(placer.monitor().name).toBe('B');
    const onB = figureOnScreen(placer, page);
    placer.setMonitors(ONE);
    expect(placer.monitor().name).toBe('A');
    placer.setMonitors(TWO);
    expect(figureOnScreen(placer, page)).toEqual(onB);
    const again = createPlacer(TWO, placer.remembered(), 1);
    expect(figureOnScreen(again, page)).toEqual(onB);
    again.reset();
    expect(again.monitor().name).toBe('A');
  });

  it('stays where it is when another screen is added', () => {
    const placer = createPlacer(ONE, [], 1);
    const page = shape({ width: 480, height: 800 });
    const before = figureOnScreen(placer, page);
    placer.setMonitors(TWO);
    expect(figureOnScreen(placer, page)).toEqual(before);
  });

  it('names the screens, and which it is on', () => {
    const placer = createPlacer(TWO, [], 1);
    expect(placer.place().monitors).toEqual([
      { name: 'A', current: true },
      { name: 'B', current: false },
    ]);
  });
});
