import { describe, expect, it } from 'vitest';
import { REASONS, STATUSES } from '../server/protocol/status.ts';
import { LANGUAGES, SCOPES, STYLE_IDS, TONES } from '../server/protocol/words.ts';
import { resolveLanguage, WORDS, type Words } from './words.ts';

/** Every sentence of a table, by path; functions are called with small numbers and texts. */
function sentences(table: object, path = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(table)) {
    if (typeof value === 'string') found.set(path + key, value);
    else if (typeof value === 'function') found.set(path + key, value(2, 3, 4));
    else for (const [deeper, text] of sentences(value, `${path}${key}.`)) found.set(deeper, text);
  }
  return found;
}

describe('words', () => {
  it('are the same keys in every language, none empty', () => {
    const keys = [...sentences(WORDS.en).keys()];
    for (const language of LANGUAGES) {
      const table = sentences(WORDS[language]);
      expect([...table.keys()]).toEqual(keys);
      expect([...table].filter(([, text]) => text.trim() === '')).toEqual([]);
    }
  });

  it('are Chinese in the Chinese table, but for what is the same in both', () => {
    const same = new Set(['lengthOf', 'percent', 'listMark']);
    const latin = [...sentences(WORDS['zh-CN'])].filter(
      ([key, text]) => !same.has(key) && !/\p{Script=Han}/u.test(text),
    );
    expect(latin).toEqual([]);
  });

  it.each(Object.entries(WORDS))('name every scope, tone, style, status and reason in %s', (_, words: Words) => {
    expect(Object.keys(words.scopes).sort()).toEqual([...SCOPES].sort());
    expect(Object.keys(words.tone).sort()).toEqual([...TONES].sort());
    expect(Object.keys(words.styleNames).sort()).toEqual([...STYLE_IDS].sort());
    expect(Object.keys(words.statuses).sort()).toEqual([...STATUSES].sort());
    expect(Object.keys(words.reasons).sort()).toEqual(Object.keys(REASONS).sort());
  });
});

describe('the language in force', () => {
  it.each([
    [null, 'zh-TW', 'zh-CN'],
    [null, 'ZH', 'zh-CN'],
    [null, 'de', 'en'],
    [null, 'zhx', 'en'],
    ['en', 'zh-CN', 'en'],
    ['zh-CN', 'fr', 'zh-CN'],
  ] as const)('of choice %s and locale %s is %s', (chosen, locale, language) => {
    expect(resolveLanguage(chosen, locale)).toBe(language);
  });
});
