/** Keeps what is shown of an amount from going backwards: totals grow while a program is still looking what there is to do. */

/** How far something was at most, in percent; null while nobody knows. */
export interface Rising {
  /** Takes the next value, 0 to 100 or null, and returns the highest so far. */
  next(percent: number | null): number | null;
}

export function rising(): Rising {
  let highest: number | null = null;
  return {
    next(percent) {
      if (percent !== null && Number.isFinite(percent)) {
        highest = Math.max(highest ?? 0, Math.min(100, Math.max(0, percent)));
      }
      return highest;
    },
  };
}

/** `done` of `total` in percent; null when there is no total to speak of. */
export const percentOf = (done: number, total: number | null): number | null =>
  total !== null && total > 0 ? (done / total) * 100 : null;
