/** Durations as people type them; a number without a unit is refused, because nobody can know what it means (R9). */

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** `500ms`, `30s`, `1.5m`, `2h` → whole milliseconds; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  if (match === null) return null;
  const milliseconds = Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]);
  return Number.isSafeInteger(milliseconds) ? milliseconds : null;
}
