/** The keyboard: given to the page only when the user asks for it, and given back to whoever had it (design §3). */
import type { XEvent } from 'x11';
import type { WindowToPage } from '../../protocol/window.ts';
import type { Container } from './container.ts';
import type { Screen } from './screen.ts';

export interface Focus {
  /** Takes the keyboard; `asked`: by the hotkey, so that the page chooses what gets it. */
  take(asked: boolean): Promise<void>;
  /** Gives it back if it is here. */
  giveBack(): void;
  isHere(): boolean;
  hear(event: XEvent): void;
}

/** Should our window go, the focus goes to its parent's. */
const REVERT_TO_PARENT = 2;
/** Focus changes that a grab of the keyboard brings are none; those made while a hotkey is held down are. */
const MODES = [0, 3];
/** From this detail on an event tells where the pointer is, not who has the keyboard. */
const NOTIFY_POINTER = 5;
const POINTER_ROOT = 1;

export function createFocus(screen: Screen, container: Container, tell: (message: WindowToPage) => void): Focus {
  const { X } = screen;
  let before = POINTER_ROOT;
  let isHere = false;
  let isAsked = false;
  /** We gave it, at the user's wish; Chromium sometimes takes it by itself. */
  let isGiven = false;
  /** Counts wishes, so that one which takes its time knows whether it is still the last. */
  let wish = 0;

  const current = async (): Promise<number> =>
    (await screen.ask<{ focus: number }>((done) => X.GetInputFocus(done))).focus;

  const giveBack = (): void => {
    wish += 1;
    // What is on its way here goes back when it comes.
    isGiven = false;
    if (!isHere) return;
    X.SetInputFocus(before, REVERT_TO_PARENT);
    screen.flush();
  };
  current().then(
    (owner) => {
      before = owner;
    },
    () => {},
  );

  return {
    take: async (asked) => {
      isAsked = asked;
      if (!container.isMapped()) return;
      wish += 1;
      const own = wish;
      const owner = await current();
      if (own !== wish) return;
      if (owner === container.child || isHere) {
        if (asked) tell({ type: 'focused', on: true, asked });
        return;
      }
      before = owner;
      isGiven = true;
      X.SetInputFocus(container.child, REVERT_TO_PARENT);
      screen.flush();
    },
    giveBack,
    isHere: () => isHere,
    hear: (event) => {
      if (
        event.wid !== container.child ||
        !MODES.includes(event.mode as number) ||
        (event.detail as number) >= NOTIFY_POINTER
      )
        return;
      if (event.name !== 'FocusIn' && event.name !== 'FocusOut') return;
      const now = event.name === 'FocusIn';
      if (now === isHere) return;
      isHere = now;
      if (now && !isGiven) return giveBack();
      if (!now) isGiven = false;
      tell({ type: 'focused', on: now, asked: now && isAsked });
      isAsked = false;
    },
  };
}
