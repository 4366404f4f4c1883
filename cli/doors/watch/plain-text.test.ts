import { describe, expect, it } from 'vitest';
import { clamp, firstLine, plainLine, shownWhole } from './plain-text.ts';

describe('text of a watched program', () => {
  it.each([
    ['\u001b[1;31merror\u001b[0m: no', 'error: no'],
    ['\u001b]8;;https://example.invalid\u0007link\u001b]8;;\u0007', 'link'],
    ['a\r\n\tb\u0000c', 'a bc'],
    ['safe\u202Egpj.exe\u2066x\u2069', 'safegpj.exex'],
    ['\uD800lone', 'lone'],
    ['你好 🎉', '你好 🎉'],
  ])('%j is one plain line', (text, plain) => expect(plainLine(text, 80)).toBe(plain));

  it.each(['', ' \n ', '\u001b[0m', '\u200b\u202e'])('%j has nothing to see', (text) =>
    expect(plainLine(text, 80)).toBeNull(),
  );

  it('is no longer than what fits, counted in code points, and says that there was more', () => {
    expect(clamp('🎉🎉🎉', 3)).toBe('🎉🎉🎉');
    expect(clamp('🎉🎉🎉🎉', 3)).toBe('🎉🎉…');
    expect([...plainLine('x'.repeat(5_000_000), 280)!]).toHaveLength(280);
  });

  it('is its first line that shows something', () => {
    expect(firstLine('\n\n \u001b[0m\n  first  \nsecond', 80)).toBe('first');
    expect(firstLine('', 80)).toBeNull();
  });

  it('that is to be agreed to keeps every character, the unseen ones in a form that is seen', () => {
    expect(shownWhole('rm\u202e -rf\n\t/\u001b[8m x\u0000')).toBe('rm\\u202E -rf\n\t/\\u001B[8m x\\u0000');
  });
});
