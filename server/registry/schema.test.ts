import { describe, expect, it } from 'vitest';
import { line, prose } from './schema.ts';
import { faultsOf } from './validate.ts';

const isLine = (text: unknown) => faultsOf(line(10), text).length === 0;
const isProse = (text: unknown) => faultsOf(prose(10), text).length === 0;

describe('text', () => {
  it.each(['a', '中文', '👩‍💻', 'שלום', 'a\u202eb', ' a ', '🙂'.repeat(10)])('%j is a line', (text) => {
    expect(isLine(text)).toBe(true);
  });
  it.each(['', ' ', '\u200b', '\u3000', 'a\nb', 'a\u0000', '\ud800', 'a\udc00', '\u0085a', '🙂'.repeat(11), 5, null])(
    '%j is not',
    (text) => {
      expect(isLine(text)).toBe(false);
    },
  );
  it('prose may have line breaks and tabs but no other controls', () => {
    expect(isProse('a\n\tb')).toBe(true);
    expect(isProse('a\rb')).toBe(false);
    expect(isProse('\n\t')).toBe(false);
  });
});
