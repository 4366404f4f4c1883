/** A drag past the edge of the screen, where the window manager keeps windows on it and puts ours elsewhere than we ask. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, reach } from '../faults/questions.ts';
import { type LaunchedCompanion, until } from '../harness.ts';
import { FIGURE, launchOn, letIn, middleOf, placeOf, settledPlaceOf } from './companion.ts';
import { type Desk, missingFor, openDesk } from './desk.ts';

const OPTIONS = { windowManager: 'icewm', compositor: false } as const;
const missing = missingFor(OPTIONS);
if (missing !== null) console.warn(`a drag past the edge is not tested; ${missing}`);

const STEPS = 12;
const STEP_PX = 60;
/** A window manager that is not understood costs two seconds a step. */
const ALL_STEPS_MS = 8_000;

describe.skipIf(missing !== null)('a window manager that keeps windows on the screen', () => {
  let desk: Desk;
  let companion: LaunchedCompanion;
  beforeAll(async () => {
    desk = await openDesk(OPTIONS);
    companion = await launchOn(desk);
  });
  afterAll(async () => {
    await companion?.stop();
    await desk?.close();
  });

  it('does not hold up a drag whose cards hang over the edge', async () => {
    const caller = await letIn(companion);
    const { requestId } = await ask(caller, 'Over the edge?');
    await reach(caller, requestId, 'awaiting_user');
    const from = middleOf(await settledPlaceOf(desk.x, companion.page, FIGURE));
    // The cards stand above the figure.
    const top = 70;
    await desk.xdotool('mousemove', from.x, from.y, 'mousedown', 1, 'mousemove', from.x, from.y - 30);
    const begun = performance.now();
    for (let step = 1; step <= STEPS; step += 1) {
      const to = from.x - STEP_PX * step;
      await desk.xdotool('mousemove', to, top + step);
      await until('the figure beside the pointer', async () => {
        const { x } = middleOf(await placeOf(desk.x, companion.page, FIGURE));
        return Math.abs(x - to) < STEP_PX / 2;
      });
    }
    await desk.xdotool('mouseup', 1);
    expect(performance.now() - begun).toBeLessThan(ALL_STEPS_MS);
    caller.close();
  });
});
