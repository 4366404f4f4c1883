/** Amounts in words, for the one line that a card has. */

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** `1 file`, `3 files`. */
export const count = (many: number, one: string, several = `${one}s`): string =>
  `${many} ${many === 1 ? one : several}`;

/** Bytes with at most one decimal: `8.6 MiB`. */
export function bytes(amount: number): string {
  let value = Math.max(0, amount);
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${UNITS[unit]}`;
}

/** Seconds that are left or gone: `40 s`, `3 min`, `2 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 90) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The parts that are there, as one line. */
export const together = (...parts: readonly (string | null | undefined | false)[]): string | undefined =>
  parts.filter((part): part is string => typeof part === 'string' && part !== '').join(', ') || undefined;
