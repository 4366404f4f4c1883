import { describe, expect, it } from 'vitest';
import type { FormField } from '../server/protocol/presentation.ts';
import { type Draft, fieldFault, formValues, textFault } from './check.ts';
import { WORDS } from './words.ts';

const words = WORDS.en;

describe('a typed text', () => {
  it.each([
    ['abc', null],
    ['', words.required],
    [' \u200B ', words.required],
    ['😀😀😀😀', null],
    ['😀😀😀😀😀', words.tooLong(4)],
    ['a\tb', words.oneLine],
  ])('%j is answered by %j', (text, fault) => {
    expect(textFault(words, { maxLength: 4, multiline: false }, text)).toBe(fault);
  });

  it('may have several lines where the question allows them', () => {
    expect(textFault(words, { maxLength: 4, multiline: true }, 'a\nb')).toBeNull();
  });
});

const field = (type: FormField['type'], extra: Partial<FormField> = {}): FormField => ({
  id: 'f',
  label: 'F',
  type,
  required: true,
  ...extra,
});

describe('a field', () => {
  it.each<[string, FormField, Draft | undefined, string | null]>([
    ['text', field('string'), 'a', null],
    ['missing text', field('string'), undefined, words.required],
    ['optional text left empty', field('string', { required: false, minLength: 3 }), '', null],
    ['short text', field('string', { minLength: 3 }), '😀😀', words.tooShort(3)],
    ['long text', field('string', { maxLength: 2 }), 'abc', words.tooLong(2)],
    ['number', field('number'), '-1.5', null],
    ['no number', field('number'), 'many', words.notNumber],
    ['infinite number', field('number'), 'Infinity', words.notNumber],
    ['broken integer', field('integer'), '1.5', words.notInteger],
    ['small integer', field('integer', { minimum: 2 }), '1', words.atLeast(2)],
    ['large number', field('number', { maximum: 2 }), '2.1', words.atMost(2)],
    ['switch left off', field('boolean'), undefined, null],
    ['option not picked', field('enum', { options: [{ id: 'a', label: 'A' }] }), undefined, words.required],
  ])('%s', (_, subject, draft, fault) => {
    expect(fieldFault(words, subject, draft)).toBe(fault);
  });
});

describe('the values of a form', () => {
  it('carry their types, and leave out what was left empty', () => {
    const fields = [
      field('string', { id: 'text' }),
      field('integer', { id: 'count' }),
      field('boolean', { id: 'flag' }),
      field('enum', { id: 'pick' }),
      field('string', { id: 'empty', required: false }),
    ];
    const drafts = { text: ' a ', count: ' 3 ', flag: true, pick: 'x', empty: ' ' };
    expect(formValues(fields, drafts)).toEqual({ text: ' a ', count: 3, flag: true, pick: 'x' });
  });
});
