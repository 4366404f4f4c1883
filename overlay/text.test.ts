import { describe, expect, it } from 'vitest';
import { codePoints, formatMoment, showHidden } from './text.ts';

describe('hidden characters', () => {
  it.each([
    ['a\u202Eb', 'a\\u202Eb'],
    ['\u2066x\u2069', '\\u2066x\\u2069'],
    ['\u061C', '\\u061C'],
    ['\u200E\u200F\u200B\uFEFF', '\\u200E\\u200F\\u200B\\uFEFF'],
  ])('are shown as escapes: %j', (text, shown) => {
    expect(showHidden(text)).toBe(shown);
  });

  it.each(['plain\n\ttext', 'שלום', '👩‍💻', '<b>&amp;</b>', '\\u202E'])('leave %j as it is', (text) => {
    expect(showHidden(text)).toBe(text);
  });
});

describe('lengths', () => {
  it('count code points, not code units', () => {
    expect(codePoints('a😀字')).toBe(3);
  });
});

describe('moments', () => {
  const noon = new Date(2030, 5, 1, 12, 0).getTime();

  it('of the same day are a time only', () => {
    expect(formatMoment('en', noon + 60_000, noon)).not.toContain('2030');
  });

  it('of another day carry the date', () => {
    expect(formatMoment('en', noon + 86_400_000, noon)).toContain('2030');
    expect(formatMoment('zh-CN', noon + 86_400_000, noon)).toContain('2030年');
  });
});
