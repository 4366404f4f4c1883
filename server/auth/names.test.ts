import { expect, test } from 'vitest';
import { assertName } from './names.ts';

const refusal = (rule: string) =>
  expect.objectContaining({ code: 'INVALID_PARAMS', details: { faults: [{ path: '/name', rule }] } });

test.each(['my script', 'агент', '构建机器人', 'family 👨‍👩‍👧', 'companion helper', 'a'.repeat(64), '𝒳'.repeat(64)])(
  '%j is a name',
  (name) => {
    assertName(name, ['another']);
  },
);

test.each([
  ['', 'minLength'],
  ['   ', 'minLength'],
  ['\u200b', 'minLength'],
  ['\u3164', 'minLength'],
  ['a'.repeat(65), 'maxLength'],
  [' a', 'trimmed'],
  ['a\u00a0', 'trimmed'],
  ['a\nb', 'oneLine'],
  ['a\tb', 'oneLine'],
  ['a\u2028b', 'oneLine'],
  ['a\u0000b', 'oneLine'],
  ['a\ud800', 'oneLine'],
  ['a\u202eb', 'noBidiMarks'],
  ['a\u2066b', 'noBidiMarks'],
  ['a\u200fb', 'noBidiMarks'],
  ['a\u061cb', 'noBidiMarks'],
  ['companion', 'reserved'],
  ['Companion', 'reserved'],
  ['ＳＹＳＴＥＭ', 'reserved'],
  ['HOST', 'reserved'],
  ['com\u200bpanion', 'reserved'],
  ['companıon', 'reserved'],
  ['\u0441ompanion', 'oneScript'],
  ['\u0391gent', 'oneScript'],
])('%j is refused', (name, rule) => {
  expect(() => assertName(name, [])).toThrow(refusal(rule));
});

test.each([
  ['Builder', 'builder'],
  ['ﬁx', 'FIX'],
  ['straße', 'STRASSE'],
  ['ΣΑΣ', 'σας'],
])('%j is taken when %j is paired', (name, paired) => {
  expect(() => assertName(name, ['other', paired])).toThrow(refusal('taken'));
});

test('a refusal never repeats the name', () => {
  try {
    assertName('secret\nname', []);
    expect.unreachable();
  } catch (error) {
    expect(JSON.stringify(error) + String(error)).not.toContain('secret');
  }
});

test('white space inside a name does not make it another', () => {
  expect(() => assertName('My  Script', ['my script'])).toThrow(refusal('taken'));
});
