import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';

describe('parseDuration', () => {
  it.each([
    ['0s', 0],
    ['500ms', 500],
    ['30s', 30_000],
    ['1.5m', 90_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
  ])('reads %s as %i milliseconds', (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  it.each(['', '10', '10 s', '-1s', 's', '1d', '1e3s', '.5s', '10S', `${'9'.repeat(20)}h`])('refuses "%s"', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});
