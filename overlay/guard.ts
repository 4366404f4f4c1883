/** Stands before every card: input that comes too early, or meant something else when it began, never reaches a view (R4, R5). */
import { isArmed, type Press, pressCounts, type Standing } from './press.ts';

/** Marks an element as a card; its value is the card's key. */
export const CARD_ATTRIBUTE = 'data-card';

const cardOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(`[${CARD_ATTRIBUTE}]`) : null;

/** The key of the card that `target` lies in, or null. */
export const keyOf = (target: EventTarget | null): string | null =>
  cardOf(target)?.getAttribute(CARD_ATTRIBUTE) ?? null;

/** Every card in `root`, top to bottom. */
export const cardsIn = (root: ParentNode): readonly HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(`[${CARD_ATTRIBUTE}]`),
];

export interface Guard {
  setArm(armMs: number): void;
  /** Tells what each card says now. Cards not named are forgotten. */
  setSaid(fingerprints: ReadonlyMap<string, string>): void;
  /** Cards are painted: their time begins, or begins again where one has moved. */
  painted(): void;
}

const ACTING_KEYS = /^(?:Enter| |Escape|[1-9])$/;

const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');

/** Typed characters belong to the field; of the acting keys only Enter and Escape act from there. */
const isTyping = (event: KeyboardEvent): boolean =>
  isTextField(event.target) && event.key !== 'Enter' && event.key !== 'Escape';

/**
 * Puts a guard on `root`, ahead of all handlers inside it. `now` gives monotonic milliseconds; `footing` the edge on which
 * cards stand, towards the figure: a card that only grows away from it has not moved.
 */
export function createGuard(root: HTMLElement, now: () => number, footing: () => 'top' | 'bottom'): Guard {
  let armMs = 0;
  let standings = new Map<string, Standing>();
  let press: Press | null = null;
  /** A key that is down on a button: its click comes without a pointer. */
  let keyPress: Press | null = null;

  const block = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const begin = (key: string | null): Press | null => {
    const standing = key === null ? undefined : standings.get(key);
    return key === null || standing === undefined ? null : { key, standing: where(key, standing), atMs: now() };
  };
  /** The standing with the place the card has at this instant. */
  const where = (key: string, standing: Standing): Standing => {
    const box = cardsIn(root)
      .find((card) => card.getAttribute(CARD_ATTRIBUTE) === key)
      ?.getBoundingClientRect();
    return box === undefined ? standing : { ...standing, x: box.x, y: box[footing()] };
  };

  root.addEventListener(
    'pointerdown',
    (event) => {
      press = begin(keyOf(event.target));
      keyPress = null;
    },
    true,
  );
  root.addEventListener(
    'click',
    (event) => {
      const key = keyOf(event.target);
      const began = event.detail > 0 ? press : keyPress;
      // One press may bring two clicks, a label's and its field's; one key brings one.
      keyPress = null;
      if (key === null) return;
      const standing = standings.get(key);
      // Assistive technology clicks without a press: the click itself is then the press.
      const counts =
        event.detail > 0 || began !== null
          ? began?.key === key && pressCounts(began, standing && where(key, standing), armMs)
          : isArmed(standing, now(), armMs);
      if (!counts) block(event);
    },
    true,
  );
  root.addEventListener(
    'keydown',
    (event) => {
      const key = keyOf(event.target);
      keyPress = null;
      if (key === null || !ACTING_KEYS.test(event.key) || isTyping(event)) return;
      // A key that was already held down when the focus came here was meant for something else.
      if (event.repeat || !isArmed(standings.get(key), now(), armMs)) block(event);
      else if (event.key === 'Enter' || event.key === ' ') keyPress = begin(key);
    },
    true,
  );
  // Enter clicks while it is down, so what is left of it means nothing; the space bar clicks after this.
  root.addEventListener(
    'keyup',
    (event) => {
      if (event.key === 'Enter') keyPress = null;
    },
    true,
  );

  return {
    setArm(ms) {
      armMs = ms;
    },
    setSaid(fingerprints) {
      standings = new Map(
        [...fingerprints].map(([key, said]) => {
          const old = standings.get(key);
          return [key, old ? { ...old, fingerprint: said } : { fingerprint: said, sinceMs: null, x: 0, y: 0 }];
        }),
      );
    },
    painted() {
      for (const card of cardsIn(root)) {
        const key = card.getAttribute(CARD_ATTRIBUTE) ?? '';
        const old = standings.get(key);
        if (old === undefined) continue;
        const { x, [footing()]: y } = card.getBoundingClientRect();
        const stood = old.sinceMs !== null && Math.abs(old.x - x) < 1 && Math.abs(old.y - y) < 1;
        standings.set(key, { ...old, sinceMs: stood ? old.sinceMs : now(), x, y });
      }
    },
  };
}
