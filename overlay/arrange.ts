/** Where cards stand, top to bottom. A card under the pointer or the focus never moves and never changes height (R4). */

/** One card as it stands on screen now. Heights in CSS px. */
export interface Measured {
  readonly key: string;
  readonly heightPx: number;
  readonly spaceAfterPx: number;
}

/** One card as it shall stand. `heightPx` null: as its content needs. */
export interface Placed {
  readonly key: string;
  readonly heightPx: number | null;
  /** Empty room kept below it, in place of cards that have gone. */
  readonly spaceAfterPx: number;
}

const free = (key: string): Placed => ({ key, heightPx: null, spaceAfterPx: 0 });

/** Gap between cards, and the least height a new card may be given while another one is held; CSS px. */
export const GAP_PX = 10;
export const LEAST_PX = 96;

/**
 * The places of `wanted` cards. Normally a new card comes nearest the figure (last). While `pinned` is held, it and everything
 * below it stay put, and new cards go to the far end; those for which `roomPx` is not enough are left out until it is let go.
 */
export function arrange(
  before: readonly Measured[],
  wanted: readonly string[],
  pinned: string | null,
  roomPx: number,
): readonly Placed[] {
  const kept = before.filter(({ key }) => wanted.includes(key));
  const added = wanted.filter((key) => !before.some((item) => item.key === key));
  const pinnedAt = before.findIndex(({ key }) => key === pinned);
  if (pinned === null || pinnedAt < 0 || !wanted.includes(pinned))
    return [...kept.map(({ key }) => free(key)), ...added.map(free)];
  const above = before.slice(0, pinnedAt).filter(({ key }) => wanted.includes(key));
  const frozen = freezeFrom(before.slice(pinnedAt), wanted);
  const taken = frozen.reduce((sum, item) => sum + (item.heightPx ?? 0) + item.spaceAfterPx + GAP_PX, 0);
  const fitting = Math.floor((roomPx - taken) / (LEAST_PX + GAP_PX)) - above.length;
  return [...added.slice(0, Math.max(0, fitting)).map(free), ...above.map(({ key }) => free(key)), ...frozen];
}

/** Keeps the heights of what stays, and the room of what has gone. The first one always stays. */
function freezeFrom(items: readonly Measured[], wanted: readonly string[]): readonly Placed[] {
  const frozen: { key: string; heightPx: number; spaceAfterPx: number }[] = [];
  for (const item of items) {
    const last = frozen.at(-1);
    if (wanted.includes(item.key)) frozen.push({ ...item });
    else if (last) last.spaceAfterPx += item.heightPx + item.spaceAfterPx + GAP_PX;
  }
  return frozen;
}
