/** The keyboard of a real desktop: hotkeys, a question answered by keys, and the keyboard given back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../faults/caller.ts';
import { ask, reach, reachEnd } from '../faults/questions.ts';
import { cardOf } from '../faults/user.ts';
import { type LaunchedCompanion, until } from '../harness.ts';
import { findWindow, launchOn, letIn, settledPlaceOf } from './companion.ts';
import { type Desk, missingFor, openDesk } from './desk.ts';
import { type OtherWindow, openOther } from './other-window.ts';
import { screenDiff } from './picture.ts';

const missing = missingFor({ compositor: false });
if (missing !== null) console.warn(`the keyboard is not tested; ${missing}`);

const IS_VIEWABLE = 2;

describe.skipIf(missing !== null)('the keyboard', () => {
  let desk: Desk;
  let companion: LaunchedCompanion;
  let caller: Caller;
  let other: OtherWindow;
  beforeAll(async () => {
    desk = await openDesk();
    companion = await launchOn(desk);
    caller = await letIn(companion);
    other = await openOther(desk);
    await other.focus();
  });
  afterAll(async () => {
    await other?.close();
    caller?.close();
    await companion?.stop();
    await desk?.close();
  });

  const isMapped = async (): Promise<boolean> => {
    const window = await findWindow(desk.x);
    if (window === null) return false;
    const { mapState } = await desk.x.ask<{ mapState: number }>((X, done) => X.GetWindowAttributes(window, done));
    return mapState === IS_VIEWABLE;
  };

  it('comes by the hotkey, picks with a number, and goes back to the program that had it', async () => {
    const { requestId } = await ask(caller, 'By keys?');
    await reach(caller, requestId, 'awaiting_user');
    expect(await other.hasFocus()).toBe(true);
    await desk.xdotool('key', 'ctrl+alt+space');
    await until('the keyboard is here', async () => !(await other.hasFocus()));
    await desk.xdotool('key', '2');
    const { result } = await reachEnd(caller, requestId);
    expect(result).toEqual({ selectedId: 'no' });
    await until('the keyboard is back', () => other.hasFocus());
    const before = other.keys.length;
    await desk.xdotool('key', 'a');
    await until('the other program has the key', () => other.keys.length === before + 1);
  });

  it('closes a card with Escape', async () => {
    const { requestId } = await ask(caller, 'Escape?');
    await reach(caller, requestId, 'awaiting_user');
    await desk.xdotool('key', 'ctrl+alt+space');
    await until('the keyboard is here', async () => !(await other.hasFocus()));
    await desk.xdotool('key', 'Escape');
    const ended = await reachEnd(caller, requestId);
    expect(ended).toMatchObject({ status: 'cancelled', reason: 'user_dismissed' });
    await until('the keyboard is back', () => other.hasFocus());
  });

  it('goes to a card that is clicked, where a text is typed', async () => {
    const { requestId } = await caller.call<{ requestId: string }>('requests.create', {
      capability: 'interaction.ask',
      params: { title: 'Your word?' },
    });
    await reach(caller, requestId, 'awaiting_user');
    const field = await settledPlaceOf(desk.x, companion.page, `${cardOf(requestId)} [data-role="answer"]`);
    await desk.xdotool('mousemove', Math.round(field.x + 20), Math.round(field.y + 10), 'click', 1);
    await until('the keyboard is here', async () => !(await other.hasFocus()));
    const before = other.keys.length;
    await desk.xdotool('type', '--delay', 20, 'hello');
    await desk.xdotool('key', 'Return');
    expect((await reachEnd(caller, requestId)).result).toEqual({ text: 'hello' });
    expect(other.keys.length).toBe(before);
    await until('the keyboard is back', () => other.hasFocus());
  });

  it('goes to the field by the hotkey where a text is wanted; Enter sends nothing while it is empty', async () => {
    const { requestId } = await caller.call<{ requestId: string }>('requests.create', {
      capability: 'interaction.ask',
      params: { title: 'Your word?' },
    });
    await reach(caller, requestId, 'awaiting_user');
    await desk.xdotool('key', 'ctrl+alt+space');
    await until('the keyboard is here', async () => !(await other.hasFocus()));
    await companion.page.waitForSelector(`${cardOf(requestId)} [data-role="answer"]:focus`);
    await desk.xdotool('key', 'Return');
    await desk.xdotool('type', '--delay', 20, 'hello');
    await desk.xdotool('key', 'Return');
    expect((await reachEnd(caller, requestId)).result).toEqual({ text: 'hello' });
    await until('the keyboard is back', () => other.hasFocus());
  });

  it('hides the figure by its hotkey, takes it off the screen, and brings it back', async () => {
    await until('the figure stands', isMapped);
    await desk.xdotool('key', 'ctrl+alt+h');
    await until('the window is gone', async () => !(await isMapped()));
    await expect(ask(caller, 'Anybody?')).rejects.toMatchObject({ code: 'RUNTIME_UNAVAILABLE' });
    expect(await other.hasFocus()).toBe(true);
    await desk.xdotool('key', 'ctrl+alt+h');
    await until('the figure is back', isMapped);
    await until('its pixels are back', async () => {
      const place = await settledPlaceOf(desk.x, companion.page, '[data-character]');
      const { mask } = screenDiff(await desk.screenshot(), desk.wallpaper);
      return mask[Math.round(place.y + place.height / 2) * 1_280 + Math.round(place.x + place.width / 2)] === 1;
    });
    expect(await other.hasFocus()).toBe(true);
  });
});
