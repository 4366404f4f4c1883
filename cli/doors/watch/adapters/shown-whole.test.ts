import { describe, expect, it } from 'vitest';
import { shownWhole } from './shown-whole.ts';

describe('a text that is to be agreed to', () => {
  it('keeps every character, the unseen ones in a form that is seen', () => {
    expect(shownWhole('rm\u202e -rf\n\t/\u001b[8m x\u0000\u200b', 80)).toEqual({
      text: 'rm\\u202E -rf\n\t/\\u001B[8m x\\u0000\\u200B',
      isWhole: true,
    });
  });

  it('shows marks without ink too: fillers, soft hyphens, tags', () => {
    expect(shownWhole('a\u3164b\u00adc\u{e0041}d\u2065', 80).text).toBe('a\\u3164b\\u00ADc\\u{E0041}d\\u2065');
  });

  it('is whole up to what fits, counted in code points, and not beyond', () => {
    expect(shownWhole('🎉🎉🎉', 3)).toEqual({ text: '🎉🎉🎉', isWhole: true });
    expect(shownWhole('🎉🎉🎉🎉', 3)).toEqual({ text: '🎉🎉🎉', isWhole: false });
    expect(shownWhole('x'.repeat(5_000_000), 3_900)).toMatchObject({ isWhole: false });
    expect(shownWhole('\u001b\u001b', 6)).toMatchObject({ isWhole: false });
  });
});
