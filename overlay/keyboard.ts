/** The keyboard in the see-through window: asked for when the user goes to a part of ours, given back when they are done there. */
import { cardsIn } from './guard.ts';
import type { ToWindow } from './link.ts';

export interface Keyboard {
  /** Looks again whether the user is done, after parts have come or gone. */
  review(): void;
  /** What the window says: the keyboard is here, or not any more. `asked`: the user's hotkey, so that we choose what gets it. */
  focused(on: boolean, asked: boolean): void;
}

/** Where one may want to type. */
const PARTS = '.card, .panel, .menu';

/** The part that answers the hotkey: the first question, else the pairing card, else the first card; null: there is none. */
function chooseCard(root: HTMLElement): HTMLElement | null {
  const cards = cardsIn(root);
  const is = (selector: string) => cards.find((card) => card.matches(selector));
  return is('[role="dialog"][data-request-id]') ?? is('.pairing') ?? cards[0] ?? null;
}

/** What of a card gets the keyboard: the field of a text, which Enter does not send empty; else the card and none of its options, so that it does not answer what has hardly been read. */
const placeIn = (card: HTMLElement): HTMLElement => card.querySelector<HTMLElement>('[data-role="answer"]') ?? card;

const blur = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

/** Watches `root`. `openMenu` is called when the hotkey finds nothing else to go to. */
export function createKeyboard(root: HTMLElement, toWindow: ToWindow, openMenu: () => void): Keyboard {
  /** What the window was last told, or has said itself. */
  let wanted = false;
  /** The part that was pressed last: a press on its bare ground focuses nothing. */
  let pressed: Element | null = null;

  const want = (on: boolean): void => {
    if (on === wanted) return;
    wanted = on;
    toWindow({ type: 'focus', on });
  };
  const isAtWork = (): boolean => {
    const at = document.activeElement;
    if (at === null || at === document.body) return pressed?.isConnected === true;
    // A figure or badge that a press has focused is no place to type; one that keys have gone to is.
    return at.closest(PARTS) !== null || at.matches(':focus-visible');
  };
  const review = (): void => {
    if (wanted && !isAtWork()) leave();
  };
  const leave = (): void => {
    pressed = null;
    want(false);
  };

  /** Gives the keyboard, which is here already, to what the user most likely wants. */
  const choose = (): void => {
    const card = chooseCard(root);
    if (card === null) openMenu();
    else placeIn(card).focus({ focusVisible: true } as FocusOptions);
    // A menu gets the focus once it is painted.
    pressed = card ?? root.querySelector('.menu');
    wanted = true;
    review();
  };

  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      pressed = target instanceof Element ? target.closest(PARTS) : null;
      if (pressed !== null) want(true);
    },
    true,
  );
  root.addEventListener('focusin', review);
  // A press that moves the focus takes it from one and gives it to the next.
  root.addEventListener('focusout', () => queueMicrotask(review));
  document.addEventListener('click', review);
  // What Escape closes takes it for itself: where there is nothing to close, it is the way out.
  root.addEventListener('keydown', ({ key, isComposing }) => {
    if (key !== 'Escape' || isComposing) return;
    blur();
    leave();
  });

  return {
    review,
    focused(on, asked) {
      if (!on) {
        wanted = false;
        pressed = null;
        blur();
      } else if (asked) choose();
    },
  };
}
