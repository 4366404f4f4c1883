import { describe, expect, it } from 'vitest';
import { arrange as arrangeWanted, GAP_PX, inOrder, type Measured, type Wanted } from './arrange.ts';

const on = (...cards: readonly (readonly [string, number, number?])[]): readonly Measured[] =>
  cards.map(([key, heightPx, spaceAfterPx = 0]) => ({ key, heightPx, spaceAfterPx }));
const LEAST_PX = 96;
const card = (key: string, naturalPx = LEAST_PX, whole = false, rank = 0): Wanted => ({
  key,
  naturalPx,
  leastPx: Math.min(naturalPx, LEAST_PX),
  whole,
  rank,
});
/** Cards named only are as high as they are now, or of the least height. */
const arrange = (
  before: readonly Measured[],
  wanted: readonly (string | Wanted)[],
  pinned: string | null,
  roomPx: number,
) => {
  const cards = wanted.map((each) =>
    typeof each === 'string' ? card(each, before.find(({ key }) => key === each)?.heightPx) : each,
  );
  const order = inOrder(
    before,
    cards.map(({ key }) => key),
  );
  return arrangeWanted(
    before,
    order.map((key) => cards.find((each) => each.key === key)!),
    pinned,
    roomPx,
  );
};
const keys = (places: ReturnType<typeof arrange>): string => places.map(({ key }) => key).join('');

/** Distance of a card's lower edge from the lower edge of the stack. */
function footing(
  places: readonly { key: string; heightPx: number | null; spaceAfterPx: number }[],
  key: string,
): number {
  const at = places.findIndex((place) => place.key === key);
  const below = places
    .slice(at + 1)
    .reduce((sum, { heightPx, spaceAfterPx }) => sum + (heightPx ?? 0) + spaceAfterPx + GAP_PX, 0);
  return below + places[at]!.spaceAfterPx;
}

describe('cards nobody is at', () => {
  it('keep their order, and a new one comes nearest the figure', () => {
    expect(keys(arrange(on(['b', 80], ['a', 80]), ['a', 'b', 'c'], null, 500))).toBe('bac');
  });

  it('have the height they need', () => {
    expect(arrange(on(['a', 80, 30]), ['a'], null, 500)).toEqual([{ key: 'a', heightPx: null, spaceAfterPx: 0 }]);
  });
});

describe('in a room that is too low for all', () => {
  const room = 2 * LEAST_PX + GAP_PX;

  it('as many stand as may be seen whole, and no half of another', () => {
    expect(keys(arrange(on(), ['a', 'b', 'c'], null, room))).toBe('ab');
    expect(keys(arrange(on(), ['a', 'b', 'c'], null, room - 1))).toBe('a');
  });

  it('those of the highest rank stand, in the order of the stack', () => {
    const question = card('q', 300, false, 1);
    expect(keys(arrange(on(['a', 90], ['b', 90]), ['a', 'b', question], null, room))).toBe('aq');
    expect(keys(arrange(on(), [card('a'), question, card('c', 96, false, 2)], null, LEAST_PX))).toBe('c');
  });

  it('one stands, as high as the room is, where there is not even room for one', () => {
    expect(arrange(on(), ['a', card('q', 300, false, 1)], null, 60)).toEqual([
      { key: 'q', heightPx: 60, spaceAfterPx: 0 },
    ]);
  });

  it('a held card stays, and those above it wait', () => {
    expect(keys(arrange(on(['a', 96], ['b', 120]), ['a', 'b'], 'b', 150))).toBe('b');
  });
});

describe('a held card', () => {
  const before = on(['a', 100], ['b', 120], ['c', 90]);

  it('stays put when a new card comes, which goes to the far end', () => {
    const places = arrange(before, ['a', 'b', 'c', 'd'], 'b', 1_000);
    expect(keys(places)).toBe('dabc');
    expect(footing(places, 'b')).toBe(footing(before, 'b'));
    expect(places.find(({ key }) => key === 'b')?.heightPx).toBe(120);
  });

  it('stays put when one below it goes, and again when the next one goes', () => {
    const once = arrange(before, ['a', 'b'], 'b', 1_000);
    expect(footing(once, 'b')).toBe(footing(before, 'b'));
    const four = on(['a', 100], ['b', 120], ['c', 90], ['d', 70]);
    const first = arrange(four, ['a', 'b', 'd'], 'a', 1_000).map((place) => ({
      ...place,
      heightPx: place.heightPx ?? 0,
    }));
    expect(footing(first, 'a')).toBe(footing(four, 'a'));
    expect(footing(arrange(first, ['a'], 'a', 1_000), 'a')).toBe(footing(four, 'a'));
  });

  it('leaves cards above it free', () => {
    expect(arrange(before, ['a', 'b', 'c'], 'b', 1_000)[0]).toEqual({ key: 'a', heightPx: null, spaceAfterPx: 0 });
  });

  it('keeps a new card out while there is no room for it, and lets it in when it is let go', () => {
    const roomPx = 100 + 120 + 90 + 3 * GAP_PX + LEAST_PX - 1;
    expect(keys(arrange(before, ['a', 'b', 'c', 'd'], 'a', roomPx))).toBe('abc');
    expect(keys(arrange(before, ['a', 'b', 'c', 'd'], null, roomPx))).toBe('abcd');
  });

  it('that has ended holds nothing any more', () => {
    expect(arrange(before, ['c'], 'b', 1_000)).toEqual([{ key: 'c', heightPx: null, spaceAfterPx: 0 }]);
  });
});

describe('room that has become free', () => {
  it('below a held card is used by what fits there, and the held card stays put', () => {
    const before = on(['a', 120, 250]);
    const places = arrange(before, ['a', 'b', 'c'], 'a', 120 + 250);
    expect(keys(places)).toBe('abc');
    expect(footing(places, 'a')).toBe(250);
  });

  it('above a held card is used first', () => {
    expect(keys(arrange(on(['a', 120, 250]), ['a', 'b'], 'a', 600))).toBe('ba');
  });
});

describe('a card that is to be read whole', () => {
  const whole = card('w', 400, true);

  it('is never squeezed: others wait for which there is no room', () => {
    expect(keys(arrange(on(['a', 100]), ['a', 'b', whole], null, 400 + GAP_PX + LEAST_PX))).toBe('aw');
    expect(keys(arrange(on(['a', 100], ['b', 100]), ['a', 'b', whole], null, 420))).toBe('w');
  });

  it('gets its height back while it is held, and takes room from below only when it must', () => {
    const before = on(['w', 150], ['a', 100]);
    expect(arrange(before, [whole, 'a'], 'w', 600)).toEqual([
      { key: 'w', heightPx: null, spaceAfterPx: 0 },
      { key: 'a', heightPx: 100, spaceAfterPx: 0 },
    ]);
    expect(arrange(before, [whole, 'a'], 'w', 450)).toEqual([{ key: 'w', heightPx: null, spaceAfterPx: 50 }]);
  });

  it('waits while another card is held and there is no room, else makes the others wait', () => {
    expect(keys(arrange(on(['a', 100], ['b', 100]), ['a', 'b', whole], 'b', 450))).toBe('ab');
    expect(keys(arrange(on(['a', 100], ['b', 100]), ['a', 'b', whole], 'b', 520))).toBe('wb');
  });
});
