/** Where cards stand, farthest from the figure first. A card under the pointer or the focus never moves and never changes height (R4). */

/** One card as it stands on screen now. Heights in CSS px. */
export interface Measured {
  readonly key: string;
  readonly heightPx: number;
  readonly spaceAfterPx: number;
}

/** One card that wants a place. Heights in CSS px. */
export interface Wanted {
  readonly key: string;
  /** As its content needs. */
  readonly naturalPx: number;
  /** The least at which it still may be shown. */
  readonly leastPx: number;
  /** It is shown in its whole height or, while another card is held, not at all. */
  readonly whole: boolean;
  /** Where there is not room for all, those of a lower rank wait for those of a higher one. */
  readonly rank: number;
}

/** One card as it shall stand. `heightPx` null: as its content needs, or less where room is short. */
export interface Placed {
  readonly key: string;
  readonly heightPx: number | null;
  /** Empty room kept between it and the figure, in place of cards that have gone. */
  readonly spaceAfterPx: number;
}

/** The style property in which a card bears the room kept on its side towards the figure. */
export const SPACE_PROPERTY = '--space-after';

/** Gap between cards, CSS px. */
export const GAP_PX = 10;

const free = ({ key }: { readonly key: string }): Placed => ({ key, heightPx: null, spaceAfterPx: 0 });
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** Every card in the order of the stack: those that stand keep it, a new one comes nearest the figure. */
export function inOrder(before: readonly Measured[], wanted: readonly string[]): readonly string[] {
  const standing = before.map(({ key }) => key).filter((key) => wanted.includes(key));
  return [...standing, ...wanted.filter((key) => !standing.includes(key))];
}

/**
 * The places of `wanted` cards, given in the order of the stack. A held card stays put; what comes goes to the far end, else
 * below it. A card for which `roomPx` is not enough is left out: none is ever cut off.
 */
export function arrange(
  before: readonly Measured[],
  wanted: readonly Wanted[],
  pinned: string | null,
  roomPx: number,
): readonly Placed[] {
  const at = before.findIndex(({ key }) => key === pinned);
  const held = wanted.find(({ key }) => key === pinned);
  if (at >= 0 && held !== undefined) return aroundHeld(before, at, wanted, held, roomPx);
  const chosen = choose([], wanted, roomPx + GAP_PX, 'leastPx');
  const [best] = inRank(wanted);
  // In a room too low for any, one stands as high as it is.
  if (chosen.length === 0 && best !== undefined) return [{ key: best.key, heightPx: roomPx, spaceAfterPx: 0 }];
  return wanted.filter((card) => chosen.includes(card)).map(free);
}

const heightOf = (card: Wanted, size: 'naturalPx' | 'leastPx'): number => (card.whole ? card.naturalPx : card[size]);

const inRank = (cards: readonly Wanted[]): readonly Wanted[] =>
  [...cards].sort((a, b) => Number(b.whole) - Number(a.whole) || b.rank - a.rank);

/** Those of `more` that fit beside `there`, whole cards and then those of the highest rank first, each with its gap. */
function choose(
  there: readonly Wanted[],
  more: readonly Wanted[],
  roomPx: number,
  size: 'naturalPx' | 'leastPx',
): readonly Wanted[] {
  const chosen: Wanted[] = [];
  let left = roomPx - sum(there.map((card) => heightOf(card, size) + GAP_PX));
  for (const card of inRank(more)) {
    const px = heightOf(card, size) + GAP_PX;
    // Half a pixel is the rounding of a browser.
    if (px > left + 0.5) continue;
    left -= px;
    chosen.push(card);
  }
  return chosen;
}

function aroundHeld(
  before: readonly Measured[],
  at: number,
  wanted: readonly Wanted[],
  held: Wanted,
  roomPx: number,
): readonly Placed[] {
  const stood = before[at]!;
  const heightPx = held.whole ? held.naturalPx : stood.heightPx;
  const after = before.slice(at + 1);
  const footing = stood.spaceAfterPx + sum(after.map((each) => each.heightPx + each.spaceAfterPx + GAP_PX));
  // A whole card that has grown takes the room it needs, even from below.
  const belowPx = held.whole ? Math.max(0, Math.min(footing, roomPx - heightPx)) : footing;
  const abovePx = roomPx - belowPx - heightPx;
  const standing = (keys: readonly Measured[]) => wanted.filter(({ key }) => keys.some((each) => each.key === key));
  const rooms = { above: [] as Wanted[], below: [] as Wanted[] };
  const put = (where: 'above' | 'below', cards: readonly Wanted[], size: 'naturalPx' | 'leastPx'): void => {
    rooms[where].push(...choose(rooms[where], cards, where === 'above' ? abovePx : belowPx, size));
  };
  const waiting = (): readonly Wanted[] =>
    wanted.filter((card) => card !== held && !rooms.above.includes(card) && !rooms.below.includes(card));
  const aboveNow = standing(before.slice(0, at));
  const belowNow = standing(after);
  const wholes = wanted.filter(({ whole }) => whole);
  put(
    'above',
    wholes.filter((card) => aboveNow.includes(card)),
    'naturalPx',
  );
  put(
    'below',
    wholes.filter((card) => belowNow.includes(card)),
    'naturalPx',
  );
  put(
    'above',
    waiting().filter(({ whole }) => whole),
    'naturalPx',
  );
  put(
    'below',
    waiting().filter(({ whole }) => whole),
    'naturalPx',
  );
  put(
    'above',
    waiting().filter((card) => aboveNow.includes(card)),
    'leastPx',
  );
  put(
    'below',
    waiting().filter((card) => belowNow.includes(card)),
    'leastPx',
  );
  for (const size of ['naturalPx', 'leastPx'] as const) {
    put('above', waiting(), size);
    put('below', waiting(), size);
  }
  const isNew = (card: Wanted): boolean => !before.some(({ key }) => key === card.key);
  const above = wanted.filter((card) => rooms.above.includes(card));
  const below = share(
    wanted.filter((card) => rooms.below.includes(card)),
    belowPx,
  );
  const spaceAfterPx = Math.max(0, belowPx - sum(below.map((place) => place.px + GAP_PX)));
  return [
    ...above.filter(isNew).map(free),
    ...above.filter((card) => !isNew(card)).map(free),
    { key: held.key, heightPx: held.whole ? null : heightPx, spaceAfterPx },
    ...below.map(({ card, px }) => ({ key: card.key, heightPx: card.whole ? null : px, spaceAfterPx: 0 })),
  ];
}

/** The heights of `cards` in `roomPx`: the least for each, and what is left to those that need it, first come first. */
function share(cards: readonly Wanted[], roomPx: number): readonly { readonly card: Wanted; readonly px: number }[] {
  let left = roomPx - sum(cards.map((card) => heightOf(card, 'leastPx') + GAP_PX));
  return cards.map((card) => {
    const least = heightOf(card, 'leastPx');
    const more = Math.max(0, Math.min(card.naturalPx - least, left));
    left -= more;
    return { card, px: least + more };
  });
}
