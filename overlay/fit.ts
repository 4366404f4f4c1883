/** Which cards find room, and where: measures what they need, lets `arrange` decide, and draws them there. */
import { arrange, inOrder, type Measured, type Placed, SPACE_PROPERTY, type Wanted } from './arrange.ts';
import { CARD_ATTRIBUTE, cardsIn, keyOf } from './guard.ts';
import { isOverfull, measureWanted, stackRoomPx } from './measure.ts';
import { PAIRING_KEY } from './model.ts';

export interface Fitted {
  readonly places: readonly Placed[];
  /** The cards that found no room, and the heights they would like to have, CSS px. */
  readonly leftOut: readonly Pick<Wanted, 'key' | 'naturalPx'>[];
}

/** Draws these places, and the number of cards that were left out. */
export type Show = (places: readonly Placed[], leftOut: number) => void;

const isWhole = (key: string): boolean => key.startsWith(`${PAIRING_KEY}:`);

/** The card that must not move: the one with the focus, else the one under the pointer. */
const pinnedIn = (root: HTMLElement): string | null =>
  keyOf(document.activeElement) ??
  root.querySelector(`[${CARD_ATTRIBUTE}]:hover`)?.getAttribute(CARD_ATTRIBUTE) ??
  null;

const measureCards = (root: HTMLElement): readonly Measured[] =>
  cardsIn(root).map((card) => ({
    key: card.getAttribute(CARD_ATTRIBUTE) ?? '',
    heightPx: card.getBoundingClientRect().height,
    spaceAfterPx: Number.parseFloat(card.style.getPropertyValue(SPACE_PROPERTY)) || 0,
  }));

/** What the cards that are drawn need, and the room for them; for a card that is to be read whole the figure may give way. */
function measureRoom(
  root: HTMLElement,
  mayHideFigure: boolean,
  turned: readonly string[],
): { wanted: readonly Wanted[]; roomPx: number } {
  let roomPx = stackRoomPx(root);
  const wanted = measureWanted(root, isWhole, turned);
  if (mayHideFigure && wanted.some(({ whole, naturalPx }) => whole && naturalPx > roomPx)) {
    root.dataset.tight = '';
    roomPx = stackRoomPx(root);
  }
  root.style.setProperty('--room', `${roomPx}px`);
  return { wanted: wanted.map((card) => ({ ...card, naturalPx: Math.min(card.naturalPx, roomPx) })), roomPx };
}

/** Gives every card of `wantedKeys` its place in `root`, and shows it there. Those of `turned` come first where room is short. */
export function fitCards(
  root: HTMLElement,
  wantedKeys: readonly string[],
  turned: readonly string[],
  show: Show,
): Fitted {
  const pinned = pinnedIn(root);
  const before = measureCards(root);
  const keys = inOrder(before, wantedKeys);
  const held = before.find(({ key }) => key === pinned && keys.includes(key)) ?? null;
  // The held one keeps its height even while all are measured, and so what is scrolled in it.
  const heldPx = held === null || isWhole(held.key) ? null : held.heightPx;
  const all = keys.map((key): Placed => ({ key, heightPx: key === held?.key ? heldPx : null, spaceAfterPx: 0 }));
  delete root.dataset.tight;
  let fitted: Fitted = { places: all, leftOut: [] };
  if (held === null && !keys.some(isWhole)) {
    show(all, 0);
    if (!isOverfull(root)) return fitted;
  }
  // The badge may take room that was counted on: then once more with it.
  for (const badge of [0, 1]) {
    show(all, badge);
    const { wanted, roomPx } = measureRoom(root, heldPx === null, turned);
    const places = arrange(before, wanted, pinned, roomPx);
    const leftOut = wanted.filter(({ key }) => !places.some((place) => place.key === key));
    fitted = { places, leftOut };
    if (leftOut.length === 0) break;
  }
  show(fitted.places, fitted.leftOut.length);
  return fitted;
}

/**
 * Whom the user has turned to after turning once more, the last one first: the next of those that have no room, or, when all of
 * them had their turn, null for somebody who waits elsewhere, and the first of them anew when there is nobody.
 */
export function nextTurned(
  standing: readonly string[],
  leftOut: readonly string[],
  turned: readonly string[],
  othersWait: boolean,
): readonly string[] | null {
  const there = [...standing, ...leftOut];
  const had = [...turned.filter((key) => there.includes(key)), ...standing.filter((key) => !turned.includes(key))];
  const fresh = leftOut.find((key) => !had.includes(key));
  const next = fresh ?? (othersWait ? undefined : had.findLast((key) => leftOut.includes(key)));
  return next === undefined ? null : [next, ...had.filter((key) => key !== next)];
}
