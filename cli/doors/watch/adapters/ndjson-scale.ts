/** Finds out what the percents of one session mean: the text says 0 to 100, programs in the field send 0 to 1. */

/** Takes the values in order and returns each as 0 to 100; null while nobody can know, and below zero. */
export function createScale(): (value: number) => number | null {
  let scale: 'unknown' | 'fraction' | 'percent' = 'unknown';
  return (value) => {
    if (value < 0) return null;
    if (value > 1) scale = 'percent';
    else if (scale === 'unknown' && value > 0 && value < 1) scale = 'fraction';
    if (scale === 'unknown') return null;
    return Math.min(100, scale === 'fraction' ? value * 100 : value);
  };
}
